import type { EmbeddingKind, TokenVectors } from '../embedder.ts'
import { DIMENSIONS } from './graph.ts'

/** Words stand in the vocabulary by how common they are, commonest first, behind what is reserved and single characters. */
const FIRST_WORD = 1_996
const WORDS = 28_526
const LEAST_TELLING = 0.1

/** So many vectors stand for a document; where it has more tokens, neighbours are taken together. */
const MOST_OF_DOCUMENT = 52

/** What the tokens of a text mean, of a question the most telling first; `hidden` is what the model made of each. */
export function tellingTokens(
  tokens: readonly number[],
  hidden: Float32Array,
  marks: ReadonlySet<number>,
  kind: EmbeddingKind,
): TokenVectors {
  const telling = [...tokens.keys()].filter((at) => !marks.has(tokens[at]!))
  const groups =
    kind === 'document'
      ? neighbours(telling, MOST_OF_DOCUMENT)
      : telling.sort((a, b) => tellingness(tokens[b]!) - tellingness(tokens[a]!)).map((at) => [at])
  const weights = new Float32Array(groups.length)
  const vectors = new Float32Array(groups.length * DIMENSIONS)
  for (const [group, members] of groups.entries()) {
    const vector = vectors.subarray(group * DIMENSIONS, (group + 1) * DIMENSIONS)
    for (const at of members) {
      const weight = tellingness(tokens[at]!)
      weights[group] = Math.max(weights[group]!, weight)
      add(vector, hidden.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS), weight)
    }
    scale(vector, 1)
  }
  return { weights, vectors }
}

/** The root of how rare a word is, as far as its place in the vocabulary tells: frequencies fall as places rise. */
function tellingness(token: number): number {
  const place = token - FIRST_WORD + 1
  return Math.sqrt(place < 1 ? LEAST_TELLING : Math.max(LEAST_TELLING, Math.log(1 + place) / Math.log(WORDS)))
}

/** In at most so many groups of nearly the same size. */
function neighbours(all: readonly number[], most: number): number[][] {
  const groups = Math.min(all.length, most)
  const start = (group: number) => Math.floor((group * all.length) / groups)
  return Array.from({ length: groups }, (_, group) => all.slice(start(group), start(group + 1)))
}

function add(sum: Float32Array, vector: Float32Array, weight: number): void {
  const factor = weight / lengthOf(vector)
  for (const [at, value] of vector.entries()) sum[at]! += value * factor
}

function scale(vector: Float32Array, length: number): void {
  const factor = length / lengthOf(vector)
  for (const [at, value] of vector.entries()) vector[at] = value * factor
}

function lengthOf(vector: Float32Array): number {
  let sum = 0
  for (const value of vector) sum += value * value
  return Math.sqrt(sum) || 1
}
