import { isRalphError } from '../errors.ts'
import { parseFeatureName } from '../files/feature-name.ts'
import type { Seal } from '../files/seal.ts'
import type { ProjectKey } from '../identity/identity.ts'
import type { MeaningSample } from '../retrieval/collection.ts'
import type { RetrievalParts } from '../retrieval/parts.ts'
import { checkedLimit } from '../retrieval/relevance.ts'
import type { Truth } from './as-kept.ts'
import type { DescribedFeature, FeatureBoard } from './board-source.ts'
import { type FeatureCatchUp, FeatureIndex } from './feature-index.ts'
import { byTouches, type FileHistory } from './file-history.ts'
import type { Finding, FoundIteration } from './finding.ts'
import { type ForgetSelection, type ForgottenIterations, forgetting } from './forget.ts'
import type { ImportSummary } from './import.ts'
import type { Journal, JournalPosition } from './journal.ts'
import { type JournalReport, Journals } from './journals.ts'
import type { ErrorLife, LedgerEntry } from './ledger/ledger.ts'
import { failedAttempts, recentIterations, type SearchOptions } from './recall.ts'
import { type FindingOptions, INDEX_DOWN, recallFindings } from './recall-findings.ts'
import { type IterationRecord, type NewIteration, parseRecord, toJournalLine } from './record.ts'
import type { RunPrices, RunToRecord } from './record-run.ts'
import { type MemoryNote, sampleOf } from './sample.ts'
import type { Timeline } from './timeline/timeline.ts'
import { WorkedOutJournals } from './worked-out.ts'

export { INDEX_DOWN } from './recall-findings.ts'
export type { MemoryNote } from './sample.ts'
export type { DayOfWork, Draws, FeatureTotals } from './timeline/trend.ts'
export type { DescribedFeature, ForgottenIterations, Journal, JournalPosition, JournalReport, SearchOptions }

export interface FeatureMemoryOptions extends RetrievalParts {
  /** Where it lies. */
  project: string
  /** What its memory is filed under; default: where it lies. */
  filedUnder?: (() => Promise<ProjectKey>) | undefined
  memoryDir: string
  cacheDir: string
  /** For what is kept there; default: of this process. */
  seal?: Seal | undefined
  board?: FeatureBoard | undefined
  /** Removes what others keep of iterations that are forgotten: logs, receipts, notes. */
  forgetTraces?: ((forgotten: ForgottenIterations) => Promise<void>) | undefined
  /** For runs of programs that do not say what they cost. */
  prices?: RunPrices | undefined
  /** For searches that do not say otherwise. */
  searchDefaults?: { limit: number; minScore: number } | undefined
}

/** An iteration that was found. */
export type SearchResult = FoundIteration

export interface RecordedRun {
  /** `known`: this run had been recorded before, as the record that is given; nothing was stored. */
  status: 'recorded' | 'known'
  record: IterationRecord
  /** Lines of the transcript that could not be read. */
  skippedLines: number
}

export interface FeatureStatistics {
  feature: string
  iterations: number
  bytes: number
}

/** What each iteration on a feature did and learned: written to the journal, found through the index. */
export class FeatureMemory {
  readonly #options: FeatureMemoryOptions
  readonly #journals: Journals
  readonly #filedUnder: () => Promise<ProjectKey>
  readonly #index: FeatureIndex
  readonly #workedOut: WorkedOutJournals

