import { calibrated, MEASURED } from '../embedding/calibration.ts'
import type { Calibration } from '../embedding/embedder.ts'
import { inverseDocumentFrequency } from '../search-index/terms.ts'
import { type ChanceTable, chanceAmong } from './chance.ts'
import type { Examined } from './examine.ts'
import { type FusionOptions, type Hit, reasons, strongestFirst } from './fusion.ts'
import { beyondVectors, handedOut } from './long-documents.ts'
import { inItsSurroundings, saidBySurroundings } from './surroundings.ts'

/** From the product's scale to cosines of the model that it was measured with. */
const BACK: Calibration = MEASURED.map(([cosine, score]) => [score, cosine] as const)

/** A word or two in common is mostly chance: the share of the words that are there counts more than in proportion. */
const SHARPNESS = 2
/**
 * Of a short question, common words of the language count so much of what others do: among fifty documents a word may well be in
 * one only, and tell nothing ("nobody", "night", "keep"). And a share that is no greater than this is chance.
 */
const COMMON = 0.3
const LEAST_SHARE = 0.1
/** With no more pairs of words a question is a name or some keywords, of which each is meant; with so many it is a sentence. */
const SENTENCE = { from: 1, full: 4 } as const
/** Beyond all that a short question needs, words mostly decide between those that have it all. */
const MORE_THAN_ALL = 0.3
/** Words that stand together as they do in the question count once more, half. */
const TOGETHER = 0.5
/** Of a long question so many pairs are all that can be expected; the same goes for its words. */
const MOST_PAIRS = 8
/** Among so many, the richest in words, it is counted how telling a pair is. */
const COMPARED = 30
/** Any two lines share a quarter of their pieces of three letters; beyond that, this is what the same line is worth. */
const SAME_LINE = { from: 0.25, worth: 0.7 } as const
/** Words that meaning does not bear out count half; from the second likeness on, in full. Many words in common are no chance. */
const BORNE_OUT = { from: 0.1, full: 0.4, least: 0.5 } as const

/**
 * Between long documents words that stand together count in full; for a short question words count so many times more, all of
 * them, and need not be borne out.
 */
const BETWEEN_LONG = { more: 3, together: 1 } as const

export interface RankingOptions extends FusionOptions {
  /** The question has many more words than a document needs to have. */
  isLong?: boolean
  /** How many neighbouring words the question has. */
  pairs?: number
}

/**
 * Ranks notes and solutions, long and short, by how like the question they are: likeness = meaning + (1 − meaning) × words, on
 * the scale of cosines of the model that everything was measured with. What the words are worth depends on the question
 * and the document, not on the best hit (but for long questions, see below): so a few shared words never push the right answer
 * to a paraphrase off its place, and the score depends on what else was found only where it is weak (`surroundings.ts`) and where
 * long documents change places (`long-documents.ts`). Measured in docs/decisions/search-index.md.
 */
export function rankHits(candidates: readonly Examined[], options: RankingOptions): Hit[] {
  const { calibration, isLong = false, pairs = 0 } = options
  const telling = tellingPairs(candidates, pairs)
  const together = candidates.map(({ pairs: own = [] }) => {
    const told = own.reduce((sum, pair) => sum + telling[pair]!, 0)
    return told / Math.max(1, Math.min(pairs, MOST_PAIRS))
  })
  const sharesWith = (worth: number, loose: number) => {
    const shares = candidates.map(
      ({ wordShare, commonShare }, at) =>
        wordShare - loose * (1 - COMMON) * commonShare + worth * together[at]!,
    )
    // A long question can be met in far more words than it takes to tell: then the best is the measure. Of a short one all is all.
    const whole = isLong ? shares.reduce((highest, share) => Math.max(highest, share), 1) : 1
    return shares.map((share) => beyondLeast(share / whole, loose * LEAST_SHARE))
  }
  const beyond = beyondVectors(candidates.flatMap(({ length }) => length ?? []))
  const loose = isLong ? 0 : sentenceOf(pairs)
  const shares = sharesWith(TOGETHER, loose)
  const deciding = sharesWith(TOGETHER + (BETWEEN_LONG.together - TOGETHER) * beyond, loose * (1 - beyond))
  const found = candidates.map(({ id, payload, cosine, among, headline }, at) => {
    const meaning = cosine === undefined ? 0 : calibrated(calibrated(cosine, calibration), BACK)
    const isBorneOut = isLong || cosine === undefined
    const wordsWorth = (share: number, long: number) =>
      eitherOf(worthOfWords(share, isBorneOut ? undefined : meaning, long), worthOfLine(headline))
    const words = wordsWorth(shares[at]!, 0)
    const matched = reasons(scoreOf(meaning, among), scoreOf(words, among))
    const order = eitherOf(meaning, wordsWorth(deciding[at]!, isLong ? 0 : beyond))
    return { id, payload, cosine, among, meaning, likeness: eitherOf(meaning, words), order, matched }
  })
  // What was found by words alone, since it has no vector yet, says nothing of the others.
  const compared = found.filter(({ cosine }) => cosine !== undefined)
  const said = saidBySurroundings(compared, candidates[0]?.among ?? 0)
  const likenesses = handedOut(
    found.map(({ likeness }) => likeness),
    found.map(({ order }) => order),
  )
  const hits = found.map(({ id, payload, among, matched }, at) => {
    const score = scoreOf(inItsSurroundings(likenesses[at]!, said, chanceAmong(among, CHANCE)), among)
    return { id, payload, score, matched }
  })
  return strongestFirst(hits, options)
}

