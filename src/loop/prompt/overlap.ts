import { decisionText, type IterationRecord } from '../../feature-memory/record.ts'
import { searchTerms } from '../../text/words.ts'

/** From this share of its words on, a text says nothing that the other does not. */
const SAYS_NOTHING_NEW = 0.7
const MOST_DECISIONS = 2

/** Whether `whole` already says what `part` says, going by its words. */
export function alreadySays(whole: string, part: string): boolean {
  const words = searchTerms(part).words
  if (words.length === 0) return true
  const known = new Set(searchTerms(whole).words)
  return words.filter((word) => known.has(word)).length / words.length >= SAYS_NOTHING_NEW
}

/** What the run decided and its own words do not tell already. */
export function decisionsBeyond({ decisions, taskTitle }: IterationRecord, words: string): string[] {
  return decisions
    .map(decisionText)
    .filter((decision) => !alreadySays(`${words} ${taskTitle} decided`, decision))
    .slice(0, MOST_DECISIONS)
}
