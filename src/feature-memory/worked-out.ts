import { once } from '../deferred.ts'
import { FILE_HISTORY, type FileHistory } from './file-history.ts'
import { type Folding, JournalFold } from './journal-fold.ts'
import type { Journals } from './journals.ts'
import type { ErrorLedger } from './ledger/error-ledger.ts'
import type { IterationRecord } from './record.ts'
import type { Outline } from './timeline/outline.ts'
import type { Timeline } from './timeline/timeline.ts'

/**
 * What is worked out from the journals of a project, each held once and kept level with its journal. What a search does not
 * need is loaded when it is asked for.
 */
export class WorkedOutJournals {
  readonly #journals: Journals
  readonly #ledgers: () => Promise<Folding<IterationRecord, ErrorLedger>>
  readonly #folds = new Map<string, JournalFold<unknown, unknown>>()

  constructor(journals: Journals, project: string) {
    this.#journals = journals
    this.#ledgers = once(async () => (await import('./ledger/kept-ledger.ts')).keptLedger(project))
  }

  files(feature: string): Promise<ReadonlyMap<string, FileHistory>> {
    return this.#of(feature, FILE_HISTORY)
  }

  async timeline(feature: string): Promise<Timeline> {
    const { Timeline } = await import('./timeline/timeline.ts')
    return new Timeline(this.#journals.of(feature), await this.outline(feature))
  }

  async outline(feature: string): Promise<Outline> {
    return this.#of(feature, (await import('./timeline/outline.ts')).OUTLINE)
  }

  async ledger(feature: string): Promise<ErrorLedger> {
    return this.#of(feature, await this.#ledgers())
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
