import { MEASURED } from '../../src/embedding/calibration.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { RalphError, throwIfAborted } from '../../src/errors.ts'
import { searchTerms } from '../../src/text/words.ts'

/** Words that mean the same, so that a test can ask in other words than it stored. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['timeout', 'hang', 'stall'],
  ['login', 'signin', 'authentication'],
  ['fast', 'quick', 'speed'],
  ['database', 'postgres', 'sql'],
]
/** One for each hash of a word, and one for texts without any. */
const HASHES = 64
const DIMENSIONS = HASHES + 1

export interface MeaningEmbedder extends Embedder {
  /** Texts embedded so far. */
  readonly embedded: string[]
  /** What the next calls do; empty: they work. */
  trouble: (Error | 'hang')[]
}

/** Small and exact: equal words give equal directions, synonyms too. Fails on command. */
export function meaningEmbedder(id = `test:meaning:${DIMENSIONS}`): MeaningEmbedder {
  const embedded: string[] = []
  const usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  const embedder: MeaningEmbedder = {
    id,
    model: 'meaning',
    dimensions: DIMENSIONS,
    maxBatch: 50,
    calibration: MEASURED,
    usage,
    embedded,
    trouble: [],
    async embed(texts, kind, signal) {
      throwIfAborted(signal)
      const trouble = embedder.trouble.shift()
      if (trouble === 'hang') {
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new RalphError('cancelled', 'cancelled'))),
        )
      } else if (trouble) throw trouble
      if (kind === 'document') embedded.push(...texts)
      const words = texts.map((text) => searchTerms(text).words)
      usage.requests++
      usage.texts += texts.length
      usage.tokens += words.flat().length
      return words.map(vectorOf)
    },
    check: async () => ({ ok: true, detail: 'test' }),
    close: async () => undefined,
  }
  return embedder
}

/** The same for words that mean the same. */
export function meaningOf(word: string): string {
  const group = SYNONYMS.find((words) => words.some((one) => searchTerms(one).words[0] === word))
  return group?.[0] ?? word
}

function vectorOf(words: readonly string[]): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  if (words.length === 0) vector[HASHES] = 1
  for (const word of words) {
    const name = meaningOf(word)
    let hash = 2_166_136_261
    for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0
    vector[hash % HASHES]! += hash & 0x10000 ? 1 : -1
    vector[(hash >>> 8) % HASHES]! += hash & 0x20000 ? 1 : -1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
