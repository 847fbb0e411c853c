import { z } from 'zod'
import type { Embedder, EmbedderSource } from '../embedding/embedder.ts'
import { isRalphError, messageOf, type RalphError, throwIfAborted } from '../errors.ts'
import type { Notices } from '../notices.ts'
import type { Json, SearchIndex } from '../search-index/search-index.ts'
import { deterministicUuid } from '../text/ids.ts'
import { DocumentWriter, type Draft } from './document-writer.ts'
import type { Journal, JournalReading } from './journal.ts'
import { FILTERABLE, iterationPayload, searchableText, snapshotPayload } from './payload.ts'
import { collectionName, embeddingText, type IterationRecord, pointId } from './record.ts'
import { type FeatureDescription, snapshotText } from './snapshot.ts'

export interface IndexProgress {
  feature: string
  indexed: number
  /** Why everything is done again, when it is. */
  reason?: string
}

export interface CatchUpOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** False when the embedder has just failed: it is not asked again, so that nobody waits for it twice. */
  embedderWorks?: Promise<boolean> | undefined
}

export interface IndexingOptions {
  project: string
  index: SearchIndex
  embedder: EmbedderSource
  notices: Notices
  /** The board's word on a feature, for its snapshot. */
  describe: (feature: string) => Promise<FeatureDescription | undefined>
}

/** Stands in for the embedder's identity while there is none: the collection is rebuilt as soon as there is one. */
const NO_EMBEDDER = { id: 'none', dimensions: 1 }

const IndexState = z.object({
  position: z.object({ offset: z.int(), line: z.int(), fingerprint: z.string() }),
  latest: z.int(),
  words_only: z.boolean(),
})
type IndexState = z.infer<typeof IndexState>

/** Brings the disposable index level with the journal, however far apart they are. */
export class Indexing {
  readonly #options: IndexingOptions

  constructor(options: IndexingOptions) {
    this.#options = options
  }

