import { startBackground } from '../background-start.ts'
import type { HookContext } from '../context.ts'
import { recordForsakenLater } from '../forsaken.ts'
import { projectIdOf } from '../places.ts'
import { sessionProcess } from '../session-process.ts'

/** What is needed to record the session, even if nobody says good-bye. */
export async function noteSession(context: HookContext): Promise<void> {
  const { config, input, notes, inLoop, remembers, caller } = context
  const { agent, sessionId, transcript, cwd } = input
  if (inLoop || transcript === undefined) return
  const endedAt = input.event === 'SessionEnd' ? Date.now() : undefined
  const [projectId, process] = [projectIdOf(config), sessionProcess(caller.parent)]
  const pending = { sessionId, agent, transcript, cwd, projectId, endedAt, process }
  // What is new at once, in case there is no time to find out where it belongs.
  const noted = notes.pending()
  const changed = { ...noted, ...pending }
  if (!remembers || JSON.stringify(changed) !== JSON.stringify(noted)) notes.setPending(changed)
  if (remembers) notes.setPending({ ...pending, feature: await context.feature() })
}

/** Hands the session over to be recorded. Reading it takes longer than a hook may. */
export async function handSessionOver(context: HookContext): Promise<void> {
  if (context.inLoop || context.input.transcript === undefined) return
  // First, so that it happens however little time there is; it waits for the last lines of the session anyway.
  startBackground(context.config, ['record', context.input.sessionId])
  await noteSession(context)
  recordForsakenLater(context.config)
}