  /** @internal */
  constructor(options: FeatureMemoryOptions) {
    const { project } = options
    this.#options = options
    this.#journals = new Journals(options.memoryDir, options.cacheDir, options.seal)
    this.#workedOut = new WorkedOutJournals(this.#journals, project)
    this.#filedUnder = options.filedUnder ?? (async () => ({ path: project, key: project, formerly: [] }))
    this.#index = new FeatureIndex({
      ...options,
      filedUnder: this.#filedUnder,
      journal: (feature) => this.journal(feature),
    })
  }

  /** Extracts what happened in a run of the agent and stores it; the returned record is on the disk. */
  async record(source: RunToRecord): Promise<RecordedRun> {
    parseFeatureName(source.feature) // before a long transcript is read for nothing
    // Reading a transcript takes a lot of code that asking never needs.
    const { collectRun, iterationOf } = await import('./record-run.ts')
    const { acquaintance } = await import('./known-run.ts')
    const journal = this.journal(source.feature)
    const whole = await collectRun(source)
    let fields = await cleaned(iterationOf(whole, source, this.#options))
    const seen = await acquaintance(journal, fields)
    if (seen.kind === 'grown' && !('lines' in source))
      fields = await cleaned(iterationOf(await collectRun(source, seen.after), source, this.#options))
    let record: IterationRecord | undefined
    // Asked again under the lock: two may be recording the same run.
    const [stored] = await journal.append(async (iterationNumber) => {
      const now = await acquaintance(journal, fields)
      if (now.kind === 'known') record = now.record
      return now.kind === 'known' ? [] : [{ ...fields, iterationNumber }]
    })
    const skippedLines = whole.lines.broken + whole.lines.oversized
    await this.#filedUnder()
    return stored
      ? { status: 'recorded', record: stored, skippedLines }
      : { status: 'known', record: record!, skippedLines }
  }

  /** Stores what a caller knows about an iteration; the returned record is on the disk. */
  async recordIteration(fields: NewIteration): Promise<IterationRecord> {
    const clean = await cleaned(fields)
    const journal = this.journal(clean.feature)
    const [stored] = await journal.append((iterationNumber) => [{ ...clean, iterationNumber }])
    await this.#filedUnder()
    return stored!
  }

  /** Finds iterations. */
  async search(feature: string, query: string, options: SearchOptions = {}): Promise<SearchResult[]> {
    const found = await this.recall(feature, query, { ...options, types: ['iteration'] })
    return found.filter((finding) => finding.type === 'iteration')
  }

  /** Finds whatever is remembered of a feature: its iterations, its learnings, its own description. */
  async recall(feature: string, query: string, options: FindingOptions = {}): Promise<Finding[]> {
    return recallFindings(parseFeatureName(feature), query, options, {
      ...this.#options,
      index: this.#index,
      truth: (name) => this.#truth(name),
    })
  }

  recent(feature: string, count = 5): Promise<IterationRecord[]> {
    return recentIterations(this.journal(feature), checkedLimit(count))
  }

  async files(feature: string): Promise<FileHistory[]> {
    return byTouches(await this.#workedOut.files(feature))
  }

  /** Real failed attempts, the newest first; as many as a search gives unless told. */
  failedAttempts(feature: string, taskId?: number, limit?: number): Promise<IterationRecord[]> {
    return failedAttempts(this.journal(feature), { taskId, limit })
  }

  /** Every error of the feature with its life, the most recently met first. */
  async errors(feature: string, life?: ErrorLife): Promise<LedgerEntry[]> {
    const ledger = await this.#workedOut.ledger(feature)
    return ledger.entries().filter((entry) => life === undefined || entry.life === life)
  }

  /** The whole journal in outline, and any part of it; only what is new since it was last asked for is read. */
  async timeline(feature: string): Promise<Timeline> {
    return this.#workedOut.timeline(feature)
  }

  /** Features that have a journal. */
  features(): Promise<string[]> {
    return this.#journals.features()
  }

  /** Features that have a journal, or that the board tells something of. */
  async searchable(): Promise<string[]> {
    const onBoard = (await this.#options.board?.features()) ?? []
    return [...new Set([...(await this.features()), ...onBoard])].sort()
  }

  /** Counts without reading what is in the lines, so that a status costs next to nothing. */
  async statistics(feature: string): Promise<FeatureStatistics> {
    return { feature, ...(await this.journal(feature).size()) }
  }

  verify(feature: string): Promise<JournalReport> {
    return this.#journals.verify(feature)
  }

  /** Whether the index has all that the journal has. */
  isLevel(feature: string): Promise<boolean> {
    return this.#index.isLevel(parseFeatureName(feature))
  }

  /** Brings the index level with the journal and the board. Returns the number of the latest iteration. */
  async catchUp(feature: string, options: FeatureCatchUp = {}): Promise<{ latest: number }> {
    const { latest } = await this.#index.catchUp(parseFeatureName(feature), options)
    return { latest }
  }

  /** Throws the feature's index away and builds it again from the journal. */
  async rebuild(feature: string, options: FeatureCatchUp = {}): Promise<{ latest: number }> {
    const { latest } = await this.#index.rebuild(parseFeatureName(feature), options)
    return { latest }
  }

  /** Journal lines without the line feeds, ready to be imported elsewhere. */
  async *export(feature: string): AsyncGenerator<string> {
    for await (const record of this.journal(feature).records()) yield toJournalLine(record)
  }

  /** Takes over exported lines; what is already here is left alone, so importing twice changes nothing. */
  async import(
    lines: AsyncIterable<string>,
    options: { feature?: string | undefined } = {},
  ): Promise<ImportSummary> {
    const into = options.feature === undefined ? undefined : parseFeatureName(options.feature)
    const { importLines } = await import('./import.ts')
    const summary = await importLines(lines, { into, journalOf: (feature) => this.journal(feature) })
    await this.#filedUnder()
    return summary
  }

  /** At most so many of a feature's memories, always the same, with where they stand in meaning. */
  async sample(feature: string, limit: number): Promise<MeaningSample<MemoryNote>> {
    const name = parseFeatureName(feature)
    return sampleOf(await this.#index.collection(name), limit, await this.#truth(name))
  }

  /** Removes records for good, from the journal, from the index and from whatever tells of them. Returns how many. */
  async forget(feature: string, selection: ForgetSelection = {}): Promise<number> {
    const name = parseFeatureName(feature)
    const journal = this.journal(name)
    const { mayMatch, choose, everything } = forgetting(selection)
    const indexed = await this.#index.readTo(name).catch(() => undefined) // out of order: said below
    const removal = await journal.remove(mayMatch, choose, indexed)
    const { records } = removal
    const removed = records.length
    if (everything) await journal.removeIfEmpty()
    else if (removed > 0) await journal.dropWorkedOut()
    await this.#options.forgetTraces?.({ feature: name, everything, records })
    try {
      if (everything) await this.#index.drop(name)
      else if (removed > 0) await this.#index.remove(name, removal)
    } catch (error) {
      // The journal decides: as soon as the index is back, it forgets as well.
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `forgotten in the journal, not yet in the index: ${error.message}`
      this.#options.notices.once({ key: INDEX_DOWN, message, hint: error.hint ?? 'ralph doctor' })
    }
    return removed
  }

  /** The collections this project's features use; any other of this project is left over. */
  async expectedCollections(): Promise<Set<string>> {
    return this.#index.namesOf(await this.searchable())
  }

  async orphans(): Promise<string[]> {
    return this.#index.others(await this.expectedCollections())
  }

  async removeOrphans(): Promise<string[]> {
    const orphans = await this.orphans()
    for (const name of orphans) await this.#options.index.drop(name)
    return orphans
  }

  journal(feature: string): Journal {
    return this.#journals.of(feature)
  }

  async #truth(feature: string): Promise<Truth> {
    const { key: project } = await this.#filedUnder()
    const outline = () => this.#workedOut.outline(feature)
    return { project, feature, journal: this.journal(feature), outline, board: this.#options.board }
  }
}

/** Checked before the lock is taken and the secrets are searched for: bad input costs nothing. */
async function cleaned(fields: NewIteration): Promise<IterationRecord> {
  const valid = parseRecord({ ...fields, feature: parseFeatureName(fields.feature), iterationNumber: 1 })
  const { cleanIteration } = await import('./clean.ts')
  return cleanIteration(valid, fields.summary)
}
