import type { Calibration, TokenVectors } from '../../embedding/embedder.ts'
import { throwIfAborted } from '../../errors.ts'
import type { Notices } from '../../notices.ts'
import { levelInTime } from '../../retrieval/catch-up.ts'
import type { CollectionEvidence } from '../../retrieval/collection.ts'
import { isOnlyUnwritable, isOutOfOrder } from '../../retrieval/mending.ts'
import type { Condition, Evidence, Filter } from '../../search-index/query.ts'
import { WordSearch } from '../../search-index/word-search.ts'
import { saysSomething } from '../../text/small-talk.ts'
import type { ConversationIndex } from '../conversation-index.ts'
import { MILLISECONDS_PER_DAY } from '../days.ts'
import { exchangeHit, type ItemKind } from '../documents.ts'
import { namedSpeaker } from '../speakers.ts'
import type { Tags } from '../tags.ts'
import { asksWhen } from '../telling-time.ts'
import { type DayRange, readTimeRange, type TimedQuery } from './time-range.ts'

/** What may answer a query, before anybody has ranked it. */
export interface Candidates {
  exchanges: CollectionEvidence[]
  conversations: CollectionEvidence[]
  calibration: Calibration
  timed: TimedQuery
  /** The one person the query names among those who speak. */
  speaker: string | undefined
  asksWhen: boolean
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
  /** Which conversations may be found at all. */
  among?: Condition | undefined
  since?: Date | undefined
  until?: Date | undefined
  signal?: AbortSignal
}

/** Exchanges that are made findable at a time while somebody waits: what is done by then is kept. */
const CATCH_UP = 1_000
const CANDIDATE_CONVERSATIONS = 10
/** Somebody waits: so many are read in a second or two. */
const READ_WITHOUT_INDEX = 10_000
/** Keys of the notices. */
const WITHOUT_INDEX = 'conversations.without_index'
const CATCHING_UP = 'conversations.catching_up'

/** A query that was understood once, to be asked for as many candidates as it takes. */
export class CandidateSearch {
  readonly #sources: CandidateSources
  readonly #query: string
  readonly #signal: AbortSignal | undefined
  readonly #within: Partial<DayRange>
  readonly timed: TimedQuery
  #vector: Float32Array | undefined
  #tokens: TokenVectors | undefined
  #calibration: Calibration = []
  #among: Condition | undefined
  #isWithoutIndex = false

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
    await search.#bringLevel()
    await search.#embed()
    search.#among = options.tags?.length ? { in: await sources.tags.carriersOf(options.tags) } : options.among
    return search
  }

  async best(most: number): Promise<Candidates> {
    const { range } = this.timed
    const inTime = await this.#search('exchange', most, range)
    // A time that nothing falls into was probably not meant as one ("the bug of last year's release").
    const understood = range === undefined || inTime.length > 0
    const isOnlyTime = understood && !saysSomething(this.timed.text)
    const anyTime = range === undefined || isOnlyTime ? [] : await this.#search('exchange', most, undefined)
    const exchanges = [...new Map([...anyTime, ...inTime].map((found) => [found.id, found])).values()]
    const speakers = exchanges.flatMap((found) => exchangeHit(found).speakers)
    return {
      exchanges,
      conversations: await this.#search(
        'conversation',
        CANDIDATE_CONVERSATIONS,
        isOnlyTime ? range : undefined,
      ),
      calibration: this.#calibration,
      timed: understood ? this.timed : { text: this.#query },
      speaker: namedSpeaker(this.#query, speakers),
      asksWhen: asksWhen(this.#query),
      wordsOnly: this.#vector === undefined || !exchanges.some(({ cosine }) => cosine !== undefined),
      full: Math.max(inTime.length, anyTime.length) >= most,
    }
  }

  async #search(kind: ItemKind, limit: number, range: DayRange | undefined): Promise<CollectionEvidence[]> {
    const among = this.#among
    if (among && 'in' in among && among.in.length === 0) return []
    const filter: Filter = {
      ...(among && { conversation: among }),
      ...dayFilter(this.#within, range),
    }
    const vector = this.#vector
    const tokens = this.#tokens
    const request = { text: this.#text, limit, filter, ...(vector && { vector }), ...(tokens && { tokens }) }
    if (!this.#isWithoutIndex) {
      try {
        const found = await this.#sources.index.of(kind).search(request, this.#signal)
        this.#sources.notices.recovered(WITHOUT_INDEX)
        return found
      } catch (error) {
        this.#goOnWithout(error)
      }
    }
    return kind === 'exchange' ? this.#byWordsAlone(filter) : []
  }

  async #byWordsAlone(filter: Filter): Promise<Evidence[]> {
    const search = new WordSearch({ text: this.#text, filter })
    for await (const { id, searched, payload } of this.#sources.index.drafts.newest(READ_WITHOUT_INDEX)) {
      throwIfAborted(this.#signal)
      search.look({ id, text: searched, payload: () => payload('none') })
    }
    return search.evidence()
  }

  #goOnWithout(error: unknown): void {
    // One that has thrown itself away is built again by whoever asks once more.
    if (!isOutOfOrder(error) || (error.code === 'damaged' && error.retryable)) throw error
    this.#isWithoutIndex = true
    this.#sources.notices.once({
      key: WITHOUT_INDEX,
      message: `conversations are searched without their index, only by words and the newest: ${error.message}`,
      hint: error.hint ?? 'ralph doctor',
      cause: error.message,
    })
  }

  async #bringLevel(): Promise<void> {
    try {
      await this.#catchUp()
    } catch (error) {
      if (!isOnlyUnwritable(error)) {
        this.#goOnWithout(error)
        return
      }
      const message = `the newest exchanges may not be found: ${error.message}`
      const hint = error.hint ?? 'ralph doctor'
      this.#sources.notices.once({ key: 'conversations.behind', message, hint })
    }
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
    const some = { limit: CATCH_UP, signal: this.#signal, readyFor: { embedder: await index.ready() } }
    const waiting = await levelInTime(index.of('exchange'), () => index.catchUpWords(some))
    if (waiting === 0) {
      notices.recovered(CATCHING_UP)
      return
    }
    const message = `${waiting} exchanges are not searchable yet: each search goes on with them`
    notices.once({ key: CATCHING_UP, message, hint: 'ralph workers run' })
  }

  /** Without a vector when the embedder is down or too slow for somebody who waits: then words have to do. */
  async #embed(): Promise<void> {
    const { meaning } = this.#sources.index
    const question = [{ text: this.#text, weight: 1 }]
    const wanted = { signal: this.#signal, tokens: true }
    const { vector, tokens, calibration, problem } = await meaning.ofQuestion(question, wanted)
    if (problem) meaning.sayItIsOff(problem)
    else meaning.sayItWorks()
    this.#vector = vector
    this.#tokens = tokens
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
