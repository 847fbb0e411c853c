import type { AgentEnd } from './run-agent.ts'

/** The agent cannot work until a person does something: no key, no credit. */
const HOPELESS =
  /invalid api key|please run \/login|authentication|oauth token|unauthorized|credit balance|billing/i
/** The service is in trouble, and may be out of it in a minute. */
const TRANSIENT =
  /overloaded|timed out|timeout|connection|ECONN|ENOTFOUND|EAI_AGAIN|socket|network|\b5\d\d\b|internal server error/i

const REFUSED = /requires approval|permission to use \w+|haven't granted|not allowed by (?:your )?permission/i

export function isHopeless({ run }: AgentEnd): boolean {
  return run.ending === 'api_error' && HOPELESS.test(run.apiFailure ?? '')
}

/** Trying again later makes sense: a limit was reached, or the service did not answer. */
export function isTransient({ run }: AgentEnd): boolean {
  if (run.ending === 'rate_limited') return true
  return run.ending === 'api_error' && TRANSIENT.test(run.apiFailure ?? '')
}

/** How many of its actions the agent was not allowed. */
export function refusals({ run }: AgentEnd): number {
  return run.toolCalls.filter(({ status, output }) => status === 'failed' && REFUSED.test(output)).length
}

export function describeTrouble({ run }: AgentEnd): string {
  const said = (run.apiFailure ?? run.result?.text ?? '').split('\n')[0]!.slice(0, 200)
  return said === '' ? `the model service refused (${run.ending})` : said
}
