import type { Embedder } from '../embedding/embedder.ts'
import { isRalphError, throwIfAborted } from '../errors.ts'
import type { Json, Payload, StoredDocument } from '../search-index/search-index.ts'
import { deterministicUuid } from '../text/ids.ts'
import { isOutdated, newWords } from './bring-level.ts'
import type { Collection, DraftChange } from './collection.ts'
import type { Draft, Embedded } from './draft.ts'
import { againOnceMended } from './mending.ts'
import type { CollectionState } from './state.ts'

/** For those who bring documents level by themselves: one by one, with a database, or while somebody waits. */
export { beginAnewIfAhead } from './ahead.ts'
export { missing, newWords, remade, takeLent } from './bring-level.ts'
export { levelInTime } from './level-in-time.ts'

/** Where documents come from: the truth that the index is brought level with. */
export interface Source {
  /** Names its part of the collection's state. */
  readonly name: string
  /**
   * Reads what came after `since`, which it gave as `cursor` before, or everything when that no longer fits. Nothing is
   * read, and nothing changes, when there is nothing new.
   */
  read(
    since: Json | undefined,
    use: (reading: Reading) => Promise<void>,
    /** How many the collection holds, for those who want to know. */
    documents: () => Promise<number>,
  ): Promise<void>
  /** Whether a stored document came from here: of several sources each takes away only its own. */
  owns(payload: Payload): boolean
}

export interface Reading {
  /** True when the drafts are all there are: then whatever else is stored has gone. */
  whole: boolean
  drafts: AsyncIterable<Draft>
  /** Ids of documents that have gone since, where the source knows them; of a whole reading, all others have. */
  removed?: readonly string[]
  /** Where reading stopped; asked after the last draft. */
  cursor(): Promise<Json>
  /** How many drafts there are, if it is known. */
  total?: number
  /** Hears what is in the index now. */
  stored?(drafts: readonly Draft[]): Promise<void>
}

export interface CatchUpOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: CatchUpProgress) => void) | undefined
  /** Of whoever embeds a question meanwhile. False: the embedder has just failed, so nobody waits for it twice. */
  embedderWorks?: Promise<boolean> | undefined
  /** Embeds with this one or fails; default: the configured one, and words alone while it is down. */
  embedder?: Embedder | undefined
  /** Words now, vectors later by others: those that are there stay until then. For whose vectors the collection is. */
  wordsFor?: { embedder?: Embedder | undefined; problem?: undefined } | undefined
  /** Reads all of the sources again, whatever was read before: only what they hold stays. What is stored of the same text is not made again. */
  anew?: boolean | undefined
}

export interface CatchUpProgress {
  indexed: number
  total?: number
  /** Why everything is done again, when it is. */
  reason?: string
}

export interface CaughtUp {
  /** By source. */
  cursors: { [source: string]: Json }
  /** Documents that were written with a vector. */
  embedded: number
  /** Whether there was anything to do. */
  changed: boolean
}

/** Each is kept when a later one fails: so many at a time, and more where they are embedded in no time. */
const BATCH = 100
const LARGEST_BATCH = 1_600
const QUICK_MS = 200

/** After this everything that the sources hold can be found, and nothing else. */
export function catchUp(
  collection: Collection,
  sources: readonly Source[],
  options: CatchUpOptions = {},
): Promise<CaughtUp> {
  return againOnceMended(() => readSources(collection, sources, options))
}

