import type { Calibration } from '../../embedding/embedder.ts'
import { throwIfAborted } from '../../errors.ts'
import type { Notices } from '../../notices.ts'
import type { Evidence, Filter } from '../../search-index/search-index.ts'
import type { ConversationIndex } from '../conversation-index.ts'
import { MILLISECONDS_PER_DAY } from '../days.ts'
import type { ExchangeHit, Kind } from '../documents.ts'
import type { History } from '../history.ts'
import type { Conversation, Exchange } from '../record.ts'
import type { ConversationSettings } from '../settings.ts'
import type { Tags } from '../tags.ts'
import type { Votes } from '../votes.ts'
import { type RankedExchange, rankConversations, rankExchanges } from './rank.ts'
import { type DayRange, readTimeRange, type TimedQuery } from './time-range.ts'

export interface RetrieveOptions {
  /** Usually the current conversation: what is said in it is known already. */
  excluding?: string | readonly string[]
  /** How many conversations; else the setting. */
  limit?: number
  exchangesPerConversation?: number
  minSimilarity?: number
  tags?: readonly string[]
  signal?: AbortSignal
}

export interface SearchOptions {
  excluding?: string | readonly string[]
  limit?: number
  minSimilarity?: number
  tags?: readonly string[]
  signal?: AbortSignal
}

export interface FoundExchange {
  exchange: Exchange
  conversation: Conversation
  similarity: number
  matched: readonly ('meaning' | 'words')[]
  /** Other exchanges that say exactly the same. */
  duplicates: string[]
}

export interface FoundConversation {
  conversation: Conversation
  similarity: number
  exchanges: FoundExchange[]
}

export interface Retrieval {
  query: string
  conversations: FoundConversation[]
  /** The words that were taken for a time, e.g. "last week". */
  time?: { phrase: string; from: Date; to: Date }
  /** True when meaning took no part, because there is no embedder or nothing is embedded yet. */
  wordsOnly: boolean
  tookMs: number
}

export interface SearchResults {
  query: string
  results: FoundExchange[]
  time?: Retrieval['time']
  wordsOnly: boolean
  tookMs: number
}

export interface RetrieverOptions {
  history: History
  tags: Tags
  votes: Votes
  index: ConversationIndex
  notices: Notices
  clock: () => Date
}

interface Candidates {
  exchanges: Evidence[]
  conversations: Evidence[]
  calibration: Calibration
  timed: TimedQuery
  wordsOnly: boolean
}

/** Looked at before ranking: enough that neighbours find each other. The index gathers three times as many. */
const CANDIDATES = 16
const CANDIDATE_CONVERSATIONS = 10
/** Exchanges that are brought up to date before a search; more than this waits for a worker. */
const CATCH_UP = 1_000
const NO_EXCHANGE_SO_WEAK = 0.4
export class Retriever {
  readonly #options: RetrieverOptions

  constructor(options: RetrieverOptions) {
    this.#options = options
  }

  /** The best exchanges over all conversations, strongest first. */
  async search(
    query: string,
    options: SearchOptions,
    settings: ConversationSettings,
  ): Promise<SearchResults> {
    const started = performance.now()
    const limit = options.limit ?? 10
    const candidates = await this.#candidates(query, limit, options)
    const ranked = (await this.#rank(candidates, options.excluding, settings)).filter(
      ({ similarity }) => similarity >= (options.minSimilarity ?? 0),
    )
    const results = await this.#load(ranked, limit)
    return {
      query,
      results,
      ...timeOf(candidates.timed),
      wordsOnly: candidates.wordsOnly,
      tookMs: performance.now() - started,
    }
  }

