import { stripVTControlCharacters } from 'node:util'
import { isComplaint, whatSucceeds } from './shell-command.ts'

/** What a shell command came to, as far as the text about it tells. */
export interface ShellResult {
  failed: boolean
  exitCode: number | undefined
  /** It goes on, or somebody stopped it: nobody knows how it would have ended. */
  unfinished: boolean
  /** What it printed, without the program's frame around it. */
  output: string
}

/** Words of the program in place of an output that there is not, or before one that was cut short. */
const NOT_DONE =
  /^(?:Command (?:exited with code: (?!0\b)\S|terminated by signal|failed: |(?:was )?automatically cancelled\b|injection detected)|Blocked: |Path not in workspace\.)/
const UNFINISHED =
  /^(?:Command (?:moved to background|is running in background|(?:was )?cancelled\b)|Background (?:process|shell)\b.*\bstarted\b|\[Operation Cancelled\])/

/** How test runners, compilers and linters sum up when not all is well. */
const BAD_SUMMARIES = [
  /^(?:#|ℹ) (?:fail|cancelled) [1-9]/m,
  /^not ok \d+(?![^\n]*# (?:TODO|SKIP))/m,
  /^[ \t]*Tests:?[ \t]+(?:[^\n]*[ \t])?[1-9]\d* failed\b/m,
  /^=+ [^\n]*\b[1-9]\d* (?:failed|errors?)\b[^\n]* =+$/m,
  /^test result: FAILED\b|^error: could not compile\b/m,
  /^FAIL(?:\s|$)/m,
  /^Found [1-9]\d* errors?\b|\berror TS\d+:/m,
  /^✖ \d+ problems? \([1-9]\d* errors?/m,
  /^npm (?:ERR!|error) /m,
  /^make(?:\[\d+\])?: \*\*\* /m,
]
/** A last line like this is how a shell or a program says that it gave up. */
const BAD_ENDS = [
  /^(?:\S*\/)?(?:ba|z|da|k|fi)?sh: .*(?:not found|No such file or directory|Permission denied|syntax error)/,
  /^(?:fatal|error|panic)(?:\[\w+\])?: /i,
  /^[\w.]*(?:Error|Exception)(?: \[\w+\])?: /,
  /^Node\.js v\d+\.\d+\.\d+$/,
  /: command not found$|^Segmentation fault/,
]
/** Only the end of a long output is about how it ended. */
const LOOKED_AT = 20_000

/**
 * From what is shown of a command whose exit code is not told: `success` says only that it was run. One that failed in words
 * that nobody knows stays undiscovered.
 */
export function shownResult(output: string, command: string): ShellResult {
  return {
    failed: NOT_DONE.test(output) || looksFailed(stripVTControlCharacters(output.slice(-LOOKED_AT)), command),
    exitCode: codeIn(/^Command exited with code: (\d+)/.exec(output)),
    unfinished: UNFINISHED.test(output),
    output,
  }
}

function looksFailed(end: string, command: string): boolean {
  const succeeds = whatSucceeds(command)
  if (succeeds === 'always' || succeeds === 'never') return succeeds === 'never'
  const text = end.trimEnd()
  const lastLine = text.slice(text.lastIndexOf('\n') + 1).trim()
  if (isComplaint(lastLine, command)) return true
  // What is printed of a file or a log is not about this command.
  if (succeeds === 'showing') return false
  return BAD_SUMMARIES.some((bad) => bad.test(text)) || BAD_ENDS.some((bad) => bad.test(lastLine))
}

/** From what the model was told of a command: an exit code is named, by one program only where it is not zero. */
export function toldResult(text: string): ShellResult {
  const end = text.slice(-FRAME)
  const exitCode = codeIn(/^Exit Code: (-?\d+)$/m.exec(end))
  const signalled = /^Signal: (?!\(none\)$|0$)\S/m.test(end)
  return {
    failed: NOT_DONE.test(text) || signalled || (exitCode ?? 0) !== 0,
    exitCode,
    unfinished: UNFINISHED.test(text),
    output: withoutFrame(text),
  }
}

function codeIn(told: RegExpExecArray | null): number | undefined {
  return told ? Number(told[1]) : undefined
}

/** The lines of the program around an output are short, but for the command. */
const FRAME = 2_000
const FRAME_START = /^(?:Command: [\s\S]*?\nDirectory: [^\n]*\n)?Output: /
const FRAME_END =
  /(?:\n(?:Error: \(none\)|Exit Code: [^\n]*|Signal: [^\n]*|Background PIDs: [^\n]*|Process Group PGID: [^\n]*))+\s*$/

function withoutFrame(text: string): string {
  const start = FRAME_START.exec(text)
  if (!start) return text
  const framed = text.slice(start[0].length)
  const output = framed.slice(0, -FRAME) + framed.slice(-FRAME).replace(FRAME_END, '')
  return output === '(empty)' ? '' : output
}
