import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { findAgents } from '../../agent-config/found-agents.ts'
import {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  HOOK_WAYS,
  type HookScope,
  type HooksPlace,
  type HooksSetupResult,
  type HookWay,
  hooksFile,
  scopeHere,
  setUpHooks,
  uninstallHooks,
} from '../../agent-config/hooks.ts'
import { type HooksState, hooksStates } from '../../agent-config/installed.ts'
import { type CurrentFeature, currentFeature } from '../../board/current-feature.ts'
import { searchPath } from '../../config.ts'
import type { Ralph } from '../../ralph.ts'
import { readReceipts } from '../../receipts/read.ts'
import { plural } from '../../text/plural.ts'
import { AGENTS } from '../../transcripts/agents.ts'
import { parseOneOf, type Run, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import {
  AGENT_CHOICES,
  featureLine,
  type HooksOf,
  installForOthers,
  uninstallOfOthers,
} from './hooks/other-agents.ts'

interface ScopeFlags {
  scope?: HookScope
  agent: HooksOf
}

interface InstallFlags extends ScopeFlags {
  via?: HookWay
  portable?: boolean
}

const scopeText =
  'local: this working copy (Claude Code alone), project: the project, user: all your projects (default: where they are, else local; of other agents project)'
const agentText = `${AGENT_CHOICES.join(', ')} (all: those that are found here)`

export function register(hooks: Command): void {
  registerInstall(hooks)
  registerUninstall(hooks)
  registerStatus(hooks)
}

function registerInstall(hooks: Command): void {
  const install = hooks
    .command('install')
    .description("add our hooks to an agent's settings, keeping what is there")
    .option('--agent <name>', agentText, parseOneOf('--agent', AGENT_CHOICES), 'claude-code')
    .option('--scope <scope>', scopeText, parseOneOf('--scope', HOOK_SCOPES))
    .option(
      '--via <way>',
      'server: the MCP server answers, command: each starts a process (default: the server where it can)',
      parseOneOf('--via', HOOK_WAYS),
    )
    .option('--portable', 'call `ralph` from the search path, for a file that is committed')
  withExamples(install, 'ralph hooks install', 'ralph hooks install --agent codex')
  ralphCommand<InstallFlags>(install, async (run) => {
    const { ralph, options } = run
    // Worked out now, so that the very first session is told.
    const { workOutFacts } = await import('../../hooks/facts/work-out.ts')
    for (const feature of await ralph.featureMemory.features()) await workOutFacts(ralph.config, feature)
    if (options.agent === 'claude-code') return installForClaude(run)
    return installForOthers(run, await featureHere(ralph), () => claudeIfFound(ralph, options))
  })
}

/** Among all agents that are found; its scope is its own unless somebody says. */
async function claudeIfFound(ralph: Ralph, { scope, portable }: InstallFlags): Promise<HooksSetupResult[]> {
  const place = { ...places(ralph), searchPath: searchPath() }
  const found = findAgents(place).some(({ client }) => client === 'claude-code')
  return found ? [await setUpHooks({ ...place, scope, portable })] : []
}

async function installForClaude({ ralph, options, out }: Run<InstallFlags>): Promise<void> {
  const { scope, via: way, portable } = options
  const result = await setUpHooks({ ...places(ralph), scope, way, portable, searchPath: searchPath() })
  const feature = await featureHere(ralph)
  out.result({ ...result, feature }, () =>
    [
      result.action === 'unchanged'
        ? `${result.file} has them already.`
        : `Hooks are in ${result.file}. They work from the next session on; \`ralph hooks uninstall\` takes them out.`,
      wayLine(result),
      ...worktreeLine(ralph.config.project, result),
      ...featureLine(ralph, feature),
    ].join('\n'),
  )
}

function registerUninstall(hooks: Command): void {
  const uninstall = hooks
    .command('uninstall')
    .description('take our hooks out again')
    .option('--agent <name>', agentText, parseOneOf('--agent', AGENT_CHOICES), 'claude-code')
    .option('--scope <scope>', scopeText, parseOneOf('--scope', HOOK_SCOPES))
  withExamples(uninstall, 'ralph hooks uninstall --scope user')
  ralphCommand<ScopeFlags>(
    uninstall,
    async (run) => {
      const { ralph, options, out } = run
      const scope = options.scope ?? (await scopeHere(places(ralph)))
      const file = hooksFile(scope, places(ralph))
      const ofClaude = () => uninstallHooks({ ...places(ralph), file })
      if (options.agent !== 'claude-code') return uninstallOfOthers(run, ofClaude)
      const result = await ofClaude()
      out.result({ ...result, scope }, () =>
        result.action === 'unchanged' ? `No hooks of ours in ${file}.` : `Took our hooks out of ${file}.`,
      )
    },
    { forPeople: 'take hooks out' },
  )
}

/** How they are answered, and what would make them faster. */
function wayLine({ way, why, hint }: HooksSetupResult): string {
  if (way === 'server')
    return 'The MCP server of the session answers them; the start and the end of a session start a process.'
  if (why === undefined) return 'Each starts a process.'
  const then = hint === undefined ? '' : `; \`${hint}\`, then this again, lets the server answer`
  return `Each starts a process: ${why}${then}.`
}

/** Claude Code takes the settings of this working copy for its other worktrees, but not the file that names the server. */
function worktreeLine(project: string, { way, scope }: HooksSetupResult): string[] {
  const matters =
    way === 'server' &&
    scope === 'local' &&
    existsSync(join(project, '.git', 'worktrees')) &&
    existsSync(join(project, '.mcp.json'))
  return matters
    ? [
        'The other worktrees have these hooks too, and need .mcp.json: `ralph mcp config --portable --write`, then commit it.',
      ]
    : []
}

function registerStatus(hooks: Command): void {
  const status = hooks
    .command('status')
    .description('which hooks are installed, which feature a session would belong to, what was told last')
  withExamples(status, 'ralph hooks status')
  ralphCommand(status, async ({ ralph, out }) => {
    const scopes = await hooksStates({ ...ralph.config, searchPath: searchPath() })
    const feature = await featureHere(ralph)
    const { receipts } = await readReceipts(ralph.config.paths.receipts, { surface: 'hook', limit: 5 })
    out.result({ scopes, feature, receipts }, () =>
      [
        ...scopes.map((one) => scopeLine(out, one)),
        ...(scopes.every(({ events }) => events.length === 0) ? ['→ ralph hooks install'] : []),
        `Feature: ${out.style('bold', feature.name)} (${feature.reason})`,
        ...receipts.map(
          ({ timestamp, event, items, tokens, withheld }) =>
            `  ${timestamp.slice(0, 19).replace('T', ' ')}  ${event}  ${plural(items.length, 'item')}, ${plural(tokens, 'token')}${withheld ? ', withheld' : ''}`,
        ),
      ].join('\n'),
    )
  })
}

/** Which feature a session started here and now would belong to. */
async function featureHere(ralph: Ralph): Promise<CurrentFeature> {
  const { projectFactsFromBoard } = await import('../../hooks/facts/from-board.ts')
  const known = await projectFactsFromBoard(ralph.config)
  return currentFeature({
    project: ralph.config.project,
    features: [...new Set([...(await ralph.featureMemory.features()), ...known.features])],
    session: ralph.config.session.feature,
    inProgress: () => known.inProgress,
  })
}

function scopeLine(out: Output, state: HooksState): string {
  const { agent, scope, file, events, missing, problem, way, outdated } = state
  const where = agent === 'claude-code' ? scope : `${AGENTS[agent].label}, ${scope}`
  if (problem !== undefined) return `${out.style('red', '✗')} ${where}: ${problem}`
  if (events.length === 0) return out.style('dim', `- ${where}: not installed (${file})`)
  const by = way === 'server' ? ', answered by the MCP server' : ''
  const some = agent === 'claude-code' && events.length < CLAUDE_HOOKS.length
  const count = some ? `${events.length} of ${CLAUDE_HOOKS.length} installed` : 'installed'
  const well = !outdated && missing.length === 0
  const line = `${well ? out.style('green', '✓') : out.style('yellow', '!')} ${where}: ${count}${by} (${file})`
  if (well) return line
  const whose = agent === 'claude-code' ? '' : ` --agent ${agent}`
  const gone = missing.length > 0 ? `${missing.join(', ')} is gone ` : ''
  return `${line}\n  ${gone}→ ralph hooks install${whose} --scope ${scope}`
}

function places({ config: { project, home, userHome, claudeDir } }: Ralph): HooksPlace {
  return { project, home, userHome, claudeDir }
}
