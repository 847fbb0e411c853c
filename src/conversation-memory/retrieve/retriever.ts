import { withoutStrangers } from '../../retrieval/ask.ts'
import { againOnceMended } from '../../retrieval/mending.ts'
import { type Relevance, relevanceOf } from '../../retrieval/relevance.ts'
import type { Condition } from '../../search-index/query.ts'
import { saysSomething } from '../../text/small-talk.ts'
import { MILLISECONDS_PER_DAY } from '../days.ts'
import { type ExchangeHit, exchangeDocumentId } from '../documents.ts'
import type { History } from '../history.ts'
import type { Conversation, Exchange } from '../record.ts'
import type { ConversationSettings } from '../settings.ts'
import type { Votes } from '../votes.ts'
import { CandidateSearch, type CandidateSources, type Candidates } from './candidates.ts'
import { type RankedExchange, rankConversations, rankExchanges } from './rank.ts'
import type { TimedQuery } from './time-range.ts'
import { DistinctConversations, DistinctExchanges } from './twins.ts'

export interface RetrieveOptions {
  /** Usually the current conversation: what is said in it is known already. */
  excluding?: string | readonly string[]
  /** How many conversations; else the setting. */
  limit?: number
  minSimilarity?: number
  signal?: AbortSignal
}

export interface ConversationSearchOptions {
  excluding?: string | readonly string[]
  limit?: number
  /** Without a limit the setting counts, but no more than this: for whoever pays for what is read. */
  mostByDefault?: number
  /** What is less similar is left out. */
  minSimilarity?: number
  tags?: readonly string[]
  /** Only what was said on these days and between them. */
  since?: Date | undefined
  until?: Date | undefined
  signal?: AbortSignal
}

export interface FoundExchange {
  exchange: Exchange
  conversation: Conversation
  similarity: number
  relevance: Relevance
  matched: readonly ('meaning' | 'words')[]
  /** Other exchanges that say the same. */
  duplicates: string[]
}

export interface FoundConversation {
  conversation: Conversation
  similarity: number
  exchanges: FoundExchange[]
}

interface Answered {
  query: string
  /** The words that were taken for a time, e.g. "last week". */
  time?: { phrase: string; from: Date; to: Date }
  /** True when meaning took no part, because there is no embedder or nothing is embedded yet. */
  wordsOnly: boolean
  tookMs: number
}

export interface Retrieval extends Answered {
  conversations: FoundConversation[]
}

export interface SearchResults extends Answered {
  results: FoundExchange[]
}

export interface RetrieverOptions extends CandidateSources {
  history: History
  votes: Votes
}

/**
 * Looked at before ranking: enough that neighbours find each other, and that the ordinary candidate is an ordinary one. The
 * index gathers twice as many by words, and by meaning.
 */
const CANDIDATES = 50
const CANDIDATES_PER_RESULT = 3
/** When many say the same, so many times as many are looked at. */
const WIDER = 4
const WIDER_ROUNDS = 2
const NO_EXCHANGE_SO_WEAK = 0.4

export class Retriever {
  readonly #options: RetrieverOptions

  constructor(options: RetrieverOptions) {
    this.#options = options
  }

  /** The best exchanges over all conversations, strongest first. */
  search(
    query: string,
    options: ConversationSearchOptions & { limit: number; minSimilarity: number },
    settings: ConversationSettings,
  ): Promise<SearchResults> {
    const search = (strangers: Set<string>) => this.#search(query, options, settings, strangers)
    return againOnceMended(() => this.#clearing(search, options.signal))
  }

  /** What belongs before an answer: the best conversations, each with its best exchanges, or nothing. */
  retrieve(query: string, options: RetrieveOptions, settings: ConversationSettings): Promise<Retrieval> {
    const retrieve = (strangers: Set<string>) => this.#retrieve(query, options, settings, strangers)
    return againOnceMended(() => this.#clearing(retrieve, options.signal))
  }

  #clearing<Result>(
    ask: (strangers: Set<string>) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const { index, notices } = this.#options
    const some = (ids: readonly string[]) => index.of('exchange').remove(ids)
    return withoutStrangers(ask, { notices, of: 'conversations', some, all: () => index.clear(signal) })
  }

  async #search(
    query: string,
    options: ConversationSearchOptions & { limit: number; minSimilarity: number },
    settings: ConversationSettings,
    strangers: Set<string>,
  ): Promise<SearchResults> {
    const started = performance.now()
    const { limit, excluding } = options
    const search = await CandidateSearch.open(this.#options, query, options)
    // "What did we discuss in March?" asks for all of March.
    const minimum = search.timed.range && !saysSomething(search.timed.text) ? 0 : options.minSimilarity
    let most = candidatesFor(limit)
    for (let round = 1; ; round++) {
      const candidates = await search.best(most)
      const ranked = await this.#rank(candidates, excluding, settings)
      const found = await this.#load(
        ranked.filter(({ similarity }) => similarity >= minimum),
        limit,
        strangers,
      )
      if ((found.size >= limit && !found.wanting) || !mayHoldMore(candidates, found, round)) {
        return { query, results: found.list(limit), ...summaryOf(candidates, started) }
      }
      most *= WIDER
    }
  }

