import { AGENT_MARKS, type Config } from './config.ts'
import { RalphError } from './errors.ts'
import { type Decide, type DecisionWay, decidedHere } from './trust/decision.ts'

/** Whether an agent of the loop is behind this process. */
export async function isOfRun({ session, project }: Config): Promise<boolean> {
  if (session.inLoop) return true
  const { isInsideRun } = await import('./loop/agent/inside-run.ts')
  return isInsideRun(project)
}

/** Whether any agent is, also one that a person has started. */
export async function isAgent(config: Config): Promise<boolean> {
  if (config.session.inAgent || (await isOfRun(config))) return true
  const { isBelowAgent } = await import('./loop/agent/inside-run.ts')
  return isBelowAgent(AGENT_MARKS)
}

/** Refuses to any agent what is for a person to decide; `deed` completes "an agent cannot …". */
export async function requirePerson(config: Config, deed: string): Promise<void> {
  if (await isAgent(config)) throw refusal(deed, 'that is for a person')
}

/** The same to the agent of a run only: one that a person has started may do it for them. */
export async function requireOutsideRun(
  config: Config,
  deed: string,
  why = 'that is for a person',
): Promise<void> {
  if (await isOfRun(config)) throw refusal(deed, why)
}

/** Who decides through this surface; nobody, if it is an agent. */
export function deciderFor(config: Config, how: DecisionWay): Decide {
  return async (deed, saidToBe) => {
    await requirePerson(config, deed)
    // Several people of a team may have the same account, each on a machine of their own.
    const { account, ...decided } = decidedHere(how, saidToBe ?? config.settings.user.name)
    return { account, ...decided, ...(decided.saidToBe === account && { saidToBe: undefined }) }
  }
}

function refusal(deed: string, why: string): RalphError {
  return new RalphError('invalid_input', `an agent cannot ${deed}: ${why}`, {
    hint: 'Run it in a terminal of your own, or when the run is over.',
  })
}
