import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { FileChange, ToolCall, ToolKind } from '../agent-run.ts'
import { patchedFiles } from '../apply-patch.ts'
import type { CallResult } from '../events.ts'
import { detached, excerpt } from '../excerpt.ts'
import { filesInMatches } from '../found-files.ts'
import type { CollectLimits } from '../limits.ts'

/** What Copilot's tools do; which of them a model gets depends on the model. Glob only gives names. */
const KINDS: Record<string, ToolKind> = {
  bash: 'shell',
  powershell: 'shell',
  local_shell: 'shell',
  shell: 'shell',
  read_bash: 'shell',
  write_bash: 'shell',
  read_powershell: 'shell',
  write_powershell: 'shell',
  view: 'read',
  create: 'write',
  edit: 'edit',
  str_replace: 'edit',
  insert: 'edit',
  apply_patch: 'edit',
  grep: 'search',
  rg: 'search',
}

/** File tools of MCP servers. */
const MCP_KINDS: Record<string, ToolKind> = {
  read_file: 'read',
  read_text_file: 'read',
  write_file: 'write',
  create_file: 'write',
  edit_file: 'edit',
}

const SHELL_END = /\s*<(?:detached command with )?shellId: [^\n>]+ completed with exit code (-?\d+)>\s*$/
const STILL_RUNS =
  /<command (?:started in (?:detached )?background with shellId: |with shellId: )([^\s>]+)(?:>| is still running)/
const TOO_LARGE = /^Output too large to read at once/
const HOOK_WORDS = /\n*Tool "[^"\n]+" (?:succeeded|failed)\. Additional guidance from \w+ hooks:\n[\s\S]*$/
const MOST_CHANGES = 200

export function describeCall(data: JsonObject, subAgent: boolean, limits: CollectLimits): ToolCall | undefined {
  const id = asString(data['toolCallId'])
  const name = asString(data['toolName'])
  if (!id || !name) return undefined
  const mcpTool = asString(data['mcpToolName'])
  const kind = (mcpTool === undefined ? KINDS[name] : MCP_KINDS[mcpTool]) ?? 'other'
  const input = asObject(data['arguments']) ?? {}
  const command = kind === 'shell' ? asString(input['command']) : undefined
  return {
    id,
    name,
    kind,
    paths: usable(targets(kind, data['arguments']), limits),
    command:
      command !== undefined && command.length > limits.command
        ? detached(command.slice(0, limits.command))
        : command,
    creates: undefined,
    subAgent,
    status: 'unfinished',
    output: '',
  }
}

function targets(kind: ToolKind, input: unknown): (string | undefined)[] {
  if (kind !== 'read' && kind !== 'write' && kind !== 'edit') return []
  const fields = asObject(input)
  // A patch comes as bare text.
  const patch = asString(input) ?? asString(fields?.['input']) ?? asString(fields?.['patch'])
  return patch === undefined ? [asString(fields?.['path'])] : patchedFiles(patch).map(({ path }) => path)
}

/** `printed`: what a command was heard to print, which may be more than its result repeats. */
export function resultOfCall(data: JsonObject, printed: string): CallResult {
  const result = asObject(data['result'])
  const content = (asString(result?.['content']) ?? '').replace(HOOK_WORDS, '')
  const error = asObject(data['error'])
  const end = SHELL_END.exec(content)
  const exitCode =
    asNumber(asObject(data['shellExecution'])?.['exitCode']) ?? (end ? Number(end[1]) : undefined)
  const structured = {
    exitCode,
    background: exitCode === undefined ? STILL_RUNS.exec(content)?.[1] : undefined,
    fileEdits: data['fileEdits'],
    isFile: asString(result?.['detailedContent'])?.includes('diff --git ') === true,
  }
  if (data['success'] === false) return { isError: true, text: failureText(error, content), structured }
  const told = content.replace(SHELL_END, '')
  const text = TOO_LARGE.test(told) && printed.length > 0 ? printed : told
  // A command that failed was executed successfully.
  const failed = exitCode !== undefined && exitCode !== 0
  return { isError: failed, text: failed ? `Exit code ${exitCode}\n${text}` : text, structured }
}

function failureText(error: JsonObject | undefined, content: string): string {
  const words = asString(error?.['message']) || content || 'failed without a message'
  return error?.['code'] === 'denied' && !/^permission/i.test(words) ? `Permission denied: ${words}` : words
}

/** Completes a call with its result. */
export function settleCall(call: ToolCall, { isError, text, structured }: CallResult, limits: CollectLimits): void {
  const facts = asObject(structured)
  call.status = isError ? 'failed' : facts?.['background'] === undefined ? 'ok' : 'unfinished'
  if (call.kind === 'shell') call.output = excerpt(text, limits.shellOutput)
  else if (isError) call.output = excerpt(text, limits.failureOutput)
  // Of a patch that did not fit, what came before may have been written.
  settleEdits(call, editsIn(facts, limits))
  if (isError) return
  if (call.kind === 'search') call.paths = usable(filesInMatches(text), limits)
  // A folder can be viewed too.
  if (call.name === 'view' && facts?.['isFile'] !== true && !/\.\w+$/.test(call.paths[0] ?? '')) call.paths = []
}

function settleEdits(call: ToolCall, edits: readonly FileChange[]): void {
  const [only] = edits
  if (only === undefined) return
  if (edits.length === 1 && only.path === call.paths[0] && only.action !== 'deleted' && call.status === 'ok') {
    call.creates = only.action === 'created'
    return
  }
  call.changes = [...edits]
  call.paths = []
}

function editsIn(facts: JsonObject | undefined, limits: CollectLimits): FileChange[] {
  const edits = objects(asArray(facts?.['fileEdits'])).flatMap(({ path, kind }): FileChange[] => {
    if (typeof path !== 'string' || path.length > limits.path) return []
    return [{ path, action: kind === 'create' ? 'created' : kind === 'delete' ? 'deleted' : 'modified' }]
  })
  return edits.slice(0, MOST_CHANGES)
}

function usable(paths: readonly (string | undefined)[], limits: CollectLimits): string[] {
  if (paths.length > limits.pathsPerSearch) return []
  return paths.filter((path) => path !== undefined && path !== '' && path.length <= limits.path) as string[]
}
