import { asArray, asObject, asString, type JsonObject, objects, strings } from '../../text/json.ts'
import type { FileChange, FileVersions, ToolCall, ToolKind } from '../agent-run.ts'
import { isOwnFile, LONGEST_OWN_FILE, mcpKind, shortened, usablePaths } from '../call-details.ts'
import type { CallResult } from '../events.ts'
import { excerpt } from '../excerpt.ts'
import { filesInMatches } from '../found-files.ts'
import type { CollectLimits } from '../limits.ts'

/** What Claude Code's tools do. Names of older versions stay: old transcripts are still read. Glob only lists names. */
const KINDS: Record<string, ToolKind> = {
  Read: 'read',
  NotebookRead: 'read',
  Write: 'write',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Grep: 'search',
  Bash: 'shell',
  PowerShell: 'shell',
  BashOutput: 'shell',
  TaskOutput: 'shell',
  Monitor: 'shell',
}

/** More in one command is a checkout or a build. */
const MOST_CHANGES = 200

export function describeCall(
  id: string,
  name: string,
  input: JsonObject,
  subAgent: boolean,
  limits: CollectLimits,
): ToolCall {
  const kind = KINDS[name] ?? mcpKind(/^mcp__.+__(.+)$/.exec(name)?.[1])
  const path = asString(input['file_path']) ?? asString(input['notebook_path']) ?? asString(input['path'])
  const oldString = input['old_string'] ?? asObject(asArray(input['edits'])[0])?.['old_string']
  return {
    id,
    name,
    kind,
    // A search usually names the directory it looked in; the files it found come with its result.
    paths: kind === 'search' && !/[^/\\.]\.\w{1,8}$/.test(path ?? '') ? [] : usablePaths([path], limits),
    command: shortened(asString(input['command']), limits.command),
    creates: kind === 'edit' ? oldString === '' : undefined,
    subAgent,
    status: 'unfinished',
    output: '',
  }
}

/** Completes a call with its result. */
export function settleCall(call: ToolCall, result: CallResult, limits: CollectLimits): void {
  const structured = asObject(result.structured)
  const failed = result.isError || structured?.['interrupted'] === true
  const background = asString(structured?.['backgroundTaskId']) !== undefined
  call.status = failed ? 'failed' : background ? 'unfinished' : 'ok'
  if (call.kind === 'shell') call.output = excerpt(shellText(result.text, structured), limits.shellOutput)
  else if (failed) call.output = excerpt(result.text, limits.failureOutput)
  if (call.kind === 'shell') call.changes = shellChanges(structured, limits)
  if (failed) return
  if (call.kind === 'write' || call.kind === 'edit') {
    call.creates = toldCreation(result.text, structured) ?? call.creates
    if (isOwnFile(call.paths[0])) call.rewrote = versionsOf(structured)
  }
  if (call.kind === 'search') {
    const nothing = /^No (?:files|matches) found/.test(result.text)
    call.paths = nothing
      ? []
      : usablePaths([...new Set([...call.paths, ...foundFiles(result.text, structured)])], limits)
  }
}

function versionsOf(structured: JsonObject | undefined): FileVersions | undefined {
  const before = structured?.['type'] === 'create' ? '' : asString(structured?.['originalFile'])
  const from = asString(structured?.['oldString'])
  const to = asString(structured?.['newString']) ?? ''
  if (before === undefined || before.length > LONGEST_OWN_FILE) return undefined
  if (from === undefined) {
    const after = asString(structured?.['content'])
    return after === undefined ? undefined : { before, after }
  }
  // The program also finds text whose quotes are written in another way: then only it knows what it replaced.
  if (!before.includes(from)) return undefined
  const after =
    structured?.['replaceAll'] === true ? before.replaceAll(from, () => to) : before.replace(from, () => to)
  return { before, after }
}

/** What the program saw a command change, by looking at the working tree before and after. */
function shellChanges(structured: JsonObject | undefined, limits: CollectLimits): FileChange[] | undefined {
  const diff = asObject(structured?.['bashEditDiff'])
  if (!diff) return undefined
  const changes = new Map<string, FileChange>()
  for (const path of strings(diff['changedFiles'])) changes.set(path, { path, action: 'modified' })
  for (const file of objects(asArray(diff['files']))) {
    const path = asString(file['filePath'])
    if (path === undefined) continue
    const action = file['created'] === true ? 'created' : file['deleted'] === true ? 'deleted' : 'modified'
    changes.set(path, { path, action })
  }
  return [...changes.values()].filter(({ path }) => path.length <= limits.path).slice(0, MOST_CHANGES)
}

/** The message shows only a preview of a long output; the structured result holds more of it. */
function shellText(text: string, structured: JsonObject | undefined): string {
  const streams = [asString(structured?.['stdout']), asString(structured?.['stderr'])]
    .filter(Boolean)
    .join('\n')
  return streams.length > text.length ? streams : text
}

/** Inside sub-agents and in old versions only the sentence tells whether the file is new. */
function toldCreation(text: string, structured: JsonObject | undefined): boolean | undefined {
  switch (structured?.['type']) {
    case 'create':
      return true
    case 'update':
      return false
  }
  if (structured && 'originalFile' in structured && 'oldString' in structured) {
    return !structured['originalFile'] && structured['oldString'] === ''
  }
  if (text.startsWith('File created successfully')) return true
  // "has been updated" is also said of a file that an edit with an empty old text created.
  return undefined
}

function foundFiles(text: string, structured: JsonObject | undefined): string[] {
  const listed = strings(structured?.['filenames'])
  if (listed.length > 0) return listed
  const content = asString(structured?.['content']) ?? text
  return filesInMatches(content)
}
