import type { Calibration } from '../../embedding/embedder.ts'
import type { CollectionEvidence } from '../../retrieval/collection.ts'
import { fuse } from '../../retrieval/fusion.ts'
import { type ExchangeHit, exchangeHit } from '../documents.ts'
import { ExchangePlaces } from './exchange-places.ts'
import { type CandidateExchange, nearnessOfAll, strengths } from './strengths.ts'
import type { DayRange } from './time-range.ts'

/** An exchange as the ranking sees it. */
export interface RankedExchange extends ExchangeHit {
  /** Decides the order; of no meaning outside one ranking. */
  rank: number
  /** 0 to 1, mostly of the exchange by itself; means the same precision with every embedder. */
  similarity: number
  matched: readonly ('meaning' | 'words')[]
}

export interface RankedConversation {
  conversation: string
  similarity: number
  rank: number
}

export interface RankingInput {
  exchanges: readonly CollectionEvidence[]
  conversations: readonly CollectionEvidence[]
  /** Empty while there is no embedder. */
  calibration: Calibration
  /** Multiplies what feedback and age say about an exchange. 1 changes nothing. */
  weight: (hit: ExchangeHit) => number
  /** The days that were asked for. */
  range?: DayRange | undefined
  /** The person that was asked about. */
  speaker?: string | undefined
  /** It is a time that was asked for. */
  asksWhen?: boolean | undefined
}

/**
 * How much each kind of evidence counts. Found on the LoCoMo development conversations (docs/decisions/conversations.md);
 * all of them lie in the middle of broad plateaus.
 */
const WEIGHTS = {
  /** Of the best exchange of the same conversation: it is about the matter, so the rest of it may be, too. */
  conversation: 0.5,
  summary: 0.1,
} as const

/**
 * Of the exchanges next to it, and next to those; and, beyond that, of one that ends in a question for the one after it: there
 * the answer is. Where tokens were compared, most of what is around has been heard by them.
 */
const AROUND = {
  byTokens: { neighbours: [0.05, 0.1], answer: 0.3 },
  byVector: { neighbours: [0.25, 0.2], answer: 0.2 },
} as const

/**
 * What lies in the time that was asked for, what the person says who was asked about, and, to a question when, what tells a
 * time, comes first; the rest is not excluded, for people err, and speak on Monday of what they did on Sunday.
 */
const FACTORS = { inTime: 2, bySpeaker: 1.3, tellsTime: 1.4 } as const

/** Of its own strength, what an exchange lacks that only asks, or hardly says anything: it helps its neighbours all the same. */
const LOSSES = { asksOnly: 0.1, brief: 0.2 } as const

/**
 * The similarity that a question about something else reaches somewhere among so many exchanges, in one of ten cases or
 * fewer. Measured on chats of up to 8,000 turns (docs/decisions/conversations.md).
 */
const CHANCE = [
  [150, 0.4],
  [500, 0.467],
  [10_000, 0.585],
] as const

/** An exchange next to a strong one is at least possibly relevant, never strong for that alone. */
const BY_ASSOCIATION = 0.6

/** Ranks exchanges by themselves, their neighbours and their conversation; none of the three alone can exclude one. */
export function rankExchanges(input: RankingInput): RankedExchange[] {
  const { exchanges, calibration } = input
  const found = exchanges.map((evidence) => ({ evidence, hit: exchangeHit(evidence) }))
  const places = new ExchangePlaces<CandidateExchange>(found)
  const nearness = nearnessOfAll(found, places)
  const own = strengths(exchanges, nearness)
  for (const { evidence, hit } of found)
    own.set(evidence.id, own.get(evidence.id)! * input.weight(hit) * emphasis(hit, input))
  const strengthOf = ({ evidence }: CandidateExchange) => own.get(evidence.id)!
  const best = new Map<string, number>()
  for (const one of found) {
    const { conversation } = one.hit
    best.set(conversation, Math.max(best.get(conversation) ?? 0, strengthOf(one)))
  }
  const summaries = summaryStrengths(input.conversations)
  const around = nearness.size > 0 ? AROUND.byTokens : AROUND.byVector
  const similar = new Map(
    fuse(exchanges, { calibration, limit: exchanges.length, minScore: 0, chance: CHANCE }).map((hit) => [
      hit.id,
      hit,
    ]),
  )
  const ranked = found.map((one) => {
    const { hit, evidence } = one
    const before = places.beside(one, -1)
    const context =
      around.neighbours.reduce((sum, share, index) => sum + share * total(places.around(one, index + 1)), 0) +
      (before?.hit.asks ? around.answer * strengthOf(before) : 0) +
      WEIGHTS.conversation * best.get(hit.conversation)! +
      WEIGHTS.summary * (summaries.get(hit.conversation) ?? 0)
    const { score = 0, matched = [] } = similar.get(evidence.id) ?? {}
    const nextDoor = places.around(one, 1).map((other) => similar.get(other.evidence.id)?.score ?? 0)
    const similarity = Math.max(score, ...nextDoor.map((near) => near * BY_ASSOCIATION))
    return { ...hit, rank: strengthOf(one) * ownShare(hit) + context, similarity, matched }
  })
  return ranked.sort((a, b) => b.rank - a.rank || (a.exchange < b.exchange ? -1 : 1))

  function total(some: readonly CandidateExchange[]): number {
    return some.reduce((sum, one) => sum + strengthOf(one), 0)
  }
}

/** Conversations by their summary or by their best exchange, whichever says more. */
export function rankConversations(
  ranked: readonly RankedExchange[],
  input: Pick<RankingInput, 'conversations' | 'calibration'>,
): RankedConversation[] {
  const { conversations, calibration } = input
  const bySummary = fuse(conversations, { calibration, limit: conversations.length, minScore: 0 }).map(
    ({ payload, score }) => ({
      conversation: String(payload['conversation']),
      similarity: score,
      rank: score,
    }),
  )
  const found = new Map<string, RankedConversation>()
  for (const { conversation, similarity, rank } of [...ranked, ...bySummary]) {
    const known = found.get(conversation)
    found.set(conversation, {
      conversation,
      similarity: Math.max(known?.similarity ?? 0, similarity),
      rank: Math.max(known?.rank ?? 0, rank),
    })
  }
  return [...found.values()].sort((a, b) => b.rank - a.rank || (a.conversation < b.conversation ? -1 : 1))
}

function emphasis(
  { day, speakers, tellsTime }: ExchangeHit,
  { range, speaker, asksWhen }: Pick<RankingInput, 'range' | 'speaker' | 'asksWhen'>,
): number {
  const inTime = range !== undefined && day !== undefined && range.from <= day && day <= range.to
  const bySpeaker = speaker !== undefined && speakers.includes(speaker)
  return (
    (inTime ? FACTORS.inTime : 1) *
    (bySpeaker ? FACTORS.bySpeaker : 1) *
    (asksWhen && tellsTime ? FACTORS.tellsTime : 1)
  )
}

function ownShare({ asks, brief }: ExchangeHit): number {
  return 1 - (asks === 'only' ? LOSSES.asksOnly : 0) - (brief ? LOSSES.brief : 0)
}

function summaryStrengths(evidence: readonly CollectionEvidence[]): Map<string, number> {
  const own = strengths(evidence)
  return new Map(evidence.map(({ id, payload }) => [String(payload['conversation']), own.get(id)!]))
}
