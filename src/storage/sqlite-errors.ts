import { messageOf, RalphError } from '../errors.ts'
import { sqliteTrouble } from '../files/sqlite-trouble.ts'
import { startAfresh } from './sqlite-file.ts'

/** Gives SQLite's errors a next step; anything else passes through. */
export function sqliteError(error: unknown, path: string): unknown {
  switch (sqliteTrouble(error)) {
    case 'read_only':
      return new RalphError('read_only', `${path} cannot be written`, {
        hint: `Check the permissions of ${path} and of its folder.`,
        cause: error,
      })
    case 'cannot_open':
      return new RalphError('unavailable', `${path} cannot be opened`, {
        hint: 'Check that its folder exists and may be written, or choose another one with RALPH_HOME.',
        cause: error,
      })
    case 'full':
      return new RalphError('disk_full', `the disk holding ${path} is full`, {
        hint: 'Free some space and run the command again; nothing already recorded is lost.',
        cause: error,
      })
    case 'damaged':
      return damaged(path, error)
    case 'input_output':
      return new RalphError('unavailable', `${path} cannot be read or written: input/output error`, {
        hint: 'Check the disk.',
        cause: error,
      })
    case 'constraint':
      return new RalphError('conflict', `the database refused a row: ${messageOf(error)}`, {
        cause: error,
      })
    default:
      if (!/^no such table/.test(messageOf(error))) return error
      return new RalphError('damaged', `${path} is damaged: ${messageOf(error)}`, {
        hint: 'ralph doctor',
        cause: error,
      })
  }
}

export function damaged(path: string, cause: unknown = new Error('its last page is cut')): RalphError {
  return new RalphError('damaged', `${path} is damaged or not a database of ours`, {
    hint: `ralph doctor --fix carries over what can still be read, and keeps the damaged one. ${startAfresh(path)}`,
    cause,
  })
}
