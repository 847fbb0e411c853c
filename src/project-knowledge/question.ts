import { RalphError } from '../errors.ts'
import { EARNED, LENIENT, type WordGate } from '../retrieval/fusion.ts'
import type { Meanings } from '../retrieval/meaning.ts'
import { sanitise } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import { ENTRY_CAPS } from './entry.ts'
import type { FailureQuery, TaskQuery } from './query.ts'

/** What the index is asked. */
export interface KnowledgeQuestion {
  /** Whose words are searched. */
  text: string
  /** Whose meaning is searched: the weighted mean of these. */
  meanings: Meanings
  wordGate: WordGate
}

const LONGEST = 4_000

/**
 * A task that quotes the output of a tool is asked about like the failure it is. Any other is mostly what its first
 * line, the title, says; the rest tells tasks in the same corner of a product apart.
 */
export function taskQuestion({ description }: TaskQuery): KnowledgeQuestion {
  if (TOOL_OUTPUT.test(description)) return failureQuestion({ description })
  const text = questionText(description)
  const [title = '', ...rest] = text.split('\n')
  if (rest.join('').trim() === '') return plainQuestion(text)
  const meanings = [
    { text, weight: 0.7 },
    { text: title, weight: 0.3 },
  ]
  return { text, meanings, wordGate: EARNED }
}

/**
 * A failure means what its headline says, but the code and the notes below it tell lookalikes apart; so both are
 * embedded. In a text that long few words recur, so there a word counts sooner.
 */
export function failureQuestion({ description, error }: FailureQuery): KnowledgeQuestion {
  const text = questionText([description, error].filter(Boolean).join('\n'))
  const headline = headlineOf(error || description)
  if (headline === undefined || headline === text) return plainQuestion(text)
  const meanings = [
    { text, weight: 0.4 },
    { text: headline, weight: 0.6 },
  ]
  return { text, meanings, wordGate: LENIENT }
}

function plainQuestion(text: string): KnowledgeQuestion {
  return { text, meanings: [{ text, weight: 1 }], wordGate: EARNED }
}

const TOOL_OUTPUT = /^\W{0,8}\w{0,40}(?:error|exception|panic)\b[^\n]{0,40}:/im
const MESSAGE = /\b(?:error|exception|fail(?:ed|ure)?|panic(?:ked)?|fatal|cannot|unable|undefined|denied)\b/i
const LEVEL = /^\W*(?:error|warning|fatal|panic)(?:\[[^\]]{0,40}\])?\s*:\s*/i

/** The line that says what is wrong, without its level. */
function headlineOf(output: string): string | undefined {
  const lines = sanitise(output.slice(0, 4 * LONGEST))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line))
  const message = (lines.find((line) => MESSAGE.test(line)) ?? lines[0])?.replace(LEVEL, '').trim()
  return message ? truncate(message, ENTRY_CAPS.problem) : undefined
}

function questionText(given: string): string {
  const text = truncate(sanitise(given.slice(0, 4 * LONGEST)).trim(), LONGEST)
  if (text !== '') return text
  throw new RalphError('invalid_input', 'the question is empty', {
    hint: 'Describe the task or the failure in words.',
  })
}
