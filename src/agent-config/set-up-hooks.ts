import { RalphError } from '../errors.ts'
import {
  type HookScope,
  hooksFile,
  type InstalledHook,
  installedHooks,
  installHooks,
} from './claude-hooks.ts'
import { claudeVersion } from './claude-version.ts'
import type { EditResult } from './edited-file.ts'
import { type HookServerFound, serverForHooks } from './hook-server.ts'

/** `server`: the MCP server of the session answers. `command`: each hook starts a process. */
export const HOOK_WAYS = ['server', 'command'] as const
export type HookWay = (typeof HOOK_WAYS)[number]

export interface HooksPlace {
  project: string
  /** Our own folder. */
  home: string
  userHome: string
  claudeDir: string
}

export interface HooksSetup extends HooksPlace {
  searchPath: string | undefined
  /** Where they are already, else `local`; portable ones are meant for the shared file. */
  scope?: HookScope | undefined
  /** The server, where one is certain to be there. */
  way?: HookWay | undefined
  portable?: boolean | undefined
  /** Others use the file, though it is the one for this working copy. */
  shared?: boolean | undefined
  /** For tests: none is started. */
  claudeVersion?: () => string | undefined
}

export interface HooksSetupResult extends EditResult {
  scope: HookScope
  way: HookWay
  /** Why a process is started for each, where nobody asked for that. */
  why?: string
  hint?: string
}

/** Installs our hooks so that they are answered as fast as it goes here. */
export async function setUpHooks(setup: HooksSetup): Promise<HooksSetupResult> {
  const { searchPath, portable, shared, ...place } = setup
  const scope = setup.scope ?? (portable ? 'project' : await scopeHere(place))
  const found = setup.way === 'command' ? undefined : wayFor(setup, scope)
  const server = found && 'server' in found ? found.server : undefined
  const result = await installHooks({
    project: place.project,
    home: place.home,
    file: hooksFile(scope, place),
    shared: shared || scope === 'project',
    portable,
    searchPath,
    server,
  })
  const reason = found && 'why' in found ? found : {}
  return { ...result, scope, way: server ? 'server' : 'command', ...reason }
}

/** The scope in which a project has our hooks already; those of its own count, the user's are for all projects. */
export async function scopeHere(place: HooksPlace): Promise<HookScope> {
  for (const scope of ['local', 'project'] as const)
    if ((await hooksIn(scope, place)).length > 0) return scope
  return 'local'
}

/** How hooks of ours are answered here; undefined where there are none. */
export async function wayHere(place: HooksPlace): Promise<HookWay | undefined> {
  const hooks = [
    ...(await hooksIn('local', place)),
    ...(await hooksIn('project', place)),
    ...(await hooksIn('user', place)),
  ]
  if (hooks.length === 0) return undefined
  return hooks.some(({ server }) => server !== undefined) ? 'server' : 'command'
}

/** A file that cannot be read has none of ours; whoever then writes into it is told. */
async function hooksIn(scope: HookScope, place: HooksPlace): Promise<InstalledHook[]> {
  return (await installedHooks({ ...place, file: hooksFile(scope, place) }).catch(() => [])) ?? []
}

function wayFor(setup: HooksSetup, scope: HookScope): HookServerFound {
  const search = { ...setup, claudeVersion: setup.claudeVersion ?? claudeVersion }
  const asked = setup.way === 'server'
  const shared = setup.shared || scope === 'project'
  // Whoever asks for it in a file that others use knows that they have what it takes.
  const found = serverForHooks({ ...search, scope: !shared ? scope : asked ? 'local' : 'project' })
  if (asked && 'why' in found) {
    throw new RalphError('invalid_input', `the MCP server cannot answer hooks: ${found.why}`, {
      hint: found.hint ?? 'Without --via each hook starts a process, which works everywhere.',
    })
  }
  return found
}
