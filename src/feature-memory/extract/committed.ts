import { parseShell, programOf, type SimpleCommand, type Word } from '../../shell/parse-shell.ts'
import type { AgentRun, ToolCall } from '../../transcripts/agent-run.ts'
import { MOST_COMMITTED, RECORD_CAPS } from '../record.ts'

/** Where a commit or a pull request begins in a command line. */
const BEGINS = /\bgit\b[^\n|;&]*?\bcommit\b|\bgh[ \t]+pr[ \t]+create\b/g
const HERE_DOCUMENT = /<<-?[ \t]*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)\n[ \t]*\2[ \t]*(?=\n|\)|$)/
const GIT_MESSAGE = /^(?:-[a-zA-Z]*m|--message)$/
const GH_MESSAGE = /^(?:-[tb]|--title|--body)$/
const JOINED_MESSAGE = /^--(?:message|title|body)=([\s\S]*)$/
/** What git prints of a commit that it made: "[main 1a2b3c4] Add the form". */
const MADE_COMMIT = /^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] (.+)$/gm
/** Who wrote it, by which program: nothing to find it by. */
const TRAILER = /^(?:[ \t]*[A-Z]\w*(?:-\w+)+:[ \t].*|.*\bGenerated with\b.*)$/gm

/** What a run committed and proposed, in the words of its messages: each once, in their order. */
export function extractCommitted({ toolCalls }: AgentRun): string[] {
  const messages: string[] = []
  for (const message of toolCalls.flatMap(messagesOf).map(tidied)) {
    // Git repeats the subject of what was just given in full.
    if (message !== '' && !messages.some((known) => `${known}\n`.startsWith(`${message}\n`)))
      messages.push(message)
  }
  return messages.slice(0, MOST_COMMITTED)
}

function messagesOf({ kind, status, command, output }: ToolCall): string[] {
  if (kind !== 'shell' || command === undefined || command.search(BEGINS) === -1) return []
  const given = parseShell(command).flatMap((part) => givenTo(part) ?? [])
  if (given.length === 0) return []
  // What failed may have failed later than the commit, which git then has told.
  const made = [...output.matchAll(MADE_COMMIT)].map(([, subject]) => subject!)
  return status === 'ok' ? [...given, ...documentsIn(command), ...made] : made
}

/** The shell's reader leaves out what a here-document holds, which is where long messages stand. */
function documentsIn(command: string): string[] {
  const starts = [...command.matchAll(BEGINS)].map(({ index }) => index)
  return starts.flatMap(
    (start, at) => HERE_DOCUMENT.exec(command.slice(start, starts[at + 1]))?.slice(3) ?? [],
  )
}

/** Message, title and body as they are given on the command line; undefined where nothing is committed. */
function givenTo(part: SimpleCommand): string | undefined {
  const { name, args } = programOf(part)
  const isCommit = name === 'git' && verbOf(args) === 'commit'
  const isProposal = name === 'gh' && args[0]?.text === 'pr' && args[1]?.text === 'create'
  if (!isCommit && !isProposal) return undefined
  const flag = isCommit ? GIT_MESSAGE : GH_MESSAGE
  const given = args.flatMap(({ text }, at) => {
    const joined = JOINED_MESSAGE.exec(text)?.[1]
    return joined ?? (flag.test(text) ? (args[at + 1]?.text ?? []) : [])
  })
  return given.join('\n\n')
}

/** What git is to do, behind options that it has before that. */
function verbOf(args: readonly Word[]): string | undefined {
  return args.find(({ text }, at) => !text.startsWith('-') && !/^-[Cc]$/.test(args[at - 1]?.text ?? ''))?.text
}

function tidied(message: string): string {
  return message
    .replace(TRAILER, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .slice(0, RECORD_CAPS.committed)
    .toWellFormed()
}
