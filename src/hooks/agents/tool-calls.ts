import { asObject, asString, type JsonObject, parseObject } from '../../text/json.ts'

/** What Claude Code calls a tool that does the same. */
export type ClaudeTool = 'Bash' | 'Read' | 'Edit' | 'Write'

/** Where programs name the file that a tool works on. */
const PATH_ARGUMENTS = ['file_path', 'filePath', 'absolute_path', 'path', 'notebook_path']
const COMMAND_ARGUMENTS = ['command', 'cmd']
/** More files than these are not worth looking at within the time of a hook. */
const MOST_FILES = 100
const LONGEST_PATCH = 400_000

export interface TranslatedCall {
  tool_name: ClaudeTool
  tool_input: JsonObject
}

/** A call of a program's tool in Claude Code's words; undefined for a tool that says nothing to us. */
export function translateCall(
  tools: Readonly<Record<string, ClaudeTool>>,
  name: unknown,
  given: unknown,
): TranslatedCall | undefined {
  const tool = typeof name === 'string' && Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return undefined
  // Some hand the arguments over as the text that the model wrote.
  const input = asObject(given) ?? parseObject(asString(given) ?? '') ?? {}
  if (tool === 'Bash') {
    const command = firstText(input, COMMAND_ARGUMENTS)
    return command === undefined ? undefined : { tool_name: tool, tool_input: { command } }
  }
  const named = firstText(input, PATH_ARGUMENTS)
  const files = named === undefined ? patchedFiles(patchIn(given, input)) : [named]
  return files.length === 0 ? undefined : { tool_name: tool, tool_input: { file_paths: files } }
}

function patchIn(given: unknown, input: JsonObject): string {
  return asString(given) ?? firstText(input, ['input', 'patch', 'patchText', 'command']) ?? ''
}

/** The files that a patch in the form of `apply_patch` names. */
function patchedFiles(patch: string): string[] {
  const names = patch
    .slice(0, LONGEST_PATCH)
    .matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,4096}?)\r?$/gm)
  return [...new Set([...names].map(([, path]) => path!.trim()))].slice(0, MOST_FILES)
}

function firstText(input: JsonObject, names: readonly string[]): string | undefined {
  return names.map((name) => asString(input[name])).find((value) => value !== undefined && value !== '')
}
