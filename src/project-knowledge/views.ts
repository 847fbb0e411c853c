import { RalphError } from '../errors.ts'
import { EARNED, type Hit, LENIENT, type WordGate } from '../search-index/fusion.ts'
import { sanitise } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import { CAPS } from './entry.ts'
import type { FailureQuery, TaskQuery } from './query.ts'

const LONGEST_QUESTION = 4_000

/** One way of putting the question. Several are weighed together. */
export interface View {
  text: string
  weight: number
  wordGate: WordGate
}

export function taskViews({ description }: TaskQuery): View[] {
  return [{ text: questionOf(description), weight: 1, wordGate: EARNED }]
}

/**
 * A failure is asked about as a whole and by its headline: the message decides what it is, but the code and the notes
 * below it tell lookalikes apart. In a long text few words recur, so there a word counts sooner.
 */
export function failureViews({ description, error }: FailureQuery): View[] {
  const whole = questionOf([description, error].filter(Boolean).join('\n'))
  const headline = headlineOf(error || description)
  if (headline === undefined || headline === whole) return [{ text: whole, weight: 1, wordGate: EARNED }]
  return [
    { text: whole, weight: 0.6, wordGate: LENIENT },
    { text: headline, weight: 0.4, wordGate: EARNED },
  ]
}

const MESSAGE = /\b(?:error|exception|fail(?:ed|ure)?|panic(?:ked)?|fatal|cannot|unable|undefined|denied)\b/i
const LEVEL = /^\W*(?:error|warning|fatal|panic)(?:\[[^\]]{0,40}\])?\s*:\s*/i

/** The line that says what is wrong, without its level. */
function headlineOf(output: string): string | undefined {
  const lines = sanitise(output.slice(0, 4 * LONGEST_QUESTION))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line))
  const message = (lines.find((line) => MESSAGE.test(line)) ?? lines[0])?.replace(LEVEL, '').trim()
  return message ? truncate(message, CAPS.problem) : undefined
}

/** Every document by the weighted mean of its scores; a view that does not know it counts as 0. */
export function combine(results: readonly { weight: number; hits: readonly Hit[] }[]): Hit[] {
  const combined = new Map<string, Hit>()
  for (const { weight, hits } of results) {
    for (const hit of hits) {
      const known = combined.get(hit.id)
      const score = (known?.score ?? 0) + weight * hit.score
      const matched = [...new Set([...(known?.matched ?? []), ...hit.matched])]
      combined.set(hit.id, { ...hit, score, matched })
    }
  }
  return [...combined.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

function questionOf(text: string): string {
  const question = truncate(sanitise(text.slice(0, 4 * LONGEST_QUESTION)).trim(), LONGEST_QUESTION)
  if (question !== '') return question
  throw new RalphError('invalid_input', 'the question is empty', {
    hint: 'Describe the task or the failure in words.',
  })
}
