import type { Folding } from '../journal-fold.ts'
import { fromJournalLine, type IterationRecord } from '../record.ts'
import { ErrorLedger } from './error-ledger.ts'
import { SavedLedger } from './saved-ledger.ts'

/** Another number whenever the same journal would be judged otherwise, or kept in another form. */
const VERSION = 1

/** The ledger of errors of a journal. Where the project lies tells which commands are the same: it is part of the basis. */
export function keptLedger(project: string): Folding<IterationRecord, ErrorLedger> {
  return {
    basis: `errors ${VERSION} of ${project}`,
    cache: 'errors.json',
    parseLine: fromJournalLine,
    start: () => new ErrorLedger({ project }),
    add: (ledger, item) => {
      if (item.kind === 'record') ledger.add(item.record)
    },
    save: (ledger) => ledger.save(),
    load: (saved) => ErrorLedger.from(SavedLedger.parse(saved), { project }),
  }
}
