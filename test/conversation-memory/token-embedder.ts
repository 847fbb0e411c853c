import type { TokenVectors } from '../../src/embedding/embedder.ts'
import { searchTerms } from '../../src/text/words.ts'
import { type MeaningEmbedder, meaningEmbedder, meaningOf } from './meaning.ts'

const DIMENSIONS = 128

/**
 * Tells what each word means, and next to nothing by its vectors: all of them are alike. So what is found by meaning is found
 * token by token. Of the same identity as the one that tells no tokens, as an older version of it would be.
 */
export function tokenEmbedder(): MeaningEmbedder {
  const embedder = meaningEmbedder()
  const { embed } = embedder
  const alike = (vector: Float32Array) => vector.map((_, at) => (at === 0 ? 1 : 0))
  embedder.embed = async (texts, kind, signal) => (await embed(texts, kind, signal)).map(alike)
  embedder.embedTokens = async (texts, kind, signal) => {
    const vectors = await embedder.embed(texts, kind, signal)
    return texts.map((text, at) => ({ vector: vectors[at]!, tokens: tokensOf(text) }))
  }
  return embedder
}

function tokensOf(text: string): TokenVectors {
  const { words } = searchTerms(text)
  const vectors = new Float32Array(words.length * DIMENSIONS)
  for (const [at, word] of words.entries()) vectors.set(vectorOf(meaningOf(word)), at * DIMENSIONS)
  return { weights: new Float32Array(words.length).fill(1), vectors }
}

/** Of two meanings, far apart. */
function vectorOf(meaning: string): Float32Array {
  let state = 2_166_136_261
  for (const letter of meaning) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619) >>> 0
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state & 0x40000000 ? 1 : -1) / Math.sqrt(DIMENSIONS)
  })
}
