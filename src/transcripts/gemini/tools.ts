import { pathFrom } from '../../files/project-path.ts'
import { asArray, asObject, asString, type JsonObject, objects, strings } from '../../text/json.ts'
import type { FileVersions, ToolCall, ToolKind } from '../agent-run.ts'
import { isOwnFile, LONGEST_OWN_FILE, mcpKind, shortened, usablePaths } from '../call-details.ts'
import { type CallOutcome, settleByOutcome } from '../call-outcome.ts'
import type { CallResult } from '../events.ts'
import type { CollectLimits } from '../limits.ts'

/** What the tools of Gemini CLI and of Qwen Code do, older names included. Those that only list names do none of it. */
const KINDS = new Map<string, ToolKind>([
  ['read_file', 'read'],
  ['read_many_files', 'read'],
  ['write_file', 'write'],
  ['replace', 'edit'],
  ['edit', 'edit'],
  ['notebook_edit', 'edit'],
  ['grep_search', 'search'],
  ['search_file_content', 'search'],
  ['run_shell_command', 'shell'],
])

/** One says `mcp_server_tool`, the other `mcp__server__tool`; the names of tools have underscores of their own. */
const MCP_TOOL = /^mcp__?.+?_((?:read|write|create|edit)_(?:text_)?file)$/

export function describeGeminiCall(
  id: string,
  name: string,
  input: JsonObject,
  subAgent: boolean,
  limits: CollectLimits,
): ToolCall {
  const called = asString(input['name'])
  // A tool that was deferred is called through another one.
  if (name === 'tool_call' && called !== undefined)
    return describeGeminiCall(id, called, asObject(input['arguments']) ?? {}, subAgent, limits)
  const kind = KINDS.get(name) ?? mcpKind(MCP_TOOL.exec(name)?.[1])
  return {
    id,
    name,
    kind,
    paths: usablePaths(kind === 'search' ? [] : namedPaths(input), limits),
    command: kind === 'shell' ? shortened(asString(input['command']), limits.command) : undefined,
    ...(kind === 'shell' && { directory: commandFolder(input) }),
    creates: kind === 'edit' ? input['old_string'] === '' : undefined,
    subAgent,
    status: 'unfinished',
    output: '',
  }
}

/** What a call looks for or is to do, where neither a file nor a command says it. */
export function aboutCall(input: JsonObject): string | undefined {
  return asString(input['query']) ?? asString(input['pattern']) ?? asString(input['description'])
}

/** Every command begins in the folder of the run, but for one that is told where. */
function commandFolder(input: JsonObject): string {
  return asString(input['dir_path']) || asString(input['directory']) || '.'
}

function namedPaths(input: JsonObject): string[] {
  const one =
    asString(input['file_path']) ??
    asString(input['absolute_path']) ??
    asString(input['notebook_path']) ??
    asString(input['path'])
  const several = [...strings(input['include']), ...strings(input['paths'])]
  // A pattern names no file.
  return one === undefined ? several.filter((path) => !/[*?{[]/.test(path)) : [one]
}

/** What the decoders of both programs make of their account of a result. */
interface ResultDetails extends CallOutcome {
  /** The program's account for the screen: the versions of a changed file, the matches of a search. */
  display?: JsonObject | undefined
}

/** Completes a call with its result. */
export function settleGeminiCall(call: ToolCall, result: CallResult, limits: CollectLimits): void {
  settleByOutcome(call, result, limits)
  if (call.status !== 'ok') return
  const { text } = result
  const { display } = (asObject(result.structured) ?? {}) as ResultDetails
  if (call.kind === 'write' || call.kind === 'edit') {
    call.creates = toldCreation(text, display) ?? call.creates
    if (isOwnFile(call.paths[0])) call.rewrote = versionsOf(display)
  }
  if (call.kind === 'search') call.paths = usablePaths(foundFiles(text, display), limits)
}

function toldCreation(text: string, display: JsonObject | undefined): boolean | undefined {
  const told = display?.['isNewFile']
  if (typeof told === 'boolean') return told
  if (display && 'originalContent' in display && display['originalContent'] === null) return true
  if (/^Success\w* created\b|^Created new file\b/.test(text)) return true
  return /^Successfully (?:overwrote|modified)\b/.test(text) ? false : undefined
}

function versionsOf(display: JsonObject | undefined): FileVersions | undefined {
  const after = asString(display?.['newContent'])
  const before =
    asString(display?.['originalContent']) ?? (display?.['originalContent'] === null ? '' : undefined)
  if (before === undefined || after === undefined || before.length > LONGEST_OWN_FILE) return undefined
  return { before, after }
}

function foundFiles(text: string, display: JsonObject | undefined): string[] {
  const matched = objects(asArray(display?.['matches'])).map((match) => asString(match['absolutePath']))
  const known = matched.filter((path) => path !== undefined)
  return [...new Set(known.length > 0 ? known : listedFiles(text))]
}

/** Names as seen from the folder that was searched, which the first line tells. */
function listedFiles(text: string): string[] {
  const folder = / in path "([^"\n]+)"/.exec(text.split('\n', 1)[0]!)?.[1]
  const names = [...text.matchAll(/^File: (.+)$/gm)].map(([, name]) => name!)
  return names.map((name) => (folder === undefined ? name : pathFrom(folder, name)))
}
