import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  type HookScope,
  hooksFile,
  uninstallHooks,
} from '../../agent-config/claude-hooks.ts'
import { type HooksState, hooksState } from '../../agent-config/installed.ts'
import {
  HOOK_WAYS,
  type HooksPlace,
  type HooksSetupResult,
  type HookWay,
  scopeHere,
  setUpHooks,
} from '../../agent-config/set-up-hooks.ts'
import { type CurrentFeature, currentFeature } from '../../board/current-feature.ts'
import { searchPath } from '../../config.ts'
import type { Ralph } from '../../ralph.ts'
import { readReceipts } from '../../receipts/read.ts'
import { plural } from '../../text/plural.ts'
import { parseOneOf, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'

interface ScopeFlags {
  scope?: HookScope
}

interface InstallFlags extends ScopeFlags {
  via?: HookWay
  portable?: boolean
}

const scopeText =
  'local: this working copy, project: shared settings, user: all your projects (default: where they are, else local)'

export function register(hooks: Command): void {
  registerInstall(hooks)
  registerUninstall(hooks)
  registerStatus(hooks)
}

function registerInstall(hooks: Command): void {
  const install = hooks
    .command('install')
    .description("add our hooks to Claude Code's settings, keeping what is there")
    .option('--scope <scope>', scopeText, parseOneOf('--scope', HOOK_SCOPES))
    .option(
      '--via <way>',
      'server: the MCP server answers, command: each starts a process (default: the server where it can)',
      parseOneOf('--via', HOOK_WAYS),
    )
    .option('--portable', 'call `ralph` from the search path, for a file that is committed')
  withExamples(install, 'ralph hooks install', 'ralph hooks install --scope project --portable')
  ralphCommand<InstallFlags>(install, async ({ ralph, options, out }) => {
    const { scope, via: way, portable } = options
    const result = await setUpHooks({ ...places(ralph), scope, way, portable, searchPath: searchPath() })
    // Worked out now, so that the very first session is told.
    const { workOutFacts } = await import('../../hooks/facts/work-out.ts')
    for (const feature of await ralph.featureMemory.features()) await workOutFacts(ralph.config, feature)
    const feature = await featureHere(ralph)
    out.result({ ...result, feature }, () =>
      [
        result.action === 'unchanged'
          ? `${result.file} has them already.`
          : `Hooks are in ${result.file}. They work from the next session on; \`ralph hooks uninstall\` takes them out.`,
        wayLine(result),
        ...worktreeLine(ralph.config.project, result),
        ...(existsSync(ralph.config.paths.database)
          ? [
              `Sessions here belong to the feature "${feature.name}" (${feature.reason}); \`ralph feature use NAME\` chooses another.`,
            ]
          : []),
      ].join('\n'),
    )
  })
}

function registerUninstall(hooks: Command): void {
  const uninstall = hooks
    .command('uninstall')
    .description('take our hooks out again')
    .option('--scope <scope>', scopeText, parseOneOf('--scope', HOOK_SCOPES))
  withExamples(uninstall, 'ralph hooks uninstall --scope user')
  ralphCommand<ScopeFlags>(uninstall, async ({ ralph, options, out }) => {
    const scope = options.scope ?? (await scopeHere(places(ralph)))
    const file = hooksFile(scope, places(ralph))
    const result = await uninstallHooks({ ...places(ralph), file })
    out.result({ ...result, scope }, () =>
      result.action === 'unchanged' ? `No hooks of ours in ${file}.` : `Took our hooks out of ${file}.`,
    )
  })
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
    const scopes: HooksState[] = []
    for (const scope of HOOK_SCOPES)
      scopes.push(await hooksState({ ...places(ralph), searchPath: searchPath() }, scope))
    const feature = await featureHere(ralph)
    const { receipts } = await readReceipts(ralph.config.paths.receipts, { surface: 'hook', limit: 5 })
    out.result({ scopes, feature, receipts }, () =>
      [
        ...scopes.map((one) => scopeLine(out, one)),
        ...(scopes.every(({ events }) => events.length === 0) ? ['→ ralph hooks install'] : []),
        `Feature: ${out.style('bold', feature.name)} (${feature.reason})`,
        ...receipts.map(
          ({ timestamp, event, items, tokens }) =>
            `  ${timestamp.slice(0, 19).replace('T', ' ')}  ${event}  ${plural(items.length, 'item')}, ${plural(tokens, 'token')}`,
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

function scopeLine(
  out: Output,
  { scope, file, events, missing, problem, way, outdated }: HooksState,
): string {
  if (problem !== undefined) return `${out.style('red', '✗')} ${scope}: ${problem}`
  if (events.length === 0) return out.style('dim', `- ${scope}: not installed (${file})`)
  const all = events.length >= CLAUDE_HOOKS.length
  const by = way === 'server' ? ', answered by the MCP server' : ''
  const state = `${all ? 'installed' : `${events.length} of ${CLAUDE_HOOKS.length} installed`}${by}`
  const line = `${all && !outdated && missing.length === 0 ? out.style('green', '✓') : out.style('yellow', '!')} ${scope}: ${state} (${file})`
  if (missing.length > 0)
    return `${line}\n  ${missing.join(', ')} is gone → ralph hooks install --scope ${scope}`
  return all && !outdated ? line : `${line}\n  → ralph hooks install --scope ${scope}`
}

function places({ config: { project, home, userHome, claudeDir } }: Ralph): HooksPlace {
  return { project, home, userHome, claudeDir }
}
