import type { Conversations } from '../conversation-memory/conversations.ts'
import type { Exchange } from '../conversation-memory/record.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import { saysSomething } from '../text/small-talk.ts'
import { oneLine } from '../text/truncate.ts'

/** Something that memory has, to be shown to whoever has just set it up. */
export type RememberedThing =
  | {
      kind: 'iteration'
      feature: string
      iteration: number
      when: string
      task: string
      outcome: string
      summary: string
    }
  | { kind: 'exchange'; id: string; conversationId: string; when: string; asked: string; answered: string }

const LATEST_CONVERSATIONS = 20
const LATEST_EXCHANGES = 50
const LONGEST = 200

/** The latest run on the project that memory knows of, whatever came of it. */
export async function rememberedRun(memory: FeatureMemory): Promise<RememberedThing | undefined> {
  const latest = await Promise.all(
    (await memory.features()).map(async (feature) => (await memory.recent(feature, 1))[0]),
  )
  const [record] = latest
    .filter((one) => one !== undefined)
    .sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
  if (!record) return undefined
  return {
    kind: 'iteration',
    feature: record.feature,
    iteration: record.iterationNumber,
    when: record.timestamp,
    task: record.taskTitle,
    outcome: record.outcome,
    summary: oneLine(record.summary, LONGEST),
  }
}

/** The latest question in this project that says something by itself, with what was answered. */
export async function rememberedExchange(
  conversations: Conversations,
  project: string,
): Promise<RememberedThing | undefined> {
  const latest = await conversations.ofProject(project).latest(LATEST_CONVERSATIONS)
  for (const { id, parentId, exchangeCount } of latest) {
    if (parentId !== undefined) continue // what a sub-agent was told is nothing that a person remembers
    const from = Math.max(0, exchangeCount - LATEST_EXCHANGES)
    const exchanges = await conversations.history.exchangesOf(id, { from, limit: LATEST_EXCHANGES })
    const found = exchanges.reverse().find(isTelling)
    if (found) return shown(found)
  }
  return undefined
}

function isTelling({ userMessage, assistantMessage }: Exchange): boolean {
  const asked = userMessage.trim()
  // What begins like this was typed by a program, or is a command to one.
  return assistantMessage.trim() !== '' && !/^[</[]/.test(asked) && saysSomething(asked)
}

function shown({ id, conversationId, userMessage, assistantMessage, startedAt }: Exchange): RememberedThing {
  return {
    kind: 'exchange',
    id,
    conversationId,
    when: startedAt?.toISOString() ?? '',
    asked: oneLine(userMessage.trim(), LONGEST),
    answered: oneLine(assistantMessage.trim(), LONGEST),
  }
}
