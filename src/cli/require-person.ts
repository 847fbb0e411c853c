import type { Config } from '../config.ts'
import { RalphError } from '../errors.ts'
import { isInsideRun } from '../loop/agent/inside-run.ts'

/** Refuses to an agent what is for a person to decide; `deed` completes "an agent cannot …". */
export async function requirePerson({ session }: Config, deed: string): Promise<void> {
  if (!session.inAgent && !(await isInsideRun())) return
  throw new RalphError('invalid_input', `an agent cannot ${deed}: that is for a person`, {
    hint: 'Run it in a terminal of your own.',
  })
}
