import { existsSync } from 'node:fs'
import type { EditResult } from '../../../agent-config/edited-file.ts'
import { findHookedAgents } from '../../../agent-config/found-agents.ts'
import {
  HOOKED_AGENTS,
  type HookedAgent,
  type HookScope,
  type HooksSetupResult,
  type ProgramScope,
} from '../../../agent-config/hooks.ts'
import type { CurrentFeature } from '../../../board/current-feature.ts'
import { searchPath } from '../../../config.ts'
import { RalphError } from '../../../errors.ts'
import type { SetupStep } from '../../../project-setup.ts'
import type { Ralph } from '../../../ralph.ts'
import { type AgentHooksDone, setUpAgentHooks, takeOutAgentHooks } from '../../../setup/agent-hooks.ts'
import { AGENT_NAMES, AGENTS, type AgentName } from '../../../transcripts/agents.ts'
import type { Run } from '../../command.ts'

export const AGENT_CHOICES = [...AGENT_NAMES, 'all'] as const
/** Whose hooks: of one agent, or of all that are found. */
export type HooksOf = (typeof AGENT_CHOICES)[number]

interface OtherFlags {
  agent: HooksOf
  scope?: HookScope
  portable?: boolean
  via?: string
}

export async function installForOthers(
  { ralph, options, out }: Run<OtherFlags>,
  feature: CurrentFeature,
  ofClaude: () => Promise<HooksSetupResult[]>,
): Promise<void> {
  if (options.via !== undefined) {
    throw new RalphError('invalid_input', '--via is for Claude Code: hooks of other agents start a process', {
      hint: 'Leave --via out.',
    })
  }
  const scope = scopeOf(options)
  const done: AgentHooksDone[] = []
  for (const agent of agentsFor(ralph, options.agent)) {
    const { portable } = options
    done.push(await setUpAgentHooks(ralph.config, { agent, scope, portable, searchPath: searchPath() }))
  }
  const claude = options.agent === 'all' ? await ofClaude() : []
  const agents = [...claude.map((one) => ({ agent: 'claude-code' as const, ...one })), ...done]
  if (agents.length === 0) {
    throw new RalphError('not_found', 'no agent was found that has hooks', {
      hint: `Name it: --agent ${AGENT_NAMES.join('|')}`,
    })
  }
  out.result(options.agent === 'all' ? { agents, feature } : { ...done[0]!, feature }, () =>
    [
      ...claude.map(({ file }) => `${AGENTS['claude-code'].label}: hooks are in ${file}.`),
      ...done.flatMap(installedLines),
      ...featureLine(ralph, feature),
    ].join('\n'),
  )
}

function installedLines({ agent, file, action, files, portable, remains }: AgentHooksDone): string[] {
  const { label } = AGENTS[agent]
  const kept = files.length > 1 ? ' It names paths of this machine, so git is told to leave it alone.' : ''
  const calls = portable ? ' They call `ralph` from the search path, so the file can be committed.' : kept
  return [
    action === 'unchanged'
      ? `${label}: ${file} has them already.`
      : `${label}: hooks are in ${file}.${calls} \`ralph hooks uninstall --agent ${agent}\` takes them out.`,
    ...(remains === undefined ? [] : [`  → ${remains}`]),
  ]
}

export async function uninstallOfOthers(
  { ralph, options, out }: Run<OtherFlags>,
  ofClaude: () => Promise<EditResult>,
): Promise<void> {
  const scope = scopeOf(options) ?? 'project'
  const wanted = options.agent === 'all' ? HOOKED_AGENTS : [options.agent as HookedAgent]
  const taken: { agent: AgentName; files: SetupStep[] }[] = []
  for (const agent of wanted)
    taken.push({ agent, files: await takeOutAgentHooks(ralph.config, agent, scope) })
  if (options.agent === 'all') {
    const { file, action } = await ofClaude()
    const files: SetupStep[] = action === 'unchanged' ? [] : [{ path: file, action }]
    taken.unshift({ agent: 'claude-code', files })
  }
  const found = taken.filter(({ files }) => files.length > 0)
  out.result(options.agent === 'all' ? { agents: found, scope } : { ...taken[0]!, scope }, () =>
    found.length === 0
      ? `No hooks of ours for ${wanted.map((agent) => AGENTS[agent].label).join(', ')} (${scope}).`
      : found
          .map(({ agent, files }) => `${AGENTS[agent].label}: took our hooks out of ${files[0]!.path}.`)
          .join('\n'),
  )
}

/** Where sessions that start here would belong. */
export function featureLine({ config }: Ralph, { name, reason }: CurrentFeature): string[] {
  if (!existsSync(config.paths.database)) return []
  return [
    `Sessions here belong to the feature "${name}" (${reason}); \`ralph feature use NAME\` chooses another.`,
  ]
}

function scopeOf({ scope }: OtherFlags): ProgramScope | undefined {
  if (scope !== 'local') return scope
  throw new RalphError(
    'invalid_input',
    '--scope local is for Claude Code: other agents have no such settings',
    {
      hint: 'Use --scope project (what names paths of this machine is kept out of git) or --scope user.',
    },
  )
}

/** With `all`: those that somebody here seems to use. */
function agentsFor({ config }: Ralph, wanted: HooksOf): HookedAgent[] {
  if (wanted !== 'all') return [wanted as HookedAgent]
  return findHookedAgents({ ...config, searchPath: searchPath() })
}
