import { RalphError } from '../errors.ts'

/** SQLite's primary result codes that mean something to a person. */
const CODES = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
}

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error)
  return code === CODES.busy || code === CODES.locked
}

/** Gives SQLite's errors a next step; anything else passes through. */
export function sqliteError(error: unknown, path: string): unknown {
  switch (primaryCode(error)) {
    case CODES.readOnly:
      return new RalphError('read_only', `${path} cannot be written`, {
        hint: `Check the permissions of ${path} and of its folder.`,
        cause: error,
      })
    case CODES.cannotOpen:
      return new RalphError('unavailable', `${path} cannot be opened`, {
        hint: 'Check that its folder exists and may be written, or choose another one with RALPH_HOME.',
        cause: error,
      })
    case CODES.full:
      return new RalphError('disk_full', `the disk holding ${path} is full`, {
        hint: 'Free some space and run the command again; nothing already recorded is lost.',
        cause: error,
      })
    case CODES.corrupt:
    case CODES.notADatabase:
      return new RalphError('damaged', `${path} is damaged or not a database of ours`, {
        hint: `Run: ralph doctor. To start afresh, move ${path} away; keep it, it may be recoverable.`,
        cause: error,
      })
    case CODES.inputOutput:
      return new RalphError('unavailable', `${path} cannot be read or written: input/output error`, {
        hint: 'Check the disk.',
        cause: error,
      })
    case CODES.constraint:
      return new RalphError('conflict', `the database refused a row: ${(error as Error).message}`, {
        cause: error,
      })
    default:
      return error
  }
}

function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}
