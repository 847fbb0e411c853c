import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { FileChange, ToolCall, ToolKind } from '../agent-run.ts'
import { patchedFiles } from '../apply-patch.ts'
import type { CallResult } from '../events.ts'
import { detached, excerpt } from '../excerpt.ts'
import type { CollectLimits } from '../limits.ts'

/** What opencode's tools do, also those of older versions. Glob and list only give names. */
const KINDS: Record<string, ToolKind> = {
  bash: 'shell',
  shell: 'shell',
  read: 'read',
  write: 'write',
  edit: 'edit',
  multiedit: 'edit',
  patch: 'edit',
  apply_patch: 'edit',
  grep: 'search',
}

/** File tools of MCP servers, which opencode calls `<server>_<tool>`. */
const MCP_KINDS: readonly (readonly [RegExp, ToolKind])[] = [
  [/_read_(?:text_)?file$/, 'read'],
  [/_(?:write|create)_file$/, 'write'],
  [/_edit_file$/, 'edit'],
]

/** More in one patch is a rewrite of everything. */
const MOST_CHANGES = 200
const TRUNCATED = /^\.\.\.output truncated\.\.\.\n+Full output saved to: [^\n]*\n+/
const TIMED_OUT = /terminated comm+and after exceeding timeout (\d+) ?ms/
const REJECTED = /^(?:Error: )?The user (?:rejected permission to use this specific tool call\.?\s*$|dismissed )/

/** A call from its part; none while the model is still writing it. */
export function describeCall(part: JsonObject, subAgent: boolean, limits: CollectLimits): ToolCall | undefined {
  const state = asObject(part['state']) ?? {}
  const id = asString(part['callID'])
  const tool = asString(part['tool'])
  if (!id || !tool || state['status'] === 'pending') return undefined
  const input = asObject(state['input']) ?? {}
  const kind = kindOf(tool)
  return {
    id,
    // What the model called is not there; opencode says so by a tool of that name.
    name: tool === 'invalid' ? (asString(input['tool']) ?? tool) : tool,
    kind,
    paths: usable(targets(kind, input), limits),
    command: kind === 'shell' ? shortened(asString(input['command']), limits.command) : undefined,
    creates: kind === 'edit' && input['oldString'] === '' ? true : undefined,
    subAgent,
    status: 'unfinished',
    output: state['status'] === 'running' && kind === 'shell' ? outputSoFar(state, limits) : '',
  }
}

/** How a call ended; undefined while it runs. */
export function resultOfCall(part: JsonObject): CallResult | undefined {
  const state = asObject(part['state']) ?? {}
  const structured = asObject(state['metadata'])
  const input = asObject(state['input'])
  if (state['status'] === 'error')
    return { isError: true, text: asString(state['error']) ?? 'failed without a message', structured }
  if (state['status'] !== 'completed') return undefined
  const output = asString(state['output']) ?? ''
  const tool = asString(part['tool']) ?? ''
  if (tool === 'invalid') return { isError: true, text: asString(input?.['error']) ?? output, structured }
  return kindOf(tool) === 'shell' ? shellResult(output, structured) : { isError: false, text: output, structured }
}

/** A command counts as completed whatever came of it: only its exit code tells. It has none when it was stopped. */
function shellResult(output: string, structured: JsonObject | undefined): CallResult {
  const exit = structured?.['exit']
  const text = output.replace(TRUNCATED, '').replace(/^\(no output\)\s*/, '')
  if (exit === 0 || exit === undefined) return { isError: false, text, structured }
  const limit = TIMED_OUT.exec(output)?.[1]
  const how =
    typeof exit === 'number'
      ? `Exit code ${exit}`
      : limit === undefined
        ? 'The command was stopped'
        : `Command timed out after ${limit} ms`
  const said = text.replace(/\s*<(\w+)_metadata>[\s\S]*?<\/\1_metadata>\s*$/, '')
  return { isError: true, text: `${how}\n${said}`, structured }
}

/** Nobody allowed it: opencode goes no further. */
export function isRejected({ isError, text }: CallResult): boolean {
  return isError && REJECTED.test(text)
}

/** Completes a call with its result. */
export function settleCall(call: ToolCall, { isError, text, structured }: CallResult, limits: CollectLimits): void {
  call.status = isError ? 'failed' : 'ok'
  if (call.kind === 'shell') call.output = excerpt(text, limits.shellOutput)
  else if (isError) call.output = excerpt(text, limits.failureOutput)
  if (isError) return
  const metadata = asObject(structured)
  if (call.kind === 'search') call.paths = usable(foundFiles(text), limits)
  if (call.kind === 'write' && typeof metadata?.['exists'] === 'boolean') call.creates = !metadata['exists']
  const changes = patchChanges(metadata)
  if (changes.length > 0 && call.kind === 'edit') {
    call.changes = changes.filter(({ path }) => path.length <= limits.path).slice(0, MOST_CHANGES)
    call.paths = []
  }
}

function kindOf(tool: string): ToolKind {
  return KINDS[tool] ?? MCP_KINDS.find(([pattern]) => pattern.test(tool))?.[1] ?? 'other'
}

function targets(kind: ToolKind, input: JsonObject): (string | undefined)[] {
  if (kind !== 'read' && kind !== 'write' && kind !== 'edit') return []
  const patch = asString(input['patchText'])
  if (patch !== undefined) return patchedFiles(patch).map(({ path }) => path)
  return [asString(input['filePath']) ?? asString(input['file_path']) ?? asString(input['path'])]
}

function outputSoFar(state: JsonObject, limits: CollectLimits): string {
  return excerpt(asString(asObject(state['metadata'])?.['output']) ?? '', limits.shellOutput)
}

/** What a patch did, as opencode saw it. */
function patchChanges(metadata: JsonObject | undefined): FileChange[] {
  return objects(asArray(metadata?.['files'])).flatMap((file): FileChange[] => {
    const path = asString(file['filePath'])
    if (path === undefined) return []
    const moved = asString(file['movePath'])
    if (moved !== undefined && moved !== path)
      return [
        { path, action: 'deleted' },
        { path: moved, action: 'created' },
      ]
    const action = file['type'] === 'add' ? 'created' : file['type'] === 'delete' ? 'deleted' : 'modified'
    return [{ path, action }]
  })
}

/** A file stands on a line of its own before its matches. */
function foundFiles(text: string): string[] {
  const found = new Set<string>()
  for (const line of text.split('\n', 2_000)) {
    const path = /^(\S[^\n]*):\s*$/.exec(line)?.[1]
    if (path !== undefined && /[./\\]/.test(path)) found.add(path)
  }
  return [...found]
}

function shortened(text: string | undefined, most: number): string | undefined {
  return text !== undefined && text.length > most ? detached(text.slice(0, most)) : text
}

function usable(paths: readonly (string | undefined)[], limits: CollectLimits): string[] {
  if (paths.length > limits.pathsPerSearch) return []
  return paths.filter((path) => path !== undefined && path !== '' && path.length <= limits.path) as string[]
}
