import type { Calibration } from '../../embedding/embedder.ts'
import { throwIfAborted } from '../../errors.ts'
import type { Notices } from '../../notices.ts'
import type { Evidence, Filter } from '../../search-index/search-index.ts'
import type { ConversationIndex } from '../conversation-index.ts'
import { MILLISECONDS_PER_DAY } from '../days.ts'
import type { ItemKind } from '../documents.ts'
import type { Tags } from '../tags.ts'
import { type DayRange, readTimeRange, type TimedQuery } from './time-range.ts'

/** What may answer a query, before anybody has ranked it. */
export interface Candidates {
  exchanges: Evidence[]
  conversations: Evidence[]
  calibration: Calibration
  timed: TimedQuery
  wordsOnly: boolean
  /** There may be more than these. */
  full: boolean
}

export interface CandidateSources {
  tags: Tags
  index: ConversationIndex
  notices: Notices
  clock: () => Date
}

interface CandidateOptions {
  tags?: readonly string[]
  since?: Date | undefined
  until?: Date | undefined
  signal?: AbortSignal
}

/** Exchanges that are brought up to date before a search; more than this waits for a worker. */
const CATCH_UP = 1_000
const CANDIDATE_CONVERSATIONS = 10

/** A query that was understood once, to be asked for as many candidates as it takes. */
export class CandidateSearch {
  readonly #sources: CandidateSources
  readonly #query: string
  readonly #signal: AbortSignal | undefined
  readonly #within: Partial<DayRange>
  readonly timed: TimedQuery
  #vector: Float32Array | undefined
  #calibration: Calibration = []
  #tagged: readonly string[] | undefined

  private constructor(sources: CandidateSources, query: string, options: CandidateOptions) {
    this.#sources = sources
    this.#query = query
    this.#signal = options.signal
    this.#within = daysOf(options)
    this.timed = readTimeRange(query, sources.clock())
  }

  static async open(
    sources: CandidateSources,
    query: string,
    options: CandidateOptions,
  ): Promise<CandidateSearch> {
    throwIfAborted(options.signal)
    const search = new CandidateSearch(sources, query, options)
    await search.#catchUp()
    await search.#embed()
    search.#tagged = options.tags?.length ? await sources.tags.carriersOf(options.tags) : undefined
    return search
  }

  async best(most: number): Promise<Candidates> {
    const exchanges = await this.#search('exchange', most, this.timed.range)
    // A time that nothing falls into was probably not meant as one ("the bug of last year's release").
    const understood = this.timed.range === undefined || exchanges.length > 0
    const range = understood ? this.timed.range : undefined
    const found = understood ? exchanges : await this.#search('exchange', most, undefined)
    return {
      exchanges: found,
      conversations: await this.#search('conversation', CANDIDATE_CONVERSATIONS, range),
      calibration: this.#calibration,
      timed: understood ? this.timed : { text: this.#query },
      wordsOnly: this.#vector === undefined || !exchanges.some(({ cosine }) => cosine !== undefined),
      full: found.length >= most,
    }
  }

  async #search(kind: ItemKind, limit: number, range: DayRange | undefined): Promise<Evidence[]> {
    if (this.#tagged?.length === 0) return []
    const filter: Filter = {
      ...(this.#tagged && { conversation: { in: this.#tagged } }),
      ...dayFilter(this.#within, range),
    }
    const vector = this.#vector
    const request = { text: this.#text, limit, filter, ...(vector && { vector }) }
    return this.#sources.index.of(kind).search(request, this.#signal)
  }

  async #catchUp(): Promise<void> {
    const { index, notices } = this.#sources
    if (await index.isLost()) {
      notices.once({
        key: 'conversations.lost_index',
        message:
          'the search index held none of the conversations: built again from the history, by words now, by meaning as the workers come to it',
        hint: 'ralph workers run',
      })
    }
    const waiting = await index.catchUpWords({ limit: CATCH_UP, signal: this.#signal })
    if (waiting === 0) return
    notices.once({
      key: 'conversations.catching_up',
      message: `${waiting} exchanges are not searchable yet`,
      hint: 'ralph workers run',
    })
  }

  /** Without a vector when the embedder is down or too slow for somebody who waits: then words have to do. */
  async #embed(): Promise<void> {
    const { meaning } = this.#sources.index
    const question = [{ text: this.#text, weight: 1 }]
    const { vector, calibration, problem } = await meaning.ofQuestion(question, { signal: this.#signal })
    if (problem) meaning.sayItIsOff(problem)
    else meaning.sayItWorks()
    this.#vector = vector
    this.#calibration = calibration
  }

  get #text(): string {
    return this.timed.text || this.#query
  }
}

function daysOf({ since, until }: CandidateOptions): Partial<DayRange> {
  const day = (time: Date) => Math.floor(time.getTime() / MILLISECONDS_PER_DAY)
  return { ...(since && { from: day(since) }), ...(until && { to: day(until) }) }
}

/** What the caller allows and what the query's own words say must both hold. */
function dayFilter(within: Partial<DayRange>, said: DayRange | undefined): Filter {
  const from = Math.max(within.from ?? -Infinity, said?.from ?? -Infinity)
  const to = Math.min(within.to ?? Infinity, said?.to ?? Infinity)
  const day = { ...(from > -Infinity && { from }), ...(to < Infinity && { to }) }
  return Object.keys(day).length === 0 ? {} : { day }
}
