import { join } from 'node:path'
import { RalphError } from '../errors.ts'
import { isObject, type JsonObject } from '../text/json.ts'
import { getIn, setIn } from '../text/jsonc-edit.ts'
import { AGENTS } from '../transcripts/agents.ts'
import { EditedFile, type EditResult, withPlace } from './edited-file.ts'
import { eventsIn, hooksOf, withEntry, withoutEntries } from './hook-groups.ts'
import { filesOf, hookLine, isNewestHookLine, isOurHook, nodeForHooks } from './hook-line.ts'
import {
  PROGRAM_SCOPES,
  type ProgramPlaces,
  type ProgramScope,
  type ScriptHooks,
  type SettingsHooks,
} from './programs/hook-program.ts'
import { HOOK_PROGRAMS, HOOKED_AGENTS, type HookedAgent } from './programs/programs.ts'
import { SCRIPT_MARK } from './programs/scripts.ts'
import { ralphProgram, runsRalph } from './ralph-command.ts'

export { HOOKED_AGENTS, type HookedAgent, PROGRAM_SCOPES, type ProgramScope }

/** The hooks of one program, in one place. */
export interface AgentHooksPlace extends ProgramPlaces {
  agent: HookedAgent
  scope: ProgramScope
  /** Our own folder, where originals are kept until the edit is undone. */
  home: string
}

export interface AgentHooksInstall extends AgentHooksPlace {
  /** No path of this machine: for a file that is committed. */
  portable: boolean
  /** Where whoever installs them has programs looked for. */
  searchPath: string | undefined
}

export interface AgentHooksResult extends EditResult {
  agent: HookedAgent
  scope: ProgramScope
  portable: boolean
  /** What is left for the person to do. */
  remains?: string
}

export function agentHooksFile({ agent, scope, ...places }: AgentHooksPlace): string {
  return HOOK_PROGRAMS[agent].file(scope, places)
}

/** Adds our hooks to the program's own file, in its own form; everything else in it stays. */
export async function installAgentHooks(request: AgentHooksInstall): Promise<AgentHooksResult> {
  const { agent, scope, portable } = request
  const { hooks, remains } = HOOK_PROGRAMS[agent]
  const result = await edited(request).edit((text) =>
    hooks.kind === 'script' ? withScript(text, hooks, request) : withHooks(text, hooks, request),
  )
  const left = remains(scope, request)
  return { ...result, agent, scope, portable, ...(left !== undefined && { remains: left }) }
}

export function uninstallAgentHooks(place: AgentHooksPlace): Promise<EditResult> {
  const { hooks } = HOOK_PROGRAMS[place.agent]
  return edited(place).undo((text) =>
    hooks.kind === 'script' ? (isOurScript(text) ? '' : text) : withoutHooks(text, hooks),
  )
}

/** What of ours is in a program's file. */
export interface AgentHooksFound {
  events: string[]
  /** The files it names by their whole path. */
  files: string[]
  /** All of them, as this version writes them. */
  newest: boolean
}

/** Undefined where there are none. */
export async function foundAgentHooks(place: AgentHooksPlace): Promise<AgentHooksFound | undefined> {
  const { hooks } = HOOK_PROGRAMS[place.agent]
  const file = agentHooksFile(place)
  const text = await edited(place).read()
  if (text === undefined) return undefined
  if (hooks.kind === 'script') return isOurScript(text) ? foundScript(text, hooks) : undefined
  return withPlace(file, () => foundSettings(text, hooks))
}

function edited(place: AgentHooksPlace): EditedFile {
  const { project, home } = place
  return new EditedFile({ path: agentHooksFile(place), project, undoDir: join(home, 'undo'), part: 'hooks' })
}

function withHooks(
  text: string,
  { events, entry, beside = {} }: SettingsHooks,
  request: AgentHooksInstall,
): string {
  const { agent, portable, searchPath, scope } = request
  const start = portable
    ? { node: 'node', agent }
    : {
        node: nodeForHooks({ searchPath, runs: runsRalph }, scope === 'project'),
        program: ralphProgram(),
        agent,
      }
  const begun =
    text.trim() === ''
      ? Object.entries(beside).reduce((now, [key, value]) => setIn(now, [key], value), text)
      : text
  return events.reduce(
    (now, hook) => withEntry(now, hook.event, entry(hook, hookLine(hook.event, start)), isOurEntry),
    begun,
  )
}

/** A file with nothing but what it needs in any case is as good as none. */
function withoutHooks(text: string, { beside = {} }: SettingsHooks): string {
  const left = withoutEntries(text, isOurEntry)
  const needed = Object.keys(beside)
  const root = left === text || needed.length === 0 ? undefined : getIn(left, [])
  return isObject(root) && Object.keys(root).every((key) => needed.includes(key)) ? '' : left
}

function foundSettings(text: string, { events }: SettingsHooks): AgentHooksFound | undefined {
  const ours = eventsIn(text).flatMap(({ event, entries }) =>
    entries
      .flatMap(commandsOf)
      .filter(isOurHook)
      .map((command) => ({ event, command })),
  )
  if (ours.length === 0) return undefined
  const found = [...new Set(ours.map(({ event }) => event))]
  return {
    events: found,
    files: ours.flatMap(({ command }) => filesOf(command)),
    newest:
      events.every(({ event }) => found.includes(event)) &&
      ours.every(({ command }) => isNewestHookLine(command)),
  }
}

function isOurEntry(entry: unknown): boolean {
  return commandsOf(entry).some(isOurHook)
}

/** Of a group of hooks, or of a hook that stands for itself. */
function commandsOf(entry: unknown): string[] {
  const hooks: JsonObject[] = isObject(entry) ? [entry, ...hooksOf(entry)] : []
  return [...new Set(hooks.flatMap(({ command, bash, powershell }) => [command, bash, powershell]))].filter(
    (command) => typeof command === 'string',
  )
}

function withScript(text: string, { text: written }: ScriptHooks, request: AgentHooksInstall): string {
  if (text.trim() !== '' && !isOurScript(text)) {
    throw new RalphError('conflict', `the file is there, and is none of ours`, {
      hint: `Move it elsewhere: hooks of ${AGENTS[request.agent].label} are a file of their own.`,
    })
  }
  const words = request.portable
    ? []
    : [nodeForHooks({ searchPath: request.searchPath, runs: runsRalph }, false), ralphProgram()]
  return written({ words })
}

const START_LINE = /^const START = (\[.*\])$/m

function foundScript(text: string, { text: written }: ScriptHooks): AgentHooksFound {
  const words = wordsIn(text)
  return { events: ['all'], files: words, newest: text === written({ words }) }
}

function wordsIn(script: string): string[] {
  try {
    const words: unknown = JSON.parse(START_LINE.exec(script)?.[1] ?? '[]')
    return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : []
  } catch {
    return [] // edited by hand
  }
}

function isOurScript(text: string): boolean {
  return text.startsWith(`// ${SCRIPT_MARK}`)
}
