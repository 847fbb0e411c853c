import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { FileChange, ToolCall, ToolKind } from '../agent-run.ts'
import { patchedFiles } from '../apply-patch.ts'
import { mcpKind, shortened, usablePaths } from '../call-details.ts'
import { type CallOutcome, settleByOutcome } from '../call-outcome.ts'
import type { CallResult } from '../events.ts'
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

const SHELL_END =
  /(?<!\s)\s*<(?:detached command with )?shellId: [^\n>]+ completed with exit code (-?\d+)>\s*$/
const STILL_RUNS =
  /<command (?:started in (?:detached )?background with shellId: |with shellId: )([^\s>]+)(?:>| is still running)/
const TOO_LARGE = /^Output too large to read at once/
const HOOK_WORDS =
  /(?<!\n)\n*Tool "[^"\n]+" (?:succeeded|failed)\. Additional guidance from \w+ hooks:\n[\s\S]*$/

/** What only Copilot tells of a call. */
export interface CompletedOutcome extends CallOutcome {
  /** The shell in which it goes on. */
  background?: string | undefined
  isFile?: boolean
}

export function startedCall(
  data: JsonObject,
  subAgent: boolean,
  limits: CollectLimits,
): ToolCall | undefined {
  const id = asString(data['toolCallId'])
  const name = asString(data['toolName'])
  if (!id || !name) return undefined
  const mcpTool = asString(data['mcpToolName'])
  const kind = mcpTool === undefined ? (KINDS[name] ?? 'other') : mcpKind(mcpTool)
  const input = asObject(data['arguments']) ?? {}
  return {
    id,
    name,
    kind,
    paths: usablePaths(targets(kind, data['arguments']), limits),
    command: kind === 'shell' ? shortened(asString(input['command']), limits.command) : undefined,
    // Every command gets a shell of its own, but for one that names another's.
    ...(kind === 'shell' && input['shellId'] === undefined && { directory: '.' }),
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
export function completedCall(data: JsonObject, printed: string): CallResult {
  const result = asObject(data['result'])
  const content = (asString(result?.['content']) ?? '').replace(HOOK_WORDS, '')
  const error = asObject(data['error'])
  const end = SHELL_END.exec(content)
  const exitCode =
    asNumber(asObject(data['shellExecution'])?.['exitCode']) ?? (end ? Number(end[1]) : undefined)
  const background = exitCode === undefined ? STILL_RUNS.exec(content)?.[1] : undefined
  const structured: CompletedOutcome = {
    exitCode,
    background,
    unfinished: background !== undefined,
    changes: editsIn(data['fileEdits']),
    isFile: asString(result?.['detailedContent'])?.includes('diff --git ') === true,
  }
  if (data['success'] === false) return { isError: true, text: failureText(error, content), structured }
  const told = content.replace(SHELL_END, '')
  const text = TOO_LARGE.test(told) && printed.length > 0 ? printed : told
  // A command that failed was executed successfully.
  return { isError: (exitCode ?? 0) !== 0, text, structured }
}

function failureText(error: JsonObject | undefined, content: string): string {
  const words = asString(error?.['message']) || content || 'failed without a message'
  const isRefused = error?.['code'] === 'denied' && !words.startsWith('The user rejected')
  return isRefused ? `This tool call was blocked: ${words}` : words
}

/** Completes a call with its result. */
export function settleCompleted(call: ToolCall, result: CallResult, limits: CollectLimits): void {
  settleByOutcome(call, result, limits)
  const { changes = [], isFile } = (result.structured ?? {}) as CompletedOutcome
  // Of a patch that did not fit, what came before may have been written.
  if (call.status === 'failed' && changes.length > 0) call.changes = changes
  if (call.status !== 'ok') return
  if (call.kind === 'write' && changes.length > 0) call.creates = changes[0]!.action === 'created'
  if (call.kind === 'search') call.paths = usablePaths(filesInMatches(result.text), limits)
  // A folder can be viewed too.
  if (call.name === 'view' && !isFile && !/\.\w+$/.test(call.paths[0] ?? '')) call.paths = []
}

function editsIn(fileEdits: unknown): FileChange[] {
  return objects(asArray(fileEdits)).flatMap(({ path, kind }): FileChange[] => {
    const action = kind === 'create' ? 'created' : kind === 'delete' ? 'deleted' : 'modified'
    return typeof path === 'string' ? [{ path, action }] : []
  })
}
