import { messageOf, RalphError } from '../../errors.ts'
import { type SqliteTrouble, sqliteTrouble } from '../../files/sqlite-trouble.ts'
import { isOfNoKnownFormat } from './header.ts'

/** Gives SQLite's errors a next step; anything else passes through. */
export function indexError(error: unknown, path: string): unknown {
  const cause = error
  switch (troubleOf(error, path)) {
    case undefined:
      return error
    case 'busy':
      return new RalphError('unavailable', `another process keeps the search index ${path} locked`, {
        hint: 'Look for a ralph process that hangs, and try again.',
        retryable: true,
        cause,
      })
    case 'read_only':
    case 'cannot_open':
      return new RalphError('read_only', `the search index ${path} cannot be opened for writing`, {
        hint: `Check the permissions of ${path} and its folder.`,
        cause,
      })
    case 'full':
      return new RalphError('disk_full', `the disk holding the search index ${path} is full`, {
        hint: 'Free some space and run the command again; nothing already recorded is lost.',
        cause,
      })
    case 'damaged':
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

/** A lost table, or a row where the tables' own rules allow none: our statements fit an index that is whole. */
function troubleOf(error: unknown, path: string): SqliteTrouble | undefined {
  const trouble = sqliteTrouble(error)
  if (trouble === 'read_only' && isOfNoKnownFormat(path)) return 'damaged'
  const isLost =
    trouble === 'other' &&
    /^(?:no such (?:table|column|index)|unsupported file format)/.test(messageOf(error))
  return isLost || trouble === 'constraint' ? 'damaged' : trouble
}