  /** What belongs before an answer: the best conversations, each with its best exchanges, or nothing. */
  async retrieve(
    query: string,
    options: RetrieveOptions,
    settings: ConversationSettings,
  ): Promise<Retrieval> {
    const started = performance.now()
    const limit = options.limit ?? settings.ragConversationLimit
    const perConversation = options.exchangesPerConversation ?? settings.ragExchangeLimitPerConversation
    const minimum = options.minSimilarity ?? settings.ragMinSimilarity
    const candidates = await this.#candidates(query, limit * perConversation, options)
    const ranked = await this.#rank(candidates, options.excluding, settings)
    const excluded = asSet(options.excluding)
    const strong = rankConversations(ranked, candidates).filter(
      ({ conversation, similarity }) => similarity >= minimum && !excluded.has(conversation),
    )
    const conversations: FoundConversation[] = []
    const seen = new Set<string>()
    for (const { conversation: id, similarity } of strong) {
      if (conversations.length === limit) break
      const own = ranked.filter((hit) => hit.conversation === id)
      const exchanges = await this.#load(enough(own, minimum), perConversation)
      const conversation = exchanges[0]?.conversation ?? (await this.#options.history.conversation(id))
      if (!conversation) continue
      // Identical conversations are one answer, not three.
      const content =
        exchanges.map(({ exchange }) => contentOf(exchange)).join('\0') || conversation.summary || id
      if (seen.has(content)) continue
      seen.add(content)
      conversations.push({ conversation, similarity, exchanges })
    }
    return {
      query,
      conversations,
      ...timeOf(candidates.timed),
      wordsOnly: candidates.wordsOnly,
      tookMs: performance.now() - started,
    }
  }

  async #candidates(query: string, limit: number, options: RetrieveOptions): Promise<Candidates> {
    const { index, notices, tags, clock } = this.#options
    throwIfAborted(options.signal)
    const waiting = await index.catchUpWords({ limit: CATCH_UP, signal: options.signal })
    if (waiting > 0) {
      notices.once({
        key: 'conversations.catching_up',
        message: `${waiting} exchanges are not searchable yet`,
        hint: 'ralph workers run',
      })
    }
    const timed = readTimeRange(query, clock())
    const text = timed.text || query
    const asked = await index.meaning.ofQuestion([{ text, weight: 1 }], { signal: options.signal })
    const { vector, calibration, problem } = asked
    if (problem) index.meaning.sayItIsOff(problem)
    else index.meaning.sayItWorks()
    const tagged = options.tags?.length ? await tags.carriersOf(options.tags) : undefined
    const search = async (kind: Kind, most: number, range: DayRange | undefined): Promise<Evidence[]> => {
      if (tagged?.length === 0) return []
      const filter: Filter = {
        ...(tagged && { conversation: { in: tagged } }),
        ...(range && { day: { from: range.from, to: range.to } }),
      }
      const request = { text, limit: most, filter, ...(vector && { vector }) }
      return index.of(kind).search(request, options.signal)
    }
    const most = Math.max(CANDIDATES, Math.ceil(limit * 1.5))
    const exchanges = await search('exchange', most, timed.range)
    // A time that nothing falls into was probably not meant as one ("the bug of last year's release").
    const understood = timed.range === undefined || exchanges.length > 0
    return {
      exchanges: understood ? exchanges : await search('exchange', most, undefined),
      conversations: await search(
        'conversation',
        CANDIDATE_CONVERSATIONS,
        understood ? timed.range : undefined,
      ),
      calibration,
      timed: understood ? timed : { text: query },
      wordsOnly: vector === undefined || !exchanges.some(({ cosine }) => cosine !== undefined),
    }
  }

  async #rank(
    candidates: Candidates,
    excluding: RetrieveOptions['excluding'],
    settings: ConversationSettings,
  ): Promise<RankedExchange[]> {
    const excluded = asSet(excluding)
    const votes = await this.#options.votes.balances()
    const today = this.#options.clock().getTime() / MILLISECONDS_PER_DAY
    const weight = (hit: ExchangeHit): number =>
      feedbackFactor((votes.get(hit.exchange) ?? 0) + (votes.get(hit.conversation) ?? 0)) *
      ageFactor(hit.day === undefined ? 0 : today - hit.day, settings.ragTemporalDecay)
    const ranked = rankExchanges({ ...candidates, weight })
    return ranked
      .filter(({ conversation }) => !excluded.has(conversation))
      .map((hit) => ({ ...hit, similarity: Math.min(1, hit.similarity * weight(hit)) }))
  }

  /** The first of the ranked exchanges with their words; what is said twice is shown once. */
  async #load(ranked: readonly RankedExchange[], limit: number): Promise<FoundExchange[]> {
    const { history } = this.#options
    const found = new Map<string, FoundExchange>()
    for (let at = 0; at < ranked.length && found.size < limit; at += limit) {
      const page = ranked.slice(at, at + limit)
      const exchanges = await history.exchanges(page.map(({ exchange }) => exchange))
      const conversations = await history.conversations([
        ...new Set(page.map(({ conversation }) => conversation)),
      ])
      for (const { exchange: id, similarity, matched } of page) {
        const exchange = exchanges.get(id)
        const conversation = exchange && conversations.get(exchange.conversationId)
        // Deleted by another process since it was indexed.
        if (!exchange || !conversation) continue
        const content = contentOf(exchange)
        const twin = found.get(content)
        if (twin) twin.duplicates.push(id)
        else if (found.size < limit) {
          found.set(content, { exchange, conversation, similarity, matched, duplicates: [] })
        }
      }
    }
    return [...found.values()]
  }
}

/** Those that are strong by themselves; where only the summary is, the best that is not weak. */
function enough(ranked: readonly RankedExchange[], minimum: number): RankedExchange[] {
  const strong = ranked.filter(({ similarity }) => similarity >= minimum)
  if (strong.length > 0) return strong
  return ranked.filter(({ similarity }) => similarity >= Math.min(minimum, NO_EXCHANGE_SO_WEAK)).slice(0, 1)
}

function contentOf({ userMessage, assistantMessage }: Exchange): string {
  return `${userMessage}\n${assistantMessage}`
}

/** Each vote counts a quarter, up or down, within bounds: feedback moves a result, it does not decide alone. */
function feedbackFactor(votes: number): number {
  return Math.min(2.5, Math.max(0.3, 1.25 ** votes))
}

function ageFactor(days: number, decayPerDay: number): number {
  return decayPerDay === 0 ? 1 : Math.max(0.1, 1 - decayPerDay * Math.max(0, days))
}

function timeOf({ range, phrase }: TimedQuery): Pick<Retrieval, 'time'> {
  if (!range || !phrase) return {}
  const date = (day: number) => new Date(day * MILLISECONDS_PER_DAY)
  return { time: { phrase, from: date(range.from), to: date(range.to) } }
}

function asSet(value: string | readonly string[] | undefined): Set<string> {
  return new Set(value === undefined ? [] : typeof value === 'string' ? [value] : value)
}
