import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { FileChange, ToolCall, ToolKind } from '../agent-run.ts'
import { patchedFiles } from '../apply-patch.ts'
import { mcpKind, shortened, usablePaths } from '../call-details.ts'
import { type CallOutcome, settleByOutcome } from '../call-outcome.ts'
import type { CallResult } from '../events.ts'
import { excerpt } from '../excerpt.ts'
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
const MCP_FILE_TOOL = /_((?:read|read_text|write|create|edit)_file)$/
const TRUNCATED = /^\.\.\.output truncated\.\.\.\n+Full output saved to: [^\n]*\n+/
const TIMED_OUT = /terminated comm+and after exceeding timeout (\d+) ?ms/
const REJECTED =
  /^(?:Error: )?The user (?:rejected permission to use this specific tool call\.?\s*$|dismissed )/

/** What only opencode tells of a call. */
interface Outcome extends CallOutcome {
  creates?: boolean | undefined
  isFolder?: boolean
}

/** A call from its part; none while the model is still writing it. */
export function callInPart(part: JsonObject, subAgent: boolean, limits: CollectLimits): ToolCall | undefined {
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
    paths: usablePaths(targets(tool, kind, input), limits),
    command: kind === 'shell' ? shortened(asString(input['command']), limits.command) : undefined,
    // Every command begins in the folder of the run, but for one that is told where.
    ...(kind === 'shell' && { directory: asString(input['workdir']) || '.' }),
    creates: kind === 'edit' && input['oldString'] === '' ? true : undefined,
    subAgent,
    status: 'unfinished',
    output: state['status'] === 'running' && kind === 'shell' ? outputSoFar(state, limits) : '',
  }
}

/** How a call ended; undefined while it runs. */
export function resultInPart(part: JsonObject): CallResult | undefined {
  const state = asObject(part['state']) ?? {}
  if (state['status'] === 'error')
    return {
      isError: true,
      text: asString(state['error']) || 'failed without a message',
      structured: undefined,
    }
  if (state['status'] !== 'completed') return undefined
  const output = asString(state['output']) ?? ''
  const tool = asString(part['tool']) ?? ''
  if (tool === 'invalid') {
    const text = asString(asObject(state['input'])?.['error']) ?? output
    return { isError: true, text, structured: undefined }
  }
  const metadata = asObject(state['metadata'])
  if (kindOf(tool) === 'shell') return shellResult(output, metadata?.['exit'])
  const structured: Outcome = {
    changes: patchChanges(metadata),
    creates: typeof metadata?.['exists'] === 'boolean' ? !metadata['exists'] : undefined,
    isFolder: tool === 'read' && output.includes('<type>directory</type>'),
  }
  return { isError: false, text: output, structured }
}

/** A command counts as completed whatever came of it: only its exit code tells. It has none when it was stopped. */
function shellResult(output: string, exit: unknown): CallResult {
  const text = output.replace(TRUNCATED, '').replace(/^\(no output\)\s*/, '')
  const exitCode = asNumber(exit)
  const structured: Outcome = { exitCode }
  if (exitCode !== undefined || exit === undefined)
    return { isError: (exitCode ?? 0) !== 0, text, structured }
  const limit = TIMED_OUT.exec(output)?.[1]
  const how = limit === undefined ? 'The command was stopped' : `Command timed out after ${limit} ms`
  const said = text.replace(/(?<!\s)\s*<(\w+)_metadata>[\s\S]*?<\/\1_metadata>\s*$/, '')
  return { isError: true, text: `${how}\n${said}`, structured }
}

/** Nobody allowed it: opencode goes no further. */
export function isRejected({ isError, text }: CallResult): boolean {
  return isError && REJECTED.test(text)
}

/** Completes a call with its result. */
export function settlePart(call: ToolCall, result: CallResult, limits: CollectLimits): void {
  settleByOutcome(call, result, limits)
  if (call.status !== 'ok') return
  const { creates, isFolder } = (result.structured ?? {}) as Outcome
  if (call.kind === 'search') call.paths = usablePaths(foundFiles(result.text), limits)
  if (call.kind === 'write') call.creates = creates
  if (isFolder) call.paths = []
}

function kindOf(tool: string): ToolKind {
  return KINDS[tool] ?? mcpKind(MCP_FILE_TOOL.exec(tool)?.[1])
}

function targets(tool: string, kind: ToolKind, input: JsonObject): (string | undefined)[] {
  if (kind !== 'read' && kind !== 'write' && kind !== 'edit') return []
  const patch = asString(input['patchText'])
  if (patch !== undefined) return patchedFiles(patch).map(({ path }) => path)
  return [asString(input[Object.hasOwn(KINDS, tool) ? 'filePath' : 'path'])]
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
