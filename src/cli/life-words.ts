import type { ErrorLife } from '../feature-memory/ledger/ledger.ts'

/** What became of an error, to people. */
export const LIFE_WORDS: Record<ErrorLife, string> = {
  open: 'open',
  came_back: 'came back',
  not_seen_since: 'not seen since',
  solved: 'solved',
}
