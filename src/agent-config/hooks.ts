/** Our hooks in the settings of every program that has some: installed, found and taken out. */
export {
  type AgentHooksPlace,
  type AgentHooksResult,
  agentHooksFile,
  foundAgentHooks,
  HOOKED_AGENTS,
  type HookedAgent,
  installAgentHooks,
  PROGRAM_SCOPES,
  type ProgramScope,
  uninstallAgentHooks,
} from './agent-hooks.ts'
export {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  type HookScope,
  hooksFile,
  installedHooks,
  uninstallHooks,
} from './claude-hooks.ts'
export {
  HOOK_WAYS,
  type HooksPlace,
  type HooksSetupResult,
  type HookWay,
  scopeHere,
  setUpHooks,
  wayHere,
} from './set-up-hooks.ts'
