import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  type HookScope,
  hooksFile,
  type InstalledHook,
  installedHooks,
  installHooks,
  uninstallHooks,
} from '../../agent-config/claude-hooks.ts'
import { type CurrentFeature, currentFeature } from '../../board/current-feature.ts'
import { searchPath } from '../../config.ts'
import { messageOf } from '../../errors.ts'
import type { Ralph } from '../../ralph.ts'
import { readReceipts } from '../../receipts/read.ts'
import { parseOneOf, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'

interface ScopeFlags {
  scope: HookScope
  portable?: boolean
}

const scopeText = 'project: shared settings, local: this working copy, user: all your projects'

export function register(hooks: Command): void {
  registerInstall(hooks)
  registerUninstall(hooks)
  registerStatus(hooks)
}

function registerInstall(hooks: Command): void {
  const install = hooks
    .command('install')
    .description("add our hooks to Claude Code's settings, keeping what is there")
    .option('--scope <scope>', scopeText, parseOneOf('--scope', HOOK_SCOPES), 'project')
    .option('--portable', 'call `ralph` from the search path, for a file that is committed')
  withExamples(install, 'ralph hooks install', 'ralph hooks install --scope user')
  ralphCommand<ScopeFlags>(install, async ({ ralph, options, out }) => {
    const { scope, portable } = options
    const file = hooksFile(scope, places(ralph))
    const shared = scope === 'project'
    const request = { ...places(ralph), file, shared, portable, searchPath: searchPath() }
    const result = await installHooks(request)
    // Worked out now, so that the very first session is told.
    const { workOutFacts } = await import('../../hooks/facts/work-out.ts')
    for (const feature of await ralph.featureMemory.features()) await workOutFacts(ralph.config, feature)
    const feature = await featureHere(ralph)
    out.result({ ...result, scope, feature }, () =>
      [
        result.action === 'unchanged'
          ? `${file} has them already.`
          : `Hooks are in ${file}. They work from the next session on; \`ralph hooks uninstall\` takes them out.`,
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
    .option('--scope <scope>', scopeText, parseOneOf('--scope', HOOK_SCOPES), 'project')
  withExamples(uninstall, 'ralph hooks uninstall --scope user')
  ralphCommand<ScopeFlags>(uninstall, async ({ ralph, options, out }) => {
    const file = hooksFile(options.scope, places(ralph))
    const result = await uninstallHooks({ ...places(ralph), file })
    out.result({ ...result, scope: options.scope }, () =>
      result.action === 'unchanged' ? `No hooks of ours in ${file}.` : `Took our hooks out of ${file}.`,
    )
  })
}

function registerStatus(hooks: Command): void {
  const status = hooks
    .command('status')
    .description('which hooks are installed, which feature a session would belong to, what was told last')
  withExamples(status, 'ralph hooks status')
  ralphCommand(status, async ({ ralph, out }) => {
    const scopes: ScopeStatus[] = []
    for (const scope of HOOK_SCOPES) scopes.push(await scopeStatus(ralph, scope))
    const feature = await featureHere(ralph)
    const { receipts } = await readReceipts(ralph.config.paths.receipts, { surface: 'hook', limit: 5 })
    out.result({ scopes, feature, receipts }, () =>
      [
        ...scopes.map((one) => scopeLine(out, one)),
        `Feature: ${out.style('bold', feature.name)} (${feature.reason})`,
        ...receipts.map(
          ({ timestamp, event, items, tokens }) =>
            `  ${timestamp.slice(0, 19).replace('T', ' ')}  ${event}  ${items.length} items, ${tokens} tokens`,
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

interface ScopeStatus {
  scope: HookScope
  file: string
  events: string[]
  /** Programs the hooks call that are not there (any more). */
  missing: string[]
  /** Why the file cannot be read. */
  problem?: string
}

async function scopeStatus(ralph: Ralph, scope: HookScope): Promise<ScopeStatus> {
  const file = hooksFile(scope, places(ralph))
  let installed: InstalledHook[] = []
  try {
    installed = (await installedHooks({ ...places(ralph), file })) ?? []
  } catch (error) {
    // One broken file should not hide what the others say.
    return { scope, file, events: [], missing: [], problem: messageOf(error) }
  }
  return {
    scope,
    file,
    events: installed.map(({ event }) => event),
    missing: [...new Set(installed.flatMap(({ files }) => files))].filter((path) => !existsSync(path)),
  }
}

function scopeLine(out: Output, { scope, file, events, missing, problem }: ScopeStatus): string {
  if (problem !== undefined) return `${out.style('red', '✗')} ${scope}: ${problem}`
  if (events.length === 0) return out.style('dim', `- ${scope}: not installed (${file})`)
  const all = events.length >= CLAUDE_HOOKS.length
  const state = all ? 'installed' : `${events.length} of ${CLAUDE_HOOKS.length} installed`
  const line = `${all && missing.length === 0 ? out.style('green', '✓') : out.style('yellow', '!')} ${scope}: ${state} (${file})`
  if (missing.length > 0)
    return `${line}\n  ${missing.join(', ')} is gone → ralph hooks install --scope ${scope}`
  return all ? line : `${line}\n  → ralph hooks install --scope ${scope}`
}

function places({ config }: Ralph): { project: string; home: string; claudeDir: string } {
  return { project: config.project, home: config.home, claudeDir: config.claudeDir }
}