async function readSources(
  collection: Collection,
  sources: readonly Source[],
  options: CatchUpOptions,
): Promise<CaughtUp> {
  const { meaning } = collection
  const asked = options.embedderWorks !== undefined
  const { embedder: opened, problem } = options.embedder
    ? { embedder: options.embedder }
    : (options.wordsFor ?? (await meaning.open({ hurried: asked })))
  const { state, emptied, formerly } = await collection.fit(opened, options.signal)
  // Only now: while the index is down, that is the trouble to speak of.
  if (problem) meaning.sayItIsOff(problem)
  const run: Run = {
    collection,
    options,
    state,
    emptied,
    formerly,
    identity: opened,
    embedder: options.wordsFor || (await options.embedderWorks) === false ? undefined : opened,
    embedded: 0,
    told: false,
    changed: false,
  }
  try {
    for (const source of sources) await readSource(run, source)
  } finally {
    if (run.told) tellWork(run, run.embedded, { ended: true })
  }
  const cursors = Object.entries(run.state.sources).map(([name, { cursor }]) => [name, cursor])
  return { cursors: Object.fromEntries(cursors), embedded: run.embedded, changed: run.changed }
}

interface Run {
  readonly collection: Collection
  readonly options: CatchUpOptions
  readonly state: CollectionState
  /** Why the collection was empty when it was found, if it was. */
  readonly emptied: string | undefined
  /** How many documents it had before that. */
  readonly formerly: number | undefined
  /** Whose collection it is; it may have failed just now. */
  readonly identity: Embedder | undefined
  /** Undefined from its first failure on: the rest goes on with words alone. */
  embedder: Embedder | undefined
  embedded: number
  /** Somebody was told that this takes a while. */
  told: boolean
  changed: boolean
}

/** Embedding takes most of the time: whoever waits for it sees how far it is. */
function tellWork(run: Run, done: number, end: { ended?: true } = {}): void {
  const { collection, emptied, formerly } = run
  run.told = true
  collection.parts.notices.underWay({
    key: collection.name,
    what: emptied ? `building the index (${emptied})` : 'bringing the index up to date',
    done,
    ...(formerly !== undefined && { total: Math.max(formerly, done) }),
    ...end,
  })
}

async function readSource(run: Run, source: Source): Promise<void> {
  const before = run.state.sources[source.name]
  // What was stored without vectors is visited again once there is an embedder; the rest is recognised by its hash.
  const again = run.options.anew || (before?.words_only && run.embedder)
  const since = again ? undefined : before?.cursor
  const use = async (reading: Reading) => {
    const { whole, total } = reading
    const pass = new Pass(run, reading)
    const reason =
      run.emptied ?? (whole && since !== undefined ? 'what it was built from was rewritten' : undefined)
    let indexed = 0
    for await (const draft of reading.drafts) {
      throwIfAborted(run.options.signal)
      await pass.add(draft)
      indexed++
      run.options.onProgress?.({
        indexed,
        ...(reason && { reason }),
        ...(total !== undefined && { total }),
      })
    }
    const after = await reading.cursor()
    const isSame = before !== undefined && !whole && JSON.stringify(after) === JSON.stringify(before.cursor)
    // Of nothing, nothing needs to be known: whoever looks where nothing is makes no index.
    const isNothing = indexed === 0 && run.emptied !== undefined && !run.changed
    if (indexed > 0 || !(isSame || isNothing))
      await pass.finish(source, after, before?.words_only === true && !whole)
  }
  await source.read(since, use, () => run.collection.size(run.options.signal))
}

/** Of a draft whose id is taken. */
export function ownId({ id, textHash }: Pick<Draft, 'id' | 'textHash'>): string {
  return deterministicUuid(id, textHash)
}

/** One reading of a source, written in batches, embedding only what the index does not have yet. */
class Pass {
  readonly #run: Run
  readonly #reading: Reading
  #waiting: Draft[] = []
  /** Id → hash of all that this pass has brought. */
  readonly #seen = new Map<string, string>()
  #wordsOnly: boolean
  #batch = BATCH

  constructor(run: Run, reading: Reading) {
    this.#run = run
    this.#reading = reading
    this.#wordsOnly = run.embedder === undefined && !run.options.wordsFor
  }

