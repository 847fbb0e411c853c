import { SketchScorer } from '../sketch.ts'
import { best } from './best.ts'
import { HAS_VECTOR } from './chunks.ts'
import type { Layout } from './layout.ts'
import type { Passing } from './passing.ts'
import { cosineWith } from './rounded-vector.ts'
import type { Room, SearchRows } from './search-rows.ts'

/** So many times as many as wanted are sorted by their sketches at first: almost always enough. */
const FIRST_LOOK = 4
/** Where all are about equally near, as no texts are. */
const LAST_LOOK = 40
/** Fusion wants twice as many as are shown: the search ends when nothing is left that could come among the better half. */
const BETTER_PART = 0.5
/** Hardly any vector is so many deviations nearer than its sketch lets expect. */
const DEVIATIONS = 3.5

export interface Searched {
  rows: SearchRows
  layout: Layout
  room: Room
  passing: Passing
}

/** Adds the documents nearest in meaning to `found`, and notes the true likeness of all that is found then; not a number for what has none. */
export function findNearest(
  searched: Searched,
  question: Float32Array,
  wanted: number,
  found: Set<number>,
): void {
  scoreSketches(searched, question)
  scoreVectors(searched, [...found], question)
  for (const position of nearest(searched, question, wanted)) found.add(position)
}

/**
 * Sketches are rough: the best by them are looked at again with their vectors, in turns, until what is left could come among
 * the best only by chance, judged by how far sketches and vectors have differed so far.
 */
function nearest(searched: Searched, question: Float32Array, wanted: number): number[] {
  const { rough, cosines } = searched.room
  const { tieBreaks } = searched.layout
  const trend = new Trend()
  let kept: number[] = []
  let queue = bestBySketch(searched, wanted * FIRST_LOOK)
  for (let at = 0; at < queue.length; at += wanted) {
    const turn = queue.slice(at, at + wanted)
    scoreVectors(searched, turn, question)
    const sound = turn.filter((position) => !Number.isNaN(cosines[position]))
    for (const position of sound) trend.add(rough[position]!, cosines[position]!)
    kept = [...kept, ...sound]
      .sort((a, b) => cosines[b]! - cosines[a]! || tieBreaks[a]! - tieBreaks[b]!)
      .slice(0, wanted)
    const worst = kept[Math.ceil(wanted * BETTER_PART) - 1]
    const reach = trend.expected(rough[turn.at(-1)!]!) + DEVIATIONS * trend.deviation()
    if (worst !== undefined && reach < cosines[worst]!) break
    if (at + wanted >= queue.length && queue.length === wanted * FIRST_LOOK)
      queue = bestBySketch(searched, wanted * LAST_LOOK)
  }
  return kept
}

/** The nearest first. */
function bestBySketch({ rows, layout, room, passing }: Searched, count: number): number[] {
  const { flags, tieBreaks } = layout
  const mayBeNear = (position: number) =>
    (flags[position]! & HAS_VECTOR) !== 0 && passing.passes(position, rows)
  return best(room.rough, mayBeNear, tieBreaks, count).sort(
    (a, b) => room.rough[b]! - room.rough[a]! || tieBreaks[a]! - tieBreaks[b]!,
  )
}

function scoreSketches({ rows, layout, room, passing }: Searched, question: Float32Array): void {
  const scorer = new SketchScorer(question)
  for (const { number, start } of layout.chunks) {
    scorer.score(rows.sketches(number), passing.possible, room.rough, start)
  }
  for (const [at, { sketch }] of layout.loose.entries.entries()) {
    if (sketch) scorer.score(sketch, passing.possible, room.rough, layout.loose.start + at)
  }
}

function scoreVectors(
  { rows, layout, room }: Searched,
  positions: readonly number[],
  question: Float32Array,
): void {
  const hasVector = (position: number) => (layout.flags[position]! & HAS_VECTOR) !== 0
  const stored = positions.filter(hasVector)
  const numbers = stored.map((position) => layout.documents[position]!)
  const vectors = rows.vectors(numbers, question.length)
  for (const position of positions) room.cosines[position] = Number.NaN
  for (const [at, position] of stored.entries()) {
    const vector = vectors[at]
    if (vector) room.cosines[position] = cosineWith(vector, question)
  }
}

/** What one number lets expect of another: a line through all that was seen, and how far that lies from it. */
class Trend {
  #count = 0
  #x = 0
  #y = 0
  #xx = 0
  #xy = 0
  #yy = 0

  add(x: number, y: number): void {
    this.#count++
    this.#x += x
    this.#y += y
    this.#xx += x * x
    this.#xy += x * y
    this.#yy += y * y
  }

  expected(x: number): number {
    return (this.#y + this.#slope() * (x * this.#count - this.#x)) / this.#count
  }

  deviation(): number {
    const around = this.#yy - this.#y ** 2 / this.#count
    const explained = this.#slope() ** 2 * this.#spread()
    return Math.sqrt(Math.max(0, around - explained) / this.#count)
  }

  /** Among few that are close together it may seem to fall, which it never does. */
  #slope(): number {
    const spread = this.#spread()
    return spread > 0 ? Math.max(0, (this.#xy - (this.#x * this.#y) / this.#count) / spread) : 0
  }

  #spread(): number {
    return this.#xx - this.#x ** 2 / this.#count
  }
}
