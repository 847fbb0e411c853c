import type { TokenVectors } from '../../embedding/embedder.ts'
import { SketchScorer, sketchBytes, sketchOf } from '../../search-index/sketch.ts'

/**
 * Late interaction: a question is compared with a document token by token. Each token of the question looks for the
 * one in the document that comes nearest to it where it stands; how near, weighted by how telling the question's token is,
 * is what the document scores. Of the document's tokens one bit a dimension is kept.
 */

/**
 * Of each token, several dimensions sharing one: all the tokens of a text by a third of their bits tell more than a third of the
 * tokens by all (measured in docs/decisions/conversations.md).
 */
const BITS = 128
/** A long question is known by its most telling tokens; comparing costs time for each. */
const MOST_ASKED = 32

/** End to end; empty for a text without a telling token. */
export function sketchTokens({ weights, vectors }: TokenVectors): Uint8Array {
  const width = sketchBytes(BITS)
  const sketches = new Uint8Array(weights.length * width)
  for (let token = 0; token < weights.length; token++)
    sketches.set(sketchOf(folded({ weights, vectors }, token)), token * width)
  return sketches
}

/** How near a document comes to each token of a question. */
export class TokenLikeness {
  readonly #nearest: Float32Array
  readonly #shares: Float32Array

  /** `nearest` up to about 1; `shares` are what each of the question's tokens counts, 1 together, the same for all that is compared with it. */
  constructor(nearest: Float32Array, shares: Float32Array) {
    this.#nearest = nearest
    this.#shares = shares
  }

  /**
   * How near it comes on the whole, up to about 1. What it does not say itself may be said by those around it: each of the
   * question's tokens is looked for in them, too, and found there counts so much `less`.
   */
  nearness(around: readonly { likeness: TokenLikeness; less: number }[] = []): number {
    let nearness = 0
    for (const [token, share] of this.#shares.entries()) {
      let best = this.#nearest[token]!
      for (const { likeness, less } of around) best = Math.max(best, likeness.#nearest[token]! - less)
      nearness += share * best
    }
    return nearness
  }
}

/** Of each document; undefined where there are no sketches or what cannot be some. */
export function likenessByTokens(
  question: TokenVectors,
  documents: readonly (Uint8Array | undefined)[],
): (TokenLikeness | undefined)[] {
  const width = sketchBytes(BITS)
  const isSound = (sketches: Uint8Array | undefined): sketches is Uint8Array =>
    sketches !== undefined && sketches.length > 0 && sketches.length % width === 0
  const sound = documents.filter(isSound)
  const shares = sharesOf(question.weights.subarray(0, MOST_ASKED))
  if (sound.length === 0 || shares.length === 0) return documents.map(() => undefined)
  const all = joined(sound)
  const likeness = new Float32Array(all.length / width)
  const everyone = new Uint8Array(likeness.length).fill(1)
  const found = sound.map(() => new Float32Array(shares.length))
  // A sketch's length is the root of its dimensions, the asked vector's is 1.
  const scale = 1 / Math.sqrt(BITS)
  for (let token = 0; token < shares.length; token++) {
    new SketchScorer(folded(question, token)).score(all, everyone, likeness, 0)
    let next = 0
    for (const [at, sketches] of sound.entries()) {
      let nearest = Number.NEGATIVE_INFINITY
      for (const end = next + sketches.length / width; next < end; next++)
        if (likeness[next]! > nearest) nearest = likeness[next]!
      found[at]![token] = nearest * scale
    }
  }
  let next = 0
  return documents.map((sketches) =>
    isSound(sketches) ? new TokenLikeness(found[next++]!, shares) : undefined,
  )
}

function sharesOf(weights: Float32Array): Float32Array {
  const mass = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => weight / Math.max(1e-6, mass))
}

/** Each dimension added to the one it shares a bit with; of unit length again. */
function folded({ weights, vectors }: TokenVectors, token: number): Float32Array {
  const dimensions = vectors.length / weights.length
  const sums = new Float32Array(BITS)
  for (let at = 0; at < dimensions; at++) sums[at % BITS]! += vectors[token * dimensions + at]!
  let squares = 0
  for (const value of sums) squares += value * value
  const factor = 1 / (Math.sqrt(squares) || 1)
  return sums.map((value) => value * factor)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
