import { InvalidArgumentError } from 'commander'
import type { Ralph } from '../../../ralph.ts'
import { AGENT_NAMES, type AgentName, agentCalled } from '../../../transcripts/agents.ts'
import { agentDemand } from '../../../trust/board-demands.ts'
import { TrustStore } from '../../../trust/trust-store.ts'
import type { Output } from '../../output.ts'

export const AGENT_FLAG = `who works on it in the loop: ${AGENT_NAMES.join(', ')}`

export function parseAgent(text: string): AgentName {
  const name = /^[\w-]+$/.test(text) ? agentCalled(text) : undefined
  if (name) return name
  throw new InvalidArgumentError(`--agent must be one of ${AGENT_NAMES.join(', ')}.`)
}

/** A board can be anybody's: what it names is started only where a person has agreed. */
export function sayAgentTrust({ config }: Ralph, agent: AgentName | undefined, out: Output): void {
  if (agent === undefined || agent === agentCalled(config.settings.loop.agent[0]!)) return
  const store = new TrustStore({ file: config.paths.trust, project: config.project })
  const demand = agentDemand(agent)
  if (store.isTrusted(demand)) return
  out.notice({
    key: `trust of ${demand.name}`,
    message: `the loop starts ${agent} for the board only once you have trusted it here`,
    hint: 'ralph trust',
    harmless: true,
  })
}
