import { errnoOf, messageOf, RalphError } from '../../errors.ts'

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html */
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}

/** Gives SQLite's errors a next step; anything else passes through. */
export function indexError(error: unknown, path: string): unknown {
  const cause = error
  switch (resultCode(error)) {
    case undefined:
      return error
    case BUSY:
    case LOCKED:
      return new RalphError('unavailable', `another process keeps the search index ${path} locked`, {
        hint: 'Look for a ralph process that hangs, and try again.',
        retryable: true,
        cause,
      })
    case READ_ONLY:
    case CANNOT_OPEN:
      return new RalphError('read_only', `the search index ${path} cannot be opened for writing`, {
        hint: `Check the permissions of ${path} and its folder.`,
        cause,
      })
    case FULL:
      return new RalphError('disk_full', `the disk holding the search index ${path} is full`, {
        hint: 'Free some space and run the command again; nothing already recorded is lost.',
        cause,
      })
    case CORRUPT:
    case NOT_A_DATABASE:
      return new RalphError('damaged', `the search index ${path} is damaged`, {
        hint: 'Nothing is lost, it is built again from the journals: ralph memory rebuild',
        cause,
      })
    default:
      return new RalphError('unavailable', `the search index ${path} failed: ${messageOf(error)}`, {
        hint: 'If it stays, build it again: ralph memory rebuild',
        cause,
      })
  }
}

function resultCode(error: unknown): number | undefined {
  if (errnoOf(error) !== 'ERR_SQLITE_ERROR' || !(error instanceof Error)) return undefined
  // The upper bytes of the extended code say more than we need.
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}