/** By their place in the question: 1 for a pair that one candidate has, less the more have it. */
function tellingPairs(candidates: readonly Examined[], pairs: number): number[] {
  const richest = candidates
    .toSorted((a, b) => b.wordShare - a.wordShare || (a.id < b.id ? -1 : 1))
    .slice(0, COMPARED)
  const having = new Array<number>(pairs).fill(0)
  for (const { pairs: own = [] } of richest) for (const pair of own) having[pair]!++
  const most = inverseDocumentFrequency(richest.length, 1)
  return having.map((count) => (count === 0 ? 0 : inverseDocumentFrequency(richest.length, count) / most))
}

/** Two kinds of evidence, each of which may be right. */
function eitherOf(one: number, other: number): number {
  return one + (1 - one) * other
}

function worthOfLine(alike = 0): number {
  const { from, worth } = SAME_LINE
  return (worth * Math.max(0, alike - from)) / (1 - from)
}

/** `long`: how far the documents are longer than what meaning tells of, 0 to 1. */
function worthOfWords(share: number, meaning: number | undefined, long: number): number {
  const { from, full, least } = BORNE_OUT
  const byMeaning = meaning === undefined ? 1 : Math.min(1, (meaning - from) / (full - from))
  const borneOut = Math.max(byMeaning, long)
  const weight = (1 + BETWEEN_LONG.more * long) * (least + (1 - least) * borneOut)
  return 1 - Math.exp(-(withinAll(share) ** SHARPNESS) * weight)
}

/** How far a question with so many pairs of words is a sentence, which has words that it is not about, 0 to 1. */
function sentenceOf(pairs: number): number {
  const { from, full } = SENTENCE
  return Math.min(1, Math.max(0, (pairs - from) / (full - from)))
}

function beyondLeast(share: number, least: number): number {
  return Math.max(0, (share - least) / (1 - least))
}

function withinAll(share: number): number {
  return share <= 1 ? share : 1 + (share - 1) * MORE_THAN_ALL
}

/**
 * The likeness that a question about something else reaches in one of ten cases, somewhere in a collection of so many
 * documents: more of them bring more chance. Measured on collections of notes, sessions, patches, lints, commands and commits;
 * with few documents it stays where a right answer in quite other words is still shown.
 */
const CHANCE: ChanceTable = [
  [10, 0.25],
  [20, 0.27],
  [72, 0.345],
  [200, 0.44],
  [1_000, 0.52],
  [3_000, 0.54],
  [10_000, 0.58],
]
/** What is no more than chance is no more than possibly relevant. */
const BARELY = 0.25

/**
 * Likeness beyond chance on the one scale. From 0.7 on, nothing was shown to a question about something else, and the best
 * hits are right at least as often as the score says (docs/decisions/search-index.md).
 */
const SCALE: Calibration = [
  [0, 0],
  [BARELY, 0.4],
  [0.38, 0.55],
  [0.46, 0.7],
  [0.5, 0.75],
  [0.75, 0.9],
  [1, 1],
]

/** On the one scale, so that 0.4 means the same in a collection of ten and of ten thousand. */
function scoreOf(likeness: number, among: number): number {
  const chance = chanceAmong(among, CHANCE)
  const beyond =
    likeness < chance
      ? (BARELY * likeness) / chance
      : BARELY + ((likeness - chance) * (1 - BARELY)) / (1 - chance)
  return calibrated(beyond, SCALE)
}
