import { shorten } from '../../../text/truncate.ts'
import type { ErrorType } from '../../record.ts'

/** One thing that went wrong, as a program's output tells it; the file is spelled as the program spells it. */
export interface Failure {
  type: ErrorType
  message: string
  file?: string | undefined
  line?: number | undefined
}

/** What a program printed, ready to be searched. */
export interface ProgramOutput {
  /** Without colours and trailing space, each at most LONGEST_LINE long. */
  lines: readonly string[]
  /** All of them together. */
  text: string
  /** The shell command that printed it, as far as known. */
  command: string
}

/** Reads one kind of output. Finds nothing in output of another kind. */
export type FailureFinder = (output: ProgramOutput) => Failure[]

/** Minified code and data on one line are nobody's message, and slow to search. */
const LONGEST_LINE = 1_000
/** A reader stops at the first sentence or two. */
const LONGEST_MESSAGE = 400

export function outputOf(text: string, command = ''): ProgramOutput {
  const lines = text
    .replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '')
    .split(/\r?\n/)
    .map((line) => line.slice(0, LONGEST_LINE).trimEnd())
  return { lines, text: lines.join('\n'), command }
}

/** Joins what belongs to one message into one line. */
export function failureMessage(...parts: readonly (string | undefined)[]): string {
  const text = parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
  return shorten(text, LONGEST_MESSAGE)
}

/** `line`: the digits that a pattern met, if it met any. */
export function failureAt(
  type: ErrorType,
  message: string | undefined,
  file: string | undefined,
  line: string | undefined,
): Failure {
  return { type, message: failureMessage(message), file, line: line ? Number(line) : undefined }
}

export interface CodePlace {
  file: string
  line: number
}

const SCRIPT_PLACE =
  /(?<![^\s()'"<>])((?:file:\/\/)?[^\s()'"<>]+\.(?:[cm]?[jt]sx?|vue|svelte|astro)):(\d+)(?::\d+)?/

/** The first place in a JavaScript stack that is neither in the runtime nor in a dependency. */
export function scriptPlace(lines: readonly string[]): CodePlace | undefined {
  for (const line of lines) {
    const match = SCRIPT_PLACE.exec(line)
    const file = match?.[1]
    if (!file || /^node:|(?:^|[\\/])node_modules[\\/]|^internal\//.test(file)) continue
    return { file, line: Number(match[2]) }
  }
  return undefined
}

export function isScriptFrame(line: string): boolean {
  return /^\s*(?:at |❯ )/.test(line)
}

/** The lines after `start` up to the first that `ends`, at most `most`. */
export function following(
  lines: readonly string[],
  start: number,
  ends: (line: string, index: number) => boolean,
  most = 60,
): string[] {
  const found: string[] = []
  for (let at = start + 1; at < lines.length && found.length < most; at++) {
    if (ends(lines[at]!, at)) break
    found.push(lines[at]!)
  }
  return found
}
