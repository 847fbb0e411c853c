import { parseShell, programOf, type SimpleCommand } from '../../shell/parse-shell.ts'
import type { AgentRun, ToolCall } from '../../transcripts/agent-run.ts'

/** Where memory lies: journals, learnings (with their feature), receipts, what earlier runs were told and said. Not the run's own prompt. */
const PLACE = String.raw`(?:db[\\/](?:memory\b|features\.yaml)|receipts\b|learnings\b|ralph\.db|cache\b(?![\\/]loop[\\/]work))`
const MEMORY_FILE = new RegExp(String.raw`(?:^|[\\/])\.ralph[\\/]${PLACE}`)
/** The same in a command, where the folder may have been entered before. */
const NAMED = new RegExp(String.raw`\.ralph[\\/]${PLACE}`)
const FOLDER = /\.ralph\b/
const NAMED_INSIDE = /\b(?:memory[\\/]|features\.yaml|receipts[\\/])/
/** What it printed was found in such a file, or is how one has changed: `path:line`, `+++ b/path`. */
const PRINTED = new RegExp(
  String.raw`^(?:\+\+\+ b[\\/]\.ralph[\\/]${PLACE}|(?:\S*[\\/])?\.ralph[\\/]${PLACE}[^\s:]*:\S)`,
  'm',
)
/** They name files without showing what is in them. Our own command says nothing in such a run. */
const ONLY_NAMING =
  /^(?:ls|find|fd|tree|stat|du|cd|pwd|mkdir|rm|mv|cp|touch|chmod|test|\[|echo|printf|ralph)$/
const GIT_NAMING = /^(?:add|commit|status|rm|mv|check-ignore|ls-files|restore|checkout|stash)$/

/**
 * How often a run read files of memory by itself, as far as its transcript shows. Nobody can keep it from that, so it is counted: such a run
 * was drawn to go without memory, and got some.
 */
export function lookedUp({ toolCalls }: Pick<AgentRun, 'toolCalls'>): number {
  return toolCalls.filter(reads).length
}

function reads({ kind, paths, command = '', directory = '', status, output }: ToolCall): boolean {
  if (kind === 'shell') return PRINTED.test(output) || (names(`${directory}/ ${command}`) && mayShow(command))
  if (status === 'failed' || kind === 'write' || kind === 'other') return false
  return paths.some((path) => MEMORY_FILE.test(path))
}

function names(command: string): boolean {
  if (NAMED.test(command)) return true
  const entered = command.search(FOLDER)
  return entered >= 0 && NAMED_INSIDE.test(command.slice(entered))
}

/** What is too involved to be read as a command may well show something. */
const INVOLVED = /`|\$\(|(?:^|[\s;&|(])(?:for|while|until|if|case)\s/

function mayShow(command: string): boolean {
  return INVOLVED.test(command) || parseShell(command).some(shows)
}

function shows(part: SimpleCommand): boolean {
  const { name, args } = programOf(part)
  return name === 'git' ? !GIT_NAMING.test(args[0]?.text ?? '') : !ONLY_NAMING.test(name)
}