  collectionOf(feature: string): string {
    return collectionName(this.#options.project, feature)
  }

  /** After this, everything in the journal can be found. Returns the number of the latest iteration. */
  async catchUp(
    feature: string,
    journal: Journal,
    options: CatchUpOptions = {},
  ): Promise<{ latest: number }> {
    const collection = this.collectionOf(feature)
    const { embedder: opened, problem } = await this.openEmbedder()
    const reset = await this.#ensureCollection(collection, opened)
    const state = await this.#readState(collection)
    // Only now: while the index is down, that is the trouble to speak of.
    if (problem) this.sayEmbedderIsDown(problem)
    const embedder = (await options.embedderWorks) === false ? undefined : opened
    // What was stored without vectors is visited again once there is an embedder; the rest is recognised by its hash.
    const revisit = state?.words_only === true && embedder !== undefined
    const since = revisit ? undefined : state?.position
    const after = await journal.read(since, (reading) =>
      this.#indexReading(feature, reading, { ...options, embedder, state: since && state, reset }),
    )
    if (after) await this.#options.index.writeState(collection, after as Json)
    if (reset || revisit) await this.#writeSnapshot(feature, embedder, options.signal)
    return { latest: after?.latest ?? state?.latest ?? 0 }
  }

  /** Embeds the feature's own description again if it has changed. */
  async refreshSnapshot(feature: string, signal?: AbortSignal): Promise<void> {
    await this.#writeSnapshot(feature, (await this.openEmbedder()).embedder, signal)
  }

  async #writeSnapshot(
    feature: string,
    embedder: Embedder | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const description = await this.#options.describe(feature)
    const text = description && snapshotText(description)
    const collection = this.collectionOf(feature)
    const id = deterministicUuid(this.#options.project, feature, 'snapshot')
    if (text === undefined) return this.#options.index.remove(collection, [id])
    const writer = this.#writer(collection, embedder)
    const payload: Draft['payload'] = (provenance) => snapshotPayload({ feature, text }, provenance)
    await writer.add({ id, embedded: text, searched: text, payload, replaces: true }, signal)
    await writer.flush(signal)
  }

  /** The embedder, or why there is none. */
  async openEmbedder(): Promise<{ embedder?: Embedder; problem?: RalphError }> {
    try {
      return { embedder: await this.#options.embedder() }
    } catch (error) {
      if (!isRalphError(error)) throw error
      return { problem: error }
    }
  }

  /** Opening proves nothing; an embedding does. If it goes down again, that is said again. */
  sayEmbedderWorks(): void {
    this.#options.notices.recovered('embedder')
  }

  sayEmbedderIsDown(error: unknown): void {
    const hint = isRalphError(error) && error.hint ? error.hint : 'ralph doctor'
    const message = `meaning is off, searching by words only: ${messageOf(error)}`
    this.#options.notices.once({ key: 'embedder', message, hint })
  }

  async #indexReading(
    feature: string,
    { restarted, items, position }: JournalReading,
    run: CatchUpOptions & {
      embedder: Embedder | undefined
      state: IndexState | undefined
      reset: string | undefined
    },
  ): Promise<IndexState | undefined> {
    const collection = this.collectionOf(feature)
    const writer = this.#writer(collection, run.embedder, restarted || run.state === undefined)
    const reason = run.reset ?? (restarted ? 'the journal was rewritten' : undefined)
    let latest = restarted ? 0 : (run.state?.latest ?? 0)
    let indexed = 0
    for await (const item of items) {
      throwIfAborted(run.signal)
      if (item.kind === 'damage') {
        this.#sayDamaged(feature, item.line, item.reason)
      } else {
        latest = Math.max(latest, item.record.iterationNumber)
        await writer.add(this.#draft(item.record), run.signal)
      }
      indexed++
      run.onProgress?.({ feature, indexed, ...(reason && { reason }) })
    }
    if (indexed === 0 && run.state && !restarted) return undefined
    await writer.flush(run.signal)
    if (restarted) await writer.removeOthers({ record_type: { in: ['iteration'] } })
    return { position: await position(), latest, words_only: writer.missedVectors }
  }

  #draft(record: IterationRecord): Draft {
    return {
      id: pointId(this.#options.project, record),
      embedded: embeddingText(record),
      searched: searchableText(record),
      payload: (provenance) => iterationPayload(record, provenance),
    }
  }

  #writer(collection: string, embedder: Embedder | undefined, everything = false): DocumentWriter {
    return new DocumentWriter({
      index: this.#options.index,
      collection,
      embedder,
      onEmbedded: () => this.sayEmbedderWorks(),
      onEmbedderDown: (error) => this.sayEmbedderIsDown(error),
      everything,
    })
  }

  /** Returns why the collection is empty now, or undefined when it was fit for use. */
  async #ensureCollection(name: string, embedder: Embedder | undefined): Promise<string | undefined> {
    const { index } = this.#options
    const { id, dimensions } = embedder ?? NO_EMBEDDER
    const spec = { name, embedderId: id, dimensions, filterable: FILTERABLE }
    const result = await index.ensureCollection(spec)
    if (result === 'ready') return undefined
    if (result === 'created') return 'the index is new'
    // Vectors that nobody can ask for at the moment are worth keeping: the embedder may be back any time.
    if (!embedder) return undefined
    await index.dropCollection(name)
    await index.ensureCollection(spec)
    return 'the embedding model changed'
  }

  async #readState(collection: string): Promise<IndexState | undefined> {
    const parsed = IndexState.safeParse(await this.#options.index.readState(collection))
    return parsed.success ? parsed.data : undefined
  }

  #sayDamaged(feature: string, line: number, reason: string): void {
    this.#options.notices.once({
      key: `journal:${feature}:${line}`,
      message: `the journal of "${feature}" has a damaged line ${line} (${reason}); it was left out`,
      hint: `ralph memory verify --feature ${JSON.stringify(feature)}`,
    })
  }
}
