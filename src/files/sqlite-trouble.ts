import { errnoOf } from '../errors.ts'

/** SQLite's primary result codes that mean something to us, https://www.sqlite.org/rescode.html */
const MEANING = {
  5: 'busy',
  6: 'busy', // within one process
  8: 'read_only',
  10: 'input_output',
  11: 'damaged',
  13: 'full',
  14: 'cannot_open',
  19: 'constraint',
  26: 'damaged', // not a database at all
} as const

export type SqliteTrouble = (typeof MEANING)[keyof typeof MEANING] | 'other'

/** What SQLite reports; undefined when the error is not SQLite's. */
export function sqliteTrouble(error: unknown): SqliteTrouble | undefined {
  if (errnoOf(error) !== 'ERR_SQLITE_ERROR' || !(error instanceof Error)) return undefined
  if (!('errcode' in error) || typeof error.errcode !== 'number') return undefined
  // The upper bytes of the extended code say more than we need.
  return MEANING[(error.errcode & 0xff) as keyof typeof MEANING] ?? 'other'
}

/** Somebody else has it for a moment: try again. */
export function isBusy(error: unknown): boolean {
  return sqliteTrouble(error) === 'busy'
}