  async add(draft: Draft): Promise<void> {
    this.#waiting.push(draft)
    if (this.#waiting.length < this.#batch) return
    const begun = performance.now()
    await this.#write({ ...(await this.#next()), more: true })
    const isQuick = performance.now() - begun < QUICK_MS
    this.#batch = isQuick ? Math.min(LARGEST_BATCH, this.#batch * 2) : BATCH
  }

  /** The last documents, what has gone and how far this came are one change: nobody sees one without the other. */
  async finish(source: Source, cursor: Json, stillWordsOnly: boolean): Promise<void> {
    const { state, emptied } = this.#run
    const last = await this.#next()
    const { whole, removed = [] } = this.#reading
    const remove = whole && emptied === undefined ? await this.#gone(source) : removed
    const wordsOnly = this.#wordsOnly || stillWordsOnly
    state.sources[source.name] = { cursor, words_only: wordsOnly }
    await this.#write({
      ...last,
      remove,
      state: await this.#run.collection.stateWith(source.name, cursor, wordsOnly),
    })
  }

  async #write(change: DraftChange): Promise<void> {
    const { collection, options, identity } = this.#run
    const drafts = this.#waiting
    this.#waiting = []
    this.#run.changed = true
    await collection.write(change, identity, options.signal)
    await this.#reading.stored?.(drafts)
  }

  async #next(): Promise<Pick<DraftChange, 'put' | 'embedded'>> {
    if (this.#waiting.length === 0) return {}
    const { collection, embedder, options } = this.#run
    const drafts = this.#waiting
    const known = await this.#known(drafts)
    const named = drafts.map((draft) => this.#named(draft, known.get(draft.id)?.textHash))
    const renamed = named.filter((draft, at) => draft.id !== drafts[at]!.id)
    for (const [id, document] of await this.#known(renamed)) known.set(id, document)
    if (options.wordsFor) return newWords(collection, named, options.signal)
    const put = named.filter((draft) => isOutdated(draft, known.get(draft.id), embedder !== undefined))
    return put.length === 0 ? {} : { put, embedded: await this.#embed(put) }
  }

  async #known(drafts: readonly Draft[]): Promise<Map<string, StoredDocument>> {
    const { collection, options, emptied } = this.#run
    // Nothing can be there. If another process has begun to fill it, too, what is done twice stands once. Words look for themselves.
    if (emptied !== undefined || options.wordsFor) return new Map()
    return collection.known(
      drafts.map(({ id }) => id),
      options.signal,
    )
  }

  /** The first of two with one id keeps it, the other gets one from its text, so neither hides the other. */
  #named(draft: Draft, storedHash: string | undefined): Draft {
    const stored = this.#reading.whole ? undefined : storedHash
    const owner = draft.ownText ? (this.#seen.get(draft.id) ?? stored) : undefined
    const isTaken = owner !== undefined && owner !== draft.textHash
    const id = isTaken ? ownId(draft) : draft.id
    this.#seen.set(id, draft.textHash)
    return { ...draft, id }
  }

  async #embed(drafts: readonly Draft[]): Promise<Embedded[] | undefined> {
    const { collection, embedder, options } = this.#run
    if (!embedder) return undefined
    try {
      const before = this.#run.embedded
      tellWork(this.#run, before)
      const tell = (count: number) => tellWork(this.#run, before + count)
      const embedded = await collection.embedded(drafts, embedder, options.signal, tell)
      this.#run.embedded += embedded.length
      return embedded
    } catch (error) {
      if (options.embedder || !isRalphError(error) || error.code === 'cancelled') throw error
      collection.meaning.sayItIsOff(error)
      this.#run.embedder = undefined
      this.#wordsOnly = true
      return undefined
    }
  }

  #gone(source: Source): Promise<string[]> {
    const kept = (page: readonly { id: string; payload: Payload }[]) =>
      new Set(
        page.filter(({ id, payload }) => this.#seen.has(id) || !source.owns(payload)).map(({ id }) => id),
      )
    return this.#run.collection.unwanted(kept, this.#run.options.signal)
  }
}
