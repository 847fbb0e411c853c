import { startBackground } from '../background-start.ts'
import type { HookContext, Injection } from '../context.ts'
import { sessionsDir } from '../feature-facts.ts'
import { notedSessions } from '../session-notes.ts'
import { startHelper } from './user-prompt.ts'

/** A session that was silent this long has ended without saying so. */
const FORSAKEN_MS = 30 * 60_000

/** One account of where the feature stands; nothing when there is nothing worth telling. */
export async function sessionStart(context: HookContext): Promise<Injection | undefined> {
  const { source, sessionId } = context.input
  if (context.inLoop) return undefined
  startHelper(context)
  if (hasForsaken(context, sessionId)) startBackground(context.config, ['sweep'])
  // A resumed session has it in its context already; a compacted one has lost it.
  if (source === 'resume') return undefined
  if (source === 'compact') context.notes.forgetShown()
  if (!context.remembers) return undefined
  const briefing = (await context.facts('now'))?.briefing
  if (!briefing) return undefined
  const { name, reason } = context.feature
  const text = `${briefing.text}\n(Feature "${name}": ${reason}. More: the ralph MCP tools or \`ralph memory search\`.)`
  return { key: 'briefing', text, items: briefing.items }
}

function hasForsaken(context: HookContext, sessionId: string): boolean {
  return notedSessions(sessionsDir(context.config))
    .slice(0, 50)
    .some(
      ({ name, notes, touchedMs }) =>
        name !== sessionId && Date.now() - touchedMs > FORSAKEN_MS && notes.hasUnrecorded(),
    )
}
