import { findHookedAgents } from '../../agent-config/found-agents.ts'
import { agentHooksFile, foundAgentHooks, HOOKED_AGENTS, type HookedAgent } from '../../agent-config/hooks.ts'
import { isRalphError } from '../../errors.ts'
import { workOutFacts } from '../../hooks/facts/work-out.ts'
import type { Ralph } from '../../ralph.ts'
import { AGENTS } from '../../transcripts/agents.ts'
import { agentHooksPlace, setUpAgentHooks } from '../agent-hooks.ts'
import { shownPath } from '../step.ts'
import type { Surroundings } from '../surroundings.ts'
import { claudeHooksPart, requireLasting } from './claude-hooks.ts'
import type { Accepted, SetupOffer } from './offer.ts'

/** The hooks of one agent, as part of the offer for all of them. */
export interface HooksPart extends Pick<SetupOffer, 'state' | 'problem'> {
  label: string
  /** The file, from the project. */
  name: string
  /** Where they are already. */
  there?: string | undefined
  accept: () => Promise<Accepted>
}

/** Hooks of every agent that is found and has some: one question for all of them. */
export async function offerHooks(ralph: Ralph, surroundings: Surroundings): Promise<SetupOffer> {
  const { searchPath } = surroundings
  const used = new Set(findHookedAgents({ ...ralph.config, searchPath }))
  const others = HOOKED_AGENTS.map((agent) => agentPart(ralph, agent, { used: used.has(agent), searchPath }))
  const parts = [await claudeHooksPart(ralph, surroundings), ...(await Promise.all(others))]
  const of = (state: SetupOffer['state']) => parts.filter((part) => part.state === state)
  const open = of('open')
  const labels = open.map(({ label }) => label).join(', ')
  const names = open.map(({ name }) => name).join(', ')
  return {
    name: 'hooks',
    ...stateOf(of, `for ${labels}, in ${names}`),
    question: `Hooks for ${labels} (briefings, recording) in ${names}?`,
    problem: of('blocked')[0]?.problem,
    accept: () => addAll(ralph, open.length > 0 ? open : parts.slice(0, 1), searchPath),
  }
}

function stateOf(
  of: (state: SetupOffer['state']) => HooksPart[],
  open: string,
): Pick<SetupOffer, 'state' | 'about'> {
  if (of('open').length > 0) return { state: 'open', about: open }
  const [blocked] = of('blocked')
  if (blocked) return { state: 'blocked', about: `for ${blocked.label}, in ${blocked.name}` }
  const there = of('there').map((part) => part.there)
  if (there.length > 0) return { state: 'there', about: there.join(', ') }
  return { state: 'nothing', about: 'no agent with hooks was found' }
}

async function agentPart(
  { config }: Ralph,
  agent: HookedAgent,
  { used, searchPath }: { used: boolean; searchPath: string | undefined },
): Promise<HooksPart> {
  const place = agentHooksPlace(config, agent, 'project')
  const name = shownPath(agentHooksFile(place), config.project)
  const part = { label: AGENTS[agent].label, name }
  const accept = async () => {
    const { files, remains } = await setUpAgentHooks(config, { agent, searchPath })
    return { about: `in ${name}`, files, notes: remains === undefined ? [] : [remains] }
  }
  try {
    const found = await foundAgentHooks(place)
    if (found) return { ...part, state: 'there', there: `in ${name}`, accept }
    return { ...part, state: used ? 'open' : 'nothing', accept }
  } catch (error) {
    if (!isRalphError(error)) throw error
    const { message, hint } = error
    return used
      ? { ...part, state: 'blocked', problem: { message, hint }, accept }
      : { ...part, state: 'nothing', accept }
  }
}

/** One that fails says so, and the others are done all the same. */
async function addAll(
  ralph: Ralph,
  parts: readonly HooksPart[],
  searchPath: string | undefined,
): Promise<Accepted> {
  const { config } = ralph
  requireLasting(config.project, searchPath)
  const done: Accepted[] = []
  const problems: Accepted['problems'] = []
  for (const part of parts) {
    try {
      done.push(await part.accept())
    } catch (error) {
      if (!isRalphError(error) || parts.length === 1) throw error
      problems.push({ message: error.message, hint: error.hint })
    }
  }
  // Worked out now, so that the very first session is told.
  for (const feature of await ralph.featureMemory.features()) await workOutFacts(config, feature)
  return {
    about: `${done.map(({ about }) => about).join(', ')}; they work from the next session on`,
    files: done.flatMap(({ files }) => files),
    notes: done.flatMap(({ notes = [] }) => notes),
    problems,
  }
}
