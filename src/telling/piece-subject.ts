import { changedPaths } from '../feature-memory/endings.ts'
import { isOpen, type LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { PieceSubject } from '../receipts/receipt.ts'
import { errorSignature, isTelling } from '../text/error-signature.ts'

const MOST_ERRORS = 5
const MOST_FILES = 12
/** The loop's own book-keeping is no work. */
const BOARD = /^\.ralph\//

/** What is said of an error, as far as a later run can be held against it. */
export function subjectOfError(entry: LedgerEntry): PieceSubject {
  const { signature, check, filePath } = entry
  return {
    ...(isTelling(signature) && { errors: [signature], ...(isOpen(entry) && { open: true }) }),
    ...(check && { checks: [check.command] }),
    ...(filePath !== undefined && { files: [filePath] }),
  }
}

/** The same of what a run left: the errors that its checks reported in the end, or of which it told, and its files. */
export function subjectOfRun(record: IterationRecord): PieceSubject {
  const failed = record.checks.filter(({ result }) => result === 'failed')
  const left = failed.length > 0 ? failed.flatMap(({ signatures }) => signatures) : told(record)
  const errors = [...new Set(left.filter(isTelling))].slice(0, MOST_ERRORS)
  const checks = failed.filter(({ signatures }) => signatures.some((one) => errors.includes(one)))
  const files = changedPaths(record).filter((path) => !BOARD.test(path))
  return {
    ...(errors.length > 0 && { errors, open: true }),
    ...(checks.length > 0 && { checks: checks.map(({ command }) => command) }),
    ...(files.length > 0 && { files: files.slice(0, MOST_FILES) }),
  }
}

/** What no check of it reports may be of the agent or the service: only what a command has reported is looked for again. */
function told({ errors }: IterationRecord): string[] {
  return errors.flatMap(({ command, message }) => (command === undefined ? [] : [errorSignature(message)]))
}
