import { MANY_TERMS, queryTerms } from '../search-index/terms.ts'
import { sanitise } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import type { Meanings } from './meaning.ts'

const LONGEST_HEADLINE = 2_000
/** Of what is pasted, so much is looked through for the line that says what is wrong. */
const MOST_READ = 16_000

const TOOL_OUTPUT = /^\W{0,8}\w{0,40}(?:error|exception|panic)\b[^\n]{0,40}:/im
const MESSAGE = /\b(?:error|exception|fail(?:ed|ure)?|panic(?:ked)?|fatal|cannot|unable|undefined|denied)\b/i
const LEVEL = /^\W*(?:error|warning|fatal|panic)(?:\[[^\]]{0,40}\])?\s*:\s*/i

export function isLongQuestion(text: string): boolean {
  return queryTerms(text.slice(0, MOST_READ)).length >= MANY_TERMS
}

/**
 * What a question of any length is about. One that quotes the output of a tool is about the failure it is; any other is
 * mostly what its first line, the title, says, while the rest tells those in the same corner of a product apart.
 */
export function meaningsOf(text: string): Meanings {
  if (TOOL_OUTPUT.test(text)) return meaningsOfFailure(text)
  const [title = '', ...rest] = text.split('\n')
  if (rest.join('').trim() === '' || title.trim() === '') return [{ text, weight: 1 }]
  return [
    { text, weight: 0.7 },
    { text: title, weight: 0.3 },
  ]
}

/** A failure means what its headline says, but the code and the notes below it tell lookalikes apart; so both are embedded. */
export function meaningsOfFailure(text: string, output = text): Meanings {
  const headline = headlineOf(output)
  if (headline === undefined || headline === text) return [{ text, weight: 1 }]
  return [
    { text, weight: 0.4 },
    { text: headline, weight: 0.6 },
  ]
}

/** The line that says what is wrong, without its level. */
export function headlineOf(output: string): string | undefined {
  const lines = sanitise(output.slice(0, MOST_READ))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line))
  const message = (lines.find((line) => MESSAGE.test(line)) ?? lines[0])?.replace(LEVEL, '').trim()
  return message ? truncate(message, LONGEST_HEADLINE) : undefined
}
