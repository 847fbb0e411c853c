import { join } from 'node:path'
import { asArray, isObject, type JsonObject, objects, strings } from '../text/json.ts'
import { appendTo, getIn, removeAt, setIn } from '../text/jsonc-edit.ts'
import { EditedFile, type EditResult, withPlace } from './edited-file.ts'
import { filesOf, type HookStart, hookLine, isOurHook, nodeForHooks } from './hook-line.ts'
import type { HookServer } from './hook-server.ts'
import { SERVER_NAME } from './mcp-config.ts'
import { ralphProgram, runsRalph } from './ralph-command.ts'
import { canBeServed, HOOK_TOOL, servedHook } from './served-hook.ts'

export const HOOK_SCOPES = ['project', 'local', 'user'] as const
/** `project`: shared with everybody, committed. `local`: this working copy. `user`: all projects of the user. */
export type HookScope = (typeof HOOK_SCOPES)[number]

interface WantedHook {
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
      (current, hook) => withHook(current, hook, hookEntry(hook, start, server?.name)),
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
    events(text).flatMap(({ event, groups }) => groups.flatMap(oursIn).map((hook) => ({ event, ...hook }))),
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
  return new EditedFile({ path: file, project, undoDir: join(home, 'undo') })
}

function withHook(text: string, { event }: WantedHook, entry: object): string {
  const groups = groupsOf(text, event)
  const at = groups.findIndex((group) => oursIn(group).length > 0)
  if (at < 0) return appendTo(text, ['hooks', event], entry)
  if (JSON.stringify(groups[at]) === JSON.stringify(entry)) return text
  return setIn(text, ['hooks', event, at], entry)
}

/** Takes out our groups, then the lists and objects that are empty because of it. */
function withoutHooks(text: string, original: string | undefined): string {
  let current = text
  let approved: string | undefined
  for (const { event, groups } of events(text)) {
    const ours = groups.flatMap((group, at) => (oursIn(group).length > 0 ? [at] : []))
    if (ours.length === 0) continue
    approved ??= groups.flatMap(oursIn).find(({ server }) => server !== undefined)?.server
    for (const at of ours.reverse()) current = removeAt(current, ['hooks', event, at])
    if (groupsOf(current, event).length === 0) current = removeAt(current, ['hooks', event])
  }
  const left = getIn(current, ['hooks'])
  const emptied = current !== text && isObject(left) && Object.keys(left).length === 0
  current = emptied ? removeAt(current, ['hooks']) : current
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

function events(text: string): { event: string; groups: unknown[] }[] {
  const hooks = getIn(text, ['hooks'])
  return isObject(hooks) ? Object.keys(hooks).map((event) => ({ event, groups: groupsOf(text, event) })) : []
}

function groupsOf(text: string, event: string): unknown[] {
  const groups = getIn(text, ['hooks', event])
  return Array.isArray(groups) ? groups : []
}

/** Our hooks of a group, whichever way they are answered. */
function oursIn(group: unknown): OurHook[] {
  const hooks = isObject(group) ? group['hooks'] : undefined
  return objects(asArray(hooks))
    .map(ourHook)
    .filter((hook) => hook !== undefined)
}

function ourHook({ type, command, server, tool }: JsonObject): OurHook | undefined {
  if (typeof command === 'string' && isOurHook(command)) return { command, files: filesOf(command) }
  if (type === 'mcp_tool' && tool === HOOK_TOOL && server === SERVER_NAME) return { server, files: [] }
  return undefined
}
