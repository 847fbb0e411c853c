import type { Calibration } from '../../embedding/embedder.ts'
import type { CollectionEvidence } from '../../retrieval/collection.ts'
import { fuse } from '../../retrieval/fusion.ts'
import { type ExchangeHit, exchangeHit } from '../documents.ts'
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
  words: 0.5,
  coverage: 1,
  /** Of a candidate that was compared by one vector alone. */
  meaning: 0.8,
  /** Of one that was compared token by token, too, which tells more. */
  compared: { meaning: 0.3, nearness: 1.1 },
  /** Of the exchanges next to it, and next to those: what is asked in one is often answered in the other. */
  neighbours: [0.25, 0.2],
  /** Beyond that, of an exchange that ends in a question for the one after it: there the answer is. */
  answer: 0.2,
  /** Of the best exchange of the same conversation: it is about the matter, so the rest of it may be, too. */
  conversation: 0.5,
  summary: 0.1,
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
  [10_000, 0.535],
] as const

/** An exchange next to a strong one is at least possibly relevant, never strong for that alone. */
const BY_ASSOCIATION = 0.6

/** Ranks exchanges by themselves, their neighbours and their conversation; none of the three alone can exclude one. */
export function rankExchanges(input: RankingInput): RankedExchange[] {
  const own = strengths(input.exchanges)
  const { calibration } = input
  const similar = new Map(
    fuse(input.exchanges, { calibration, limit: input.exchanges.length, minScore: 0, chance: CHANCE }).map(
      (hit) => [hit.id, hit],
    ),
  )
  const hits = new Map<string, { hit: ExchangeHit; strength: number; id: string }>()
  for (const { id, payload } of input.exchanges) {
    const hit = exchangeHit(payload)
    const strength = own.get(id)! * input.weight(hit) * emphasis(hit, input)
    hits.set(place(hit.conversation, hit.position), { id, hit, strength })
  }
  const best = new Map<string, number>()
  for (const { hit, strength } of hits.values()) {
    best.set(hit.conversation, Math.max(best.get(hit.conversation) ?? 0, strength))
  }
  const summaries = summaryStrengths(input.conversations)
  const ranked = [...hits.values()].map(({ id, hit, strength }) => {
    const around = WEIGHTS.neighbours.reduce((sum, share, index) => {
      const [earlier, later] = [hit.position - index - 1, hit.position + index + 1].map(
        (position) => hits.get(place(hit.conversation, position))?.strength ?? 0,
      )
      return sum + share * (earlier! + later!)
    }, 0)
    const before = hits.get(place(hit.conversation, hit.position - 1))
    const context =
      around +
      (before?.hit.asks ? WEIGHTS.answer * before.strength : 0) +
      WEIGHTS.conversation * best.get(hit.conversation)! +
      WEIGHTS.summary * (summaries.get(hit.conversation) ?? 0)
    const { score = 0, matched = [] } = similar.get(id) ?? {}
    const nextDoor = Math.max(
      ...[hit.position - 1, hit.position + 1].map((position) => {
        const neighbour = hits.get(place(hit.conversation, position))
        return (neighbour && similar.get(neighbour.id)?.score) ?? 0
      }),
    )
    const similarity = Math.max(score, nextDoor * BY_ASSOCIATION)
    return { ...hit, rank: strength * ownShare(hit) + context, similarity, matched }
  })
  return ranked.sort((a, b) => b.rank - a.rank || (a.exchange < b.exchange ? -1 : 1))
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

function place(conversation: string, position: number): string {
  return `${position} ${conversation}`
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

/** Words and meaning on one scale, relative to the best and the ordinary candidate of this very search. */
function strengths(evidence: readonly CollectionEvidence[]): Map<string, number> {
  const strongest = evidence.reduce((highest, { bm25 }) => Math.max(highest, bm25), 0)
  const byVector = relative(evidence.flatMap(({ cosine }) => cosine ?? []))
  const byTokens = relative(evidence.flatMap(({ nearness }) => nearness ?? []))
  return new Map(
    evidence.map(({ id, bm25, coverage, cosine, nearness }) => {
      const words = strongest > 0 ? WEIGHTS.words * (bm25 / strongest) + WEIGHTS.coverage * coverage : 0
      const { compared } = WEIGHTS
      const meaning =
        nearness === undefined
          ? WEIGHTS.meaning * byVector(cosine)
          : compared.meaning * byVector(cosine) + compared.nearness * byTokens(nearness)
      return [id, words + meaning]
    }),
  )
}

/** 0 for the ordinary of these values and what lies below, 1 for the highest. */
function relative(values: readonly number[]): (value: number | undefined) => number {
  const sorted = values.toSorted((a, b) => a - b)
  const ordinary = sorted[Math.floor(sorted.length / 2)] ?? 0
  const span = Math.max(1e-6, (sorted.at(-1) ?? 0) - ordinary)
  return (value) => (value === undefined ? 0 : Math.max(0, (value - ordinary) / span))
}

function summaryStrengths(evidence: readonly CollectionEvidence[]): Map<string, number> {
  const own = strengths(evidence)
  return new Map(evidence.map(({ id, payload }) => [String(payload['conversation']), own.get(id)!]))
}
