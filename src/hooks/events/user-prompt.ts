import { askHelper } from '../ask-helper.ts'
import { startBackground } from '../background-start.ts'
import type { HookContext, Injection } from '../context.ts'
import { conversationKey, TOPIC_KEY } from '../facts/fact-keys.ts'
import { hasConversations } from '../has-conversations.ts'
import { keptIn } from '../kept-in.ts'
import { briefing } from './brief.ts'
import { noteSession } from './session-end.ts'

/** Shorter ones ("yes", "go on") are about what was just said. */
const SHORTEST_PROMPT = 15
const LONGEST_PROMPT = 4_000

/** The briefing where the start of the session missed it, else past conversations that are clearly about the same. */
export async function userPrompt(context: HookContext): Promise<Injection | undefined> {
  if (context.inLoop) return undefined
  // Hooks may have been installed after it started.
  const pending = context.notes.pending()
  if (!pending || pending.endedAt !== undefined) await noteSession(context)
  const { promptId } = context.input
  if (promptId !== undefined && !context.notes.mayShow(`prompt ${promptId}`, 0)) return undefined
  return (await briefing(context)) ?? relatedConversations(context)
}

/** Each is told once per session. */
async function relatedConversations({ config, notes, input }: HookContext): Promise<Injection | undefined> {
  const prompt = (input.prompt ?? '').trim()
  if (prompt.length < SHORTEST_PROMPT || prompt.startsWith('/') || !hasConversations(config)) return undefined
  const mark = conversationKey('')
  const told = notes.shownKeys().filter((key) => key.startsWith(mark))
  const answer = await askHelper(config.home, {
    prompt: prompt.slice(0, LONGEST_PROMPT),
    excluding: [input.sessionId, ...told.map((key) => key.slice(mark.length))],
    topicOf: notes.isShown(TOPIC_KEY) ? undefined : input.sessionId,
    ...{ keptIn: keptIn(config), project: config.project },
  })
  if (!answer) startBackground(config, ['serve'])
  const [first] = answer?.conversations ?? []
  if (!answer || !first) return undefined
  return {
    key: conversationKey(first.id),
    tells: [
      ...answer.conversations.slice(1).map(({ id }) => conversationKey(id)),
      ...(answer.tellsTopic ? [TOPIC_KEY] : []),
    ],
    text: answer.text,
    items: answer.conversations.map(({ id, similarity }, at) => ({
      kind: 'conversation',
      source: `conversation ${id}`,
      why: 'related to the prompt',
      score: similarity,
      // They were told as one text; it is kept once.
      ...(at === 0 ? { text: answer.text } : { tokens: 0 }),
    })),
  }
}