  async #retrieve(
    query: string,
    options: RetrieveOptions,
    settings: ConversationSettings,
    strangers: Set<string>,
  ): Promise<Retrieval> {
    const started = performance.now()
    // "Continue" is about what was just said.
    if (!saysSomething(query)) {
      return { query, conversations: [], wordsOnly: false, tookMs: performance.now() - started }
    }
    const limit = options.limit ?? settings.ragConversationLimit
    const perConversation = settings.ragExchangeLimitPerConversation
    const minimum = options.minSimilarity ?? settings.ragMinSimilarity
    const among = await this.#amongTagged(settings)
    const search = await CandidateSearch.open(this.#options, query, { ...options, among })
    const excluded = asSet(options.excluding)
    let most = candidatesFor(limit * perConversation)
    for (let round = 1; ; round++) {
      const candidates = await search.best(most)
      const ranked = await this.#rank(candidates, options.excluding, settings)
      const found = new DistinctConversations()
      for (const { conversation: id, similarity } of rankConversations(ranked, candidates)) {
        if (found.size >= limit && !found.wanting) break
        if (similarity < minimum || excluded.has(id)) continue
        const own = enough(
          ranked.filter((hit) => hit.conversation === id),
          minimum,
        )
        const exchanges = (await this.#load(own, perConversation, strangers)).list(perConversation)
        const conversation = exchanges[0]?.conversation ?? (await this.#options.history.conversation(id))
        if (conversation) found.add({ conversation, similarity, exchanges })
      }
      if ((found.size >= limit && !found.wanting) || !mayHoldMore(candidates, found, round)) {
        return { query, conversations: found.list(limit), ...summaryOf(candidates, started) }
      }
      most *= WIDER
    }
  }

  /** What people want to be shown by itself, by its tags. */
  async #amongTagged({ ragOnlyTags, ragNeverTags }: ConversationSettings): Promise<Condition | undefined> {
    const { tags } = this.#options
    const never = await tags.carriersOfAny(ragNeverTags)
    if (ragOnlyTags.length === 0) return never.length > 0 ? { notIn: never } : undefined
    const only = await tags.carriersOfAny(ragOnlyTags)
    return { in: only.filter((id) => !never.includes(id)) }
  }

  async #rank(
    candidates: Candidates,
    excluding: RetrieveOptions['excluding'],
    settings: ConversationSettings,
  ): Promise<RankedExchange[]> {
    const excluded = asSet(excluding)
    const votes = await this.#options.votes.balances()
    const today = this.#options.clock().getTime() / MILLISECONDS_PER_DAY
    const feedback = (hit: ExchangeHit): number =>
      feedbackFactor((votes.get(hit.exchange) ?? 0) + (votes.get(hit.conversation) ?? 0))
    const weight = (hit: ExchangeHit): number =>
      feedback(hit) * ageFactor(hit.day === undefined ? 0 : today - hit.day, settings.ragTemporalDecay)
    const ranked = rankExchanges({ ...candidates, range: candidates.timed.range, weight })
    return (
      ranked
        .filter(({ conversation }) => !excluded.has(conversation))
        // Age orders only: what is old is no less similar.
        .map((hit) => ({ ...hit, similarity: Math.min(1, hit.similarity * feedback(hit)) }))
    )
  }

  /** The first of the ranked exchanges with their words; what is said twice is shown once. */
  async #load(
    ranked: readonly RankedExchange[],
    limit: number,
    strangers: Set<string>,
  ): Promise<DistinctExchanges> {
    const { history } = this.#options
    const found = new DistinctExchanges()
    for (let at = 0; at < ranked.length && (found.size < limit || found.wanting); at += limit) {
      const page = ranked.slice(at, at + limit)
      const exchanges = await history.exchanges(page.map(({ exchange }) => exchange))
      const conversations = await history.conversations([
        ...new Set(page.map(({ conversation }) => conversation)),
      ])
      for (const { document, exchange: id, similarity, matched } of page) {
        const exchange = exchangeDocumentId(id) === document ? exchanges.get(id) : undefined
        // Deleted by another process since it was indexed, or put there by somebody else.
        if (!exchange) strangers.add(document)
        const conversation = exchange && conversations.get(exchange.conversationId)
        if (!exchange || !conversation) continue
        const relevance = relevanceOf(similarity)
        found.add({ exchange, conversation, similarity, relevance, matched, duplicates: [] })
      }
    }
    return found
  }
}

/** What was found crowded each other out, and the index has more. */
function mayHoldMore({ full }: Candidates, { crowded }: { crowded: boolean }, round: number): boolean {
  return full && crowded && round <= WIDER_ROUNDS
}

function candidatesFor(limit: number): number {
  return Math.max(CANDIDATES, limit * CANDIDATES_PER_RESULT)
}

function summaryOf({ timed, wordsOnly }: Candidates, started: number): Omit<Answered, 'query'> {
  return { ...timeOf(timed), wordsOnly, tookMs: performance.now() - started }
}

/** Those that are strong by themselves; where only the summary is, the best that is not weak. */
function enough(ranked: readonly RankedExchange[], minimum: number): RankedExchange[] {
  const strong = ranked.filter(({ similarity }) => similarity >= minimum)
  if (strong.length > 0) return strong
  return ranked.filter(({ similarity }) => similarity >= Math.min(minimum, NO_EXCHANGE_SO_WEAK)).slice(0, 1)
}

/** Each vote counts a quarter, up or down, within bounds: feedback moves a result, it does not decide alone. */
function feedbackFactor(votes: number): number {
  return Math.min(2.5, Math.max(0.3, 1.25 ** votes))
}

/** What is old counts half at the least: age prefers, it does not hide. */
const OLDEST = 0.5

function ageFactor(days: number, decayPerDay: number): number {
  return OLDEST + (1 - OLDEST) * (1 - decayPerDay) ** Math.max(0, days)
}

function timeOf({ range, phrase }: TimedQuery): Pick<Answered, 'time'> {
  if (!range || !phrase) return {}
  const date = (day: number) => new Date(day * MILLISECONDS_PER_DAY)
  return { time: { phrase, from: date(range.from), to: date(range.to) } }
}

function asSet(value: string | readonly string[] | undefined): Set<string> {
  return new Set(value === undefined ? [] : typeof value === 'string' ? [value] : value)
}
