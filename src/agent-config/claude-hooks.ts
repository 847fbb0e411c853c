import { join } from 'node:path'
import { type JsonObject, strings } from '../text/json.ts'
import { appendTo, getIn, removeAt } from '../text/jsonc-edit.ts'
import { EditedFile, type EditResult, withPlace } from './edited-file.ts'
import { eventsIn, hooksOf, withEntry, withoutEntries } from './hook-groups.ts'
import { filesOf, type HookStart, hookLine, isOurHook, nodeForHooks } from './hook-line.ts'
import type { HookServer } from './hook-server.ts'
import { SERVER_NAME } from './mcp-config.ts'
import { ralphProgram, runsRalph } from './ralph-command.ts'
import { canBeServed, HOOK_TOOL, servedHook } from './served-hook.ts'

export const HOOK_SCOPES = ['project', 'local', 'user'] as const
/** `project`: shared with everybody, committed. `local`: this working copy. `user`: all projects of the user. */
export type HookScope = (typeof HOOK_SCOPES)[number]

export interface WantedHook {
  event: string
  /** Only these tools: every other call would start a process for nothing. */
  matcher?: string
}

/** What we listen to. Our own watchdog is far quicker than the time limit we ask for. */
export const CLAUDE_HOOKS: readonly WantedHook[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse', matcher: 'Bash|PowerShell|Read|Edit|Write|MultiEdit|NotebookEdit' },
  { event: 'PostToolUseFailure', matcher: 'Bash|PowerShell' },
  { event: 'PreCompact' },
  { event: 'Stop' },
  { event: 'SessionEnd' },
]
const TIME_LIMIT_SECONDS = 10

export interface HookPlaces {
  project: string
  /** Claude Code's own folder, mostly `~/.claude`. */
  claudeDir: string
}

export function hooksFile(scope: HookScope, { project, claudeDir }: HookPlaces): string {
  if (scope === 'user') return join(claudeDir, 'settings.json')
  return join(project, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json')
}

export interface HooksRequest {
  file: string
  project: string
  /** Our own folder, where originals are kept until the edit is undone. */
  home: string
}

export interface HooksInstall extends HooksRequest {
  /** Others use the file too. */
  shared?: boolean | undefined
  /** `ralph` from the search path instead of paths of this machine. */
  portable?: boolean | undefined
  /** Where whoever installs them has programs looked for. */
  searchPath?: string | undefined
  /** Answers those hooks that it can; the others start a process. */
  server?: HookServer | undefined
}

/** Adds our hooks to Claude Code's settings; those of others and everything else stay as they are. */
export function installHooks(request: HooksInstall): Promise<EditResult> {
  const { shared = false, portable, searchPath, server, ...place } = request
  const start: HookStart = portable
    ? { node: 'node' }
    : { node: nodeForHooks({ searchPath, runs: runsRalph }, shared), program: ralphProgram() }
  return edited(place).edit((text) =>
    CLAUDE_HOOKS.reduce(
      (current, hook) => withEntry(current, hook.event, hookEntry(hook, start, server?.name), isOurs),
      server?.approve ? withApproval(text, server.name) : text,
    ),
  )
}

export function uninstallHooks(place: HooksRequest): Promise<EditResult> {
  return edited(place).undo(withoutHooks)
}

export interface InstalledHook {
  event: string
  /** Of a hook that starts a process. */
  command?: string
  /** Of one that this MCP server answers. */
  server?: string
  /** The files it names by their whole path. */
  files: string[]
}

type OurHook = Omit<InstalledHook, 'event'>

/** Our hooks in a settings file; undefined when there is no such file. */
export async function installedHooks(place: HooksRequest): Promise<InstalledHook[] | undefined> {
  const text = await edited(place).read()
  if (text === undefined) return undefined
  return withPlace(place.file, () =>
    eventsIn(text).flatMap(({ event, entries }) =>
      entries.flatMap(oursIn).map((hook) => ({ event, ...hook })),
    ),
  )
}

function hookEntry({ event, matcher }: WantedHook, start: HookStart, server?: string): object {
  const hook =
    server !== undefined && canBeServed(event)
      ? servedHook(event, server)
      : { type: 'command', command: hookLine(event, start) }
  return { ...(matcher && { matcher }), hooks: [{ ...hook, timeout: TIME_LIMIT_SECONDS }] }
}

function edited({ file, project, home }: HooksRequest): EditedFile {
  return new EditedFile({ path: file, project, undoDir: join(home, 'undo'), part: 'hooks' })
}

/** Takes out our groups, and the approval that came with them. */
function withoutHooks(text: string, original: string | undefined): string {
  const current = withoutEntries(text, isOurs)
  const approved = eventsIn(text)
    .flatMap(({ entries }) => entries.flatMap(oursIn))
    .find(({ server }) => server !== undefined)?.server
  // Unless the user had allowed the server before.
  return approved === undefined || isApproved(original ?? '', approved)
    ? current
    : withoutApproval(current, approved)
}

const APPROVED = 'enabledMcpjsonServers'

/** Without it Claude Code asks for each server of a project's file, and hooks of one that it does not start are errors. */
function withApproval(text: string, server: string): string {
  const all = getIn(text, ['enableAllProjectMcpServers']) === true
  return all || isApproved(text, server) ? text : appendTo(text, [APPROVED], server)
}

function withoutApproval(text: string, server: string): string {
  const at = strings(getIn(text, [APPROVED])).indexOf(server)
  if (at < 0) return text
  const current = removeAt(text, [APPROVED, at])
  return strings(getIn(current, [APPROVED])).length === 0 ? removeAt(current, [APPROVED]) : current
}

function isApproved(text: string, server: string): boolean {
  return strings(getIn(text, [APPROVED])).includes(server)
}

/** Our hooks of a group, whichever way they are answered. */
function oursIn(group: unknown): OurHook[] {
  return hooksOf(group)
    .map(ourHook)
    .filter((hook) => hook !== undefined)
}

function isOurs(group: unknown): boolean {
  return oursIn(group).length > 0
}

function ourHook({ type, command, server, tool }: JsonObject): OurHook | undefined {
  if (typeof command === 'string' && isOurHook(command)) return { command, files: filesOf(command) }
  if (type === 'mcp_tool' && tool === HOOK_TOOL && server === SERVER_NAME) return { server, files: [] }
  return undefined
}
