import { startBackground } from '../background-start.ts'
import type { HookContext } from '../context.ts'

/** The agent has answered: from now on there is something to record, even if nobody says good-bye. */
export function noteSession({ input, notes, inLoop }: HookContext): void {
  const { sessionId, transcript, cwd } = input
  if (inLoop || transcript === undefined) return
  notes.setPending({ sessionId, transcript, cwd })
}

/** Hands the session over to be recorded. Reading it takes longer than a hook may. */
export function recordSession(context: HookContext): void {
  noteSession(context)
  if (!context.inLoop && context.input.transcript !== undefined) {
    startBackground(context.config, ['record', context.input.sessionId])
  }
}
