import { join } from 'node:path'
import { isObject } from '../text/json.ts'
import { appendTo, getIn, removeAt, setIn } from '../text/jsonc-edit.ts'
import { EditedFile, type EditResult, withPlace } from './edited-file.ts'
import { filesOf, type HookStart, hookLine, isOurHook, nodeForHooks } from './hook-line.ts'
import { ralphProgram, runsRalph } from './ralph-command.ts'

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
}

/** Adds our hooks to Claude Code's settings; those of others and everything else stay as they are. */
export function installHooks(request: HooksInstall): Promise<EditResult> {
  const { shared = false, portable, searchPath, ...place } = request
  const start: HookStart = portable
    ? { node: 'node' }
    : { node: nodeForHooks({ searchPath, runs: runsRalph }, shared), program: ralphProgram() }
  return edited(place).edit((text) =>
    CLAUDE_HOOKS.reduce((current, hook) => withHook(current, hook, hookEntry(hook, start)), text),
  )
}

export function uninstallHooks(place: HooksRequest): Promise<EditResult> {
  return edited(place).undo(withoutHooks)
}

export interface InstalledHook {
  event: string
  command: string
  /** The files it names by their whole path. */
  files: string[]
}

/** Our hooks in a settings file; undefined when there is no such file. */
export async function installedHooks(place: HooksRequest): Promise<InstalledHook[] | undefined> {
  const text = await edited(place).read()
  if (text === undefined) return undefined
  return withPlace(place.file, () =>
    events(text).flatMap(({ event, groups }) =>
      groups
        .flatMap(commandsOf)
        .filter(isOurHook)
        .map((command) => ({ event, command, files: filesOf(command) })),
    ),
  )
}

function hookEntry({ event, matcher }: WantedHook, start: HookStart): object {
  return {
    ...(matcher && { matcher }),
    hooks: [{ type: 'command', command: hookLine(event, start), timeout: TIME_LIMIT_SECONDS }],
  }
}

function edited({ file, project, home }: HooksRequest): EditedFile {
  return new EditedFile({ path: file, project, undoDir: join(home, 'undo') })
}

function withHook(text: string, { event }: WantedHook, entry: object): string {
  const groups = groupsOf(text, event)
  const at = groups.findIndex((group) => commandsOf(group).some(isOurHook))
  if (at < 0) return appendTo(text, ['hooks', event], entry)
  if (JSON.stringify(groups[at]) === JSON.stringify(entry)) return text
  return setIn(text, ['hooks', event, at], entry)
}

/** Takes out our groups, then the lists and objects that are empty because of it. */
function withoutHooks(text: string): string {
  let current = text
  for (const { event, groups } of events(text)) {
    const ours = groups.flatMap((group, at) => (commandsOf(group).some(isOurHook) ? [at] : []))
    if (ours.length === 0) continue
    for (const at of ours.reverse()) current = removeAt(current, ['hooks', event, at])
    if (groupsOf(current, event).length === 0) current = removeAt(current, ['hooks', event])
  }
  const left = getIn(current, ['hooks'])
  const emptied = current !== text && isObject(left) && Object.keys(left).length === 0
  return emptied ? removeAt(current, ['hooks']) : current
}

function events(text: string): { event: string; groups: unknown[] }[] {
  const hooks = getIn(text, ['hooks'])
  return isObject(hooks) ? Object.keys(hooks).map((event) => ({ event, groups: groupsOf(text, event) })) : []
}

function groupsOf(text: string, event: string): unknown[] {
  const groups = getIn(text, ['hooks', event])
  return Array.isArray(groups) ? groups : []
}

function commandsOf(group: unknown): string[] {
  const hooks = isObject(group) ? group['hooks'] : undefined
  if (!Array.isArray(hooks)) return []
  return hooks.flatMap((hook) =>
    isObject(hook) && typeof hook['command'] === 'string' ? [hook['command']] : [],
  )
}
