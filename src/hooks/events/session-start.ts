import type { HookContext, Injection } from '../context.ts'
import { recordForsakenLater } from '../forsaken.ts'
import { startHelper } from '../keep-warm.ts'
import { briefing, settleBriefing } from './brief.ts'
import { noteSession } from './session-end.ts'

/** One account of where the feature stands; nothing when there is nothing worth telling. */
export async function sessionStart(context: HookContext): Promise<Injection | undefined> {
  const { source } = context.input
  if (context.inLoop) return undefined
  // From now on it can be recorded, whatever becomes of it.
  const noted = noteSession(context)
  // Before anything that takes time: on a busy machine all later hooks depend on it.
  startHelper(context)
  await noted
  recordForsakenLater(context.config)
  // A resumed session has it in its context already; a compacted one has lost it.
  if (source === 'resume') settleBriefing(context)
  if (source === 'compact') context.notes.forgetTold()
  return briefing(context)
}
