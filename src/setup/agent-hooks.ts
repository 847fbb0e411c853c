import {
  type AgentHooksPlace,
  type AgentHooksResult,
  agentHooksFile,
  type HookedAgent,
  installAgentHooks,
  type ProgramScope,
  uninstallAgentHooks,
} from '../agent-config/hooks.ts'
import type { Config } from '../config.ts'
import type { SetupStep } from '../project-setup.ts'
import { isIgnored, isTracked, keepPrivate, noLongerPrivate } from './git-private.ts'
import { isForOneRun, reachOf } from './installation.ts'
import { stepOf } from './step.ts'

export interface AgentHooksRequest {
  agent: HookedAgent
  scope?: ProgramScope | undefined
  /** Without paths of this machine; where nobody says: if that works here, and always in a file that is committed. */
  portable?: boolean | undefined
  searchPath: string | undefined
}

export interface AgentHooksDone extends AgentHooksResult {
  files: SetupStep[]
}

export function agentHooksPlace(
  { project, home, userHome, sessionPlaces }: Config,
  agent: HookedAgent,
  scope: ProgramScope,
): AgentHooksPlace {
  return { project, home, userHome, sessionPlaces, agent, scope }
}

/** Installs the hooks of one program; a file with paths of this machine in it is kept out of git. */
export async function setUpAgentHooks(config: Config, request: AgentHooksRequest): Promise<AgentHooksDone> {
  const { agent, scope = 'project', searchPath } = request
  const { project } = config
  const place = agentHooksPlace(config, agent, scope)
  const file = agentHooksFile(place)
  const reach = reachOf({ project, searchPath })
  const inProject = scope === 'project'
  const portable =
    request.portable ??
    (isForOneRun() || (inProject && (reach === 'search_path' || isTracked(project, file))))
  const result = await installAgentHooks({ ...place, portable, searchPath })
  const isPrivate = inProject && !portable
  const files: SetupStep[] = [{ ...stepOf(result, project), ...(isPrivate && { private: true }) }]
  if (isPrivate && !isIgnored(project, file)) files.push(...(await keepPrivate(config, file)))
  return { ...result, ...leftToDo(result, reach === 'search_path'), files }
}

/** Its own line for it, where the command is not where the hooks look for it. */
function leftToDo({ portable, remains }: AgentHooksResult, found: boolean): { remains?: string } {
  const missing = portable && !found ? ['The hooks call `ralph`: npm install --global ralph-memory.'] : []
  const lines = [...missing, ...(remains === undefined ? [] : [remains])]
  return lines.length > 0 ? { remains: lines.join(' ') } : {}
}

export async function takeOutAgentHooks(
  config: Config,
  agent: HookedAgent,
  scope: ProgramScope,
): Promise<SetupStep[]> {
  const place = agentHooksPlace(config, agent, scope)
  const result = await uninstallAgentHooks(place)
  const rules = scope === 'project' ? await noLongerPrivate(config, agentHooksFile(place)) : []
  return result.action === 'unchanged' ? rules : [stepOf(result, config.project), ...rules]
}
