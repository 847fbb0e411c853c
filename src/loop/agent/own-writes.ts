import type { KnownWrites } from '../../board/guard/attribution.ts'
import { leavesFilesAlone } from '../../shell/only-looks.ts'
import { parseShell, programOf } from '../../shell/parse-shell.ts'
import type { AgentRun, FileVersions, ToolCall } from '../../transcripts/agent-run.ts'
import { MCP_SERVER_NAME } from './command.ts'

/**
 * What a run's log says of the agent's own writes to files under `.ralph`. A write or an edit is known to the letter. A
 * shell command may have written anywhere, unless it only looks or checks; an unknown tool may have, too.
 */
export function ownWrites(run: AgentRun): (path: string) => KnownWrites {
  if (saysNothing(run) || run.toolCalls.some((call) => mayWriteAnywhere(call, run.agent)))
    return () => 'unknown'
  return (path) => {
    const name = nameOf(path)
    const touching = run.toolCalls.filter((call) => isWriteTo(call, name))
    const versions = touching.flatMap(({ rewrote }) => rewrote ?? [])
    return versions.length < touching.length ? 'unknown' : chained(versions)
  }
}

/** No call at all is telling only of a program that is known to log what it does; any other may just be silent. */
function saysNothing({ toolCalls, version, format }: AgentRun): boolean {
  return format === undefined || (toolCalls.length === 0 && version === undefined)
}

/** Each program puts the name of our server before that of a tool in its own way. */
const OUR_TOOL = new RegExp(`^(?:mcp__?)?${MCP_SERVER_NAME}[_-]`)
/** Claude Code says of a tool that it is a server's; of its own, those that write are known. */
const FOREIGN_TOOL = /^mcp__/

function mayWriteAnywhere(
  { kind, name, command = '', changes }: ToolCall,
  agent: string | undefined,
): boolean {
  if (kind === 'shell') return changes === undefined && !(leavesFilesAlone(command) || isOurs(command))
  if (kind !== 'other' || OUR_TOOL.test(name)) return false
  return agent !== 'claude-code' || FOREIGN_TOOL.test(name)
}

/** What our own command changes on the board it logs itself. */
function isOurs(command: string): boolean {
  const parts = parseShell(command)
  return parts.length === 1 && programOf(parts[0]!).name === 'ralph'
}

function isWriteTo({ kind, paths, changes, status }: ToolCall, name: string): boolean {
  if (changes?.some(({ path }) => nameOf(path) === name)) return true
  return (kind === 'write' || kind === 'edit') && status !== 'failed' && nameOf(paths[0] ?? '') === name
}

/** From the last `.ralph` on: the same file is spelled absolutely, relatively, through links. */
function nameOf(path: string): string {
  const parts = path.split(/[\\/]/)
  return parts.slice(parts.lastIndexOf('.ralph')).join('/')
}

/** Edits that follow each other with nobody in between are one. */
function chained(versions: readonly FileVersions[]): FileVersions[] {
  const found: FileVersions[] = []
  for (const { before, after } of versions) {
    const last = found.at(-1)
    if (last?.after === before) found[found.length - 1] = { before: last.before, after }
    else found.push({ before, after })
  }
  return found
}
