import { MEASURED } from '../../src/embedding/calibration.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { RalphError } from '../../src/errors.ts'
import { searchTerms } from '../../src/text/words.ts'

/** Words that mean the same, so that a test can ask in other words than it stored. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['timeout', 'hang', 'stall'],
  ['login', 'signin', 'authentication'],
  ['fast', 'quick', 'speed'],
  ['database', 'postgres', 'sql'],
]
const DIMENSIONS = 64

export interface MeaningEmbedder extends Embedder {
  /** Texts embedded so far. */
  readonly embedded: string[]
  /** What the next calls do; empty: they work. */
  trouble: (Error | 'hang')[]
}

/** Small and exact: equal words give equal directions, synonyms too. Fails on command. */
export function meaningEmbedder(id = 'test:meaning'): MeaningEmbedder {
  const embedded: string[] = []
  const embedder: MeaningEmbedder = {
    id,
    model: 'meaning',
    dimensions: DIMENSIONS,
    maxBatch: 50,
    calibration: MEASURED,
    usage: { requests: 0, texts: 0, tokens: 0, costUsd: 0 },
    embedded,
    trouble: [],
    async embed(texts, kind, signal) {
      const trouble = embedder.trouble.shift()
      if (trouble === 'hang') {
        await new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new RalphError('cancelled', 'cancelled'))),
        )
      } else if (trouble) throw trouble
      if (kind === 'document') embedded.push(...texts)
      return texts.map(vectorOf)
    },
    check: async () => ({ ok: true, detail: 'test' }),
    close: async () => undefined,
  }
  return embedder
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const word of searchTerms(text).words) {
    const group = SYNONYMS.find((words) => words.some((one) => searchTerms(one).words[0] === word))
    const name = group?.[0] ?? word
    let hash = 2_166_136_261
    for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0
    vector[hash % DIMENSIONS]! += hash & 0x10000 ? 1 : -1
    vector[(hash >>> 8) % DIMENSIONS]! += hash & 0x20000 ? 1 : -1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
