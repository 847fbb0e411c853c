import { join } from 'node:path'
import { isAbsolutePath } from '../files/project-path.ts'
import { isObject } from '../text/json.ts'
import { appendTo, getIn, removeAt, setIn } from '../text/jsonc-edit.ts'
import type { ServerCommand } from './clients.ts'
import { EditedFile, type EditResult, withPlace } from './edited-file.ts'
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
  /** `ralph` from the search path instead of paths of this machine. */
  portable?: boolean | undefined
}

/** Adds our hooks to Claude Code's settings; those of others and everything else stay as they are. */
export function installHooks({ portable, ...place }: HooksRequest): Promise<EditResult> {
  return edited(place).edit((text) =>
    CLAUDE_HOOKS.reduce((current, hook) => withHook(current, hook, hookEntry(hook, portable)), text),
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
        .filter(isOurs)
        .map((command) => ({ event, command, files: wordsOf(command).filter(isAbsolutePath) })),
    ),
  )
}

export function hookEntry({ event, matcher }: WantedHook, portable?: boolean): object {
  const words = ['hook', event]
  const command = hookCommand(portable ? undefined : ralphCommandLine(words), portableCommandLine(words))
  return {
    ...(matcher && { matcher }),
    hooks: [{ type: 'command', command, timeout: TIME_LIMIT_SECONDS }],
  }
}

/**
 * Settings are committed, Node is updated: where our path leads nowhere, `ralph` from the search path answers, and where
 * there is none, nobody. An agent's session must not show an error for it. On Windows the shell may be PowerShell: there
 * it is one plain call, which says nothing of its own trouble.
 */
export function hookCommand(
  own: ServerCommand | undefined,
  fromPath: ServerCommand,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'win32') return windowsLine(own ?? fromPath)
  const ways = own ? [own, fromPath] : [fromPath]
  return [...ways.map((way) => `${shellLine(way)} 2>/dev/null`), 'true'].join(' || ')
}

function edited({ file, project, home }: HooksRequest): EditedFile {
  return new EditedFile({ path: file, project, undoDir: join(home, 'undo') })
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

/** Read alike by Git Bash, PowerShell and cmd: forward slashes, and no quotes around the program (to PowerShell that is text). */
function windowsLine({ command, args }: ServerCommand): string {
  const [program, ...words] = [command, ...args].map((word) => word.replaceAll('\\', '/'))
  return shellLine({ command: isBare(program!) ? program! : 'node', args: words })
}

function shellLine({ command, args }: ServerCommand): string {
  return [command, ...args]
    .map((word) => (isBare(word) ? word : `"${word.replace(/(["\\$`])/g, '\\$1')}"`))
    .join(' ')
}

function isBare(word: string): boolean {
  return /^[\w./:@%+=-]+$/.test(word)
}

/** The words of such a line, without their quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, bare]) => bare ?? quoted!.replace(/\\(["\\$`])/g, '$1'),
  )
}
