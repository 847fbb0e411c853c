import type { RunEnding } from '../../feature-memory/record.ts'
import type { AgentProgram } from './programs/program.ts'
import type { AgentEnd } from './run-agent.ts'

/** The agent cannot work until a person does something: no key, no credit. */
export function isHopeless({ kind, cause }: RunEnding): boolean {
  return kind === 'service_failed' && (cause === 'key' || cause === 'credit')
}

/** Trying again later makes sense: a limit was reached, or the service did not answer. */
export function isTransient({ run }: AgentEnd): boolean {
  return run.service?.passing === true
}

/** How many of its actions the agent was not allowed. */
export function refusals({ run }: AgentEnd, { refused }: AgentProgram): number {
  return run.toolCalls.filter(({ status, output }) => status === 'failed' && refused.test(output)).length
}

export function describeTrouble({ cause, detail }: RunEnding): string {
  return detail?.replace(/\.$/, '') ?? `the model service refused (${cause})`
}
