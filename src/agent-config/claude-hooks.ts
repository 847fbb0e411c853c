import { join } from 'node:path'
import { isObject } from '../text/json.ts'
import type { ServerCommand } from './clients.ts'
import { EditedFile, type EditResult, withPlace } from './edited-file.ts'
import { appendTo, getIn, removeAt, setIn } from './jsonc-edit.ts'
import { portableCommandLine, ralphCommandLine } from './ralph-command.ts'

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
  { event: 'PreToolUse', matcher: 'Bash|Read|Edit|Write|MultiEdit|NotebookEdit' },
  { event: 'PostToolUseFailure', matcher: 'Bash' },
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
  /** Our own folder, where originals are kept until the edit is undone. */
  home: string
  /** `ralph` from the search path instead of paths of this machine. */
  portable?: boolean | undefined
}

/** Adds our hooks to Claude Code's settings; those of others and everything else stay as they are. */
export function installHooks({ file, home, portable }: HooksRequest): Promise<EditResult> {
  return edited(file, home).edit((text) =>
    CLAUDE_HOOKS.reduce((current, hook) => withHook(current, hook, hookEntry(hook, portable)), text),
  )
}

export function uninstallHooks({ file, home }: HooksRequest): Promise<EditResult> {
  return edited(file, home).undo(withoutHooks)
}

export interface InstalledHook {
  event: string
  command: string
}

/** Our hooks in a settings file; undefined when there is no such file. */
export async function installedHooks({ file, home }: HooksRequest): Promise<InstalledHook[] | undefined> {
  const text = await edited(file, home).read()
  if (text === undefined) return undefined
  return withPlace(file, () =>
    events(text).flatMap(({ event, groups }) =>
      groups
        .flatMap(commandsOf)
        .filter(isOurs)
        .map((command) => ({ event, command })),
    ),
  )
}

/**
 * Settings are committed, Node is updated: where our path leads nowhere, `ralph` from the search path answers, and where
 * there is none, nobody. An agent's session must not show an error for it.
 */
export function hookEntry({ event, matcher }: WantedHook, portable?: boolean): object {
  const fromPath = shellLine(portableCommandLine(['hook', event]))
  const ways = portable ? [fromPath] : [shellLine(ralphCommandLine(['hook', event])), fromPath]
  const command = [...ways.map((way) => `${way} 2>/dev/null`), 'true'].join(' || ')
  return {
    ...(matcher && { matcher }),
    hooks: [{ type: 'command', command, timeout: TIME_LIMIT_SECONDS }],
  }
}

function edited(file: string, home: string): EditedFile {
  return new EditedFile({ path: file, undoDir: join(home, 'undo') })
}

function withHook(text: string, { event }: WantedHook, entry: object): string {
  const groups = groupsOf(text, event)
  const at = groups.findIndex((group) => commandsOf(group).some(isOurs))
  if (at < 0) return appendTo(text, ['hooks', event], entry)
  if (JSON.stringify(groups[at]) === JSON.stringify(entry)) return text
  return setIn(text, ['hooks', event, at], entry)
}

/** Takes out our groups, then the lists and objects that are empty because of it. */
function withoutHooks(text: string): string {
  let current = text
  for (const { event, groups } of events(text)) {
    const ours = groups.flatMap((group, at) => (commandsOf(group).some(isOurs) ? [at] : []))
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

/** However it is spelled: `ralph hook Stop`, `"/usr/bin/node" "/x/bin/ralph.js" hook Stop || true`. */
function isOurs(command: string): boolean {
  return /(?:^|[\\/"\s])ralph(?:\.m?js|\.cmd)?["']?\s+hook\s+\w+(?:\s|$)/.test(command)
}

/** Hooks are shell commands; on Windows too they run in a POSIX shell, which takes forward slashes. */
function shellLine({ command, args }: ServerCommand): string {
  return [command, ...args]
    .map((word) => (process.platform === 'win32' ? word.replaceAll('\\', '/') : word))
    .map((word) => (/^[\w./:@%+=-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, '\\$1')}"`))
    .join(' ')
}
