import { asObject, asString, type JsonObject, parseObject, strings } from '../../text/json.ts'
import type { FileChange, ToolCall, ToolKind } from '../agent-run.ts'
import { patchedFiles } from '../apply-patch.ts'
import { mcpKind, shortened, usablePaths } from '../call-details.ts'
import type { AgentEvent } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { scriptOfWords } from './command-line.ts'

/** Whose calls they are. */
export interface CallFrame {
  subAgent: boolean
  limits: CollectLimits
}

export type CallEvent = AgentEvent & { kind: 'call' }

const SHELL_TOOLS = new Set(['exec_command', 'shell', 'shell_command', 'local_shell', 'container.exec'])
/** They look into what runs already, or keep a plan: nothing is done by them. */
const IDLE_TOOLS = new Set(['write_stdin', 'update_plan', 'wait', 'get_context_remaining'])
const FILE_TOOLS = new Map<string, ToolKind>([
  ['read_file', 'read'],
  ['view_image', 'read'],
  ['grep_files', 'search'],
])

/** A call as the model made it; undefined for what does nothing. `input` is JSON, or the text of a tool that takes plain text. */
export function modelCall(id: string, name: string, input: string, frame: CallFrame): CallEvent | undefined {
  if (IDLE_TOOLS.has(name)) return undefined
  const patch = patchIn(name, input)
  if (patch !== undefined) return changeCall(id, patchedFiles(patch), frame)
  const args = parseObject(input) ?? {}
  if (SHELL_TOOLS.has(name)) return shellCall(id, scriptIn(args), asString(args['workdir']), frame)
  return toolCall(id, name, args, frame)
}

/** The patch in a call, where it is one: models call the patch tool in the shell too, and the program takes it over. */
export function patchIn(name: string, input: string): string | undefined {
  const args = parseObject(input) ?? {}
  if (name === 'apply_patch') return asString(args['input']) ?? asString(args['patch']) ?? input
  const script = SHELL_TOOLS.has(name) ? scriptIn(args) : ''
  return /^\s*(?:cd \S+ (?:&&|;) )?apply_?patch\b/.test(script) ? script : undefined
}

function scriptIn(args: JsonObject): string {
  return asString(args['cmd']) ?? asString(args['command']) ?? scriptOfWords(strings(args['command']))
}

export function shellCall(
  id: string,
  command: string,
  directory: string | undefined,
  frame: CallFrame,
): CallEvent {
  const told = { command: shortened(command, frame.limits.command), directory: directory || '.' }
  // Every command gets a shell of its own.
  return callOf(id, 'exec_command', 'shell', frame, told)
}

export function changeCall(id: string, changes: readonly FileChange[], frame: CallFrame): CallEvent {
  const paths = changes.slice(0, frame.limits.pathsPerSearch).map(({ path }) => path)
  return callOf(id, 'apply_patch', 'edit', frame, { paths: usablePaths(paths, frame.limits) })
}

export function toolCall(id: string, name: string, args: JsonObject, frame: CallFrame): CallEvent {
  const kind = FILE_TOOLS.get(name) ?? mcpKind(/^mcp__.+__(.+)$/.exec(name)?.[1])
  const namesFile = kind !== 'other' && kind !== 'search'
  const path = namesFile ? (asString(args['file_path']) ?? asString(args['path'])) : undefined
  const about = ['query', 'pattern', 'message', 'prompt'].map((key) => asString(args[key])).find(Boolean)
  return { ...callOf(id, name, kind, frame, { paths: usablePaths([path], frame.limits) }), about }
}

function callOf(
  id: string,
  name: string,
  kind: ToolKind,
  { subAgent }: CallFrame,
  told: Partial<ToolCall>,
): CallEvent {
  const call: ToolCall = {
    id,
    name,
    kind,
    paths: [],
    command: undefined,
    creates: undefined,
    subAgent,
    status: 'unfinished',
    output: '',
    ...told,
  }
  return { kind: 'call', call }
}

/** The files of a change: a list in the stream, by their paths in a rollout, where alone a move names the new place. */
export function fileChanges(changes: unknown): FileChange[] {
  if (Array.isArray(changes))
    return changes.flatMap((change) => {
      const { path, kind } = asObject(change) ?? {}
      return changeOf(asString(path), asString(kind) ?? asString(asObject(kind)?.['type']), undefined)
    })
  return Object.entries(asObject(changes) ?? {}).flatMap(([path, value]) => {
    const change = asObject(value) ?? {}
    // Older versions write the kind as the only key.
    const kind = asString(change['type']) ?? Object.keys(change)[0]
    const details = asObject(change[kind ?? '']) ?? change
    return changeOf(path, kind, asString(details['move_path']))
  })
}

function changeOf(
  path: string | undefined,
  kind: string | undefined,
  movedTo: string | undefined,
): FileChange[] {
  if (path === undefined) return []
  if (kind === 'add') return [{ path, action: 'created' }]
  if (kind === 'delete') return [{ path, action: 'deleted' }]
  if (movedTo === undefined || movedTo === path) return [{ path, action: 'modified' }]
  return [
    { path, action: 'deleted' },
    { path: movedTo, action: 'created' },
  ]
}
