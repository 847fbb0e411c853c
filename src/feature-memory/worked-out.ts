import { FILE_HISTORY, type FileHistory } from './file-history.ts'
import { type Folding, JournalFold } from './journal-fold.ts'
import type { Journals } from './journals.ts'
import type { ErrorLedger } from './ledger/error-ledger.ts'
import { keptLedger } from './ledger/kept-ledger.ts'
import { OUTLINE, type Outline } from './timeline/outline.ts'

/** What is worked out from the journals of a project, each held once and kept level with its journal. */
export class WorkedOutJournals {
  readonly #journals: Journals
  readonly #ledgers: ReturnType<typeof keptLedger>
  readonly #folds = new Map<string, JournalFold<unknown, unknown>>()

  constructor(journals: Journals, project: string) {
    this.#journals = journals
    this.#ledgers = keptLedger(project)
  }

  files(feature: string): Promise<ReadonlyMap<string, FileHistory>> {
    return this.#of(feature, FILE_HISTORY)
  }

  outline(feature: string): Promise<Outline> {
    return this.#of(feature, OUTLINE)
  }

  ledger(feature: string): Promise<ErrorLedger> {
    return this.#of(feature, this.#ledgers)
  }

  #of<Entry, State>(feature: string, folding: Folding<Entry, State>): Promise<State> {
    const journal = this.#journals.of(feature)
    const key = journal.cacheFile(folding.cache)
    const fold =
      (this.#folds.get(key) as JournalFold<Entry, State> | undefined) ?? new JournalFold(journal, folding)
    this.#folds.set(key, fold as JournalFold<unknown, unknown>)
    return fold.current()
  }
}
