import type { Embedder, EmbedderHealth, EmbeddingKind } from '../../src/embedding/embedder.ts'
import { RalphError, throwIfAborted } from '../../src/errors.ts'

/** One for each hash of a word, and one for texts without any. */
const HASHES = 64
const DIMENSIONS = HASHES + 1

/** A bag of hashed words: deterministic, instant, and close for texts that share words. Counts what it embeds. */
export class FakeEmbedder implements Embedder {
  readonly id: string
  readonly model: string
  readonly dimensions = DIMENSIONS
  readonly maxBatch = 8
  readonly calibration = [
    [0, 0],
    [1, 1],
  ] as const
  readonly usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  down = false

  constructor(model = 'fake') {
    this.model = model
    this.id = `fake:${model}:${DIMENSIONS}`
  }

  async embed(texts: readonly string[], _kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    throwIfAborted(signal)
    if (this.down)
      throw new RalphError('unavailable', 'the fake embedder is down', { hint: 'start it', retryable: true })
    this.usage.requests++
    this.usage.texts += texts.length
    const words = texts.map((text) => text.toLowerCase().match(/\p{L}+/gu) ?? [])
    this.usage.tokens += words.flat().length
    return words.map(vectorOf)
  }

  async check(): Promise<EmbedderHealth> {
    return this.down ? { ok: false, detail: 'down', hint: 'start it' } : { ok: true, detail: 'fake' }
  }

  async close(): Promise<void> {
    // nothing is open
  }
}

function vectorOf(words: readonly string[]): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  if (words.length === 0) vector[HASHES] = 1
  for (const word of words) {
    let hash = 7
    for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % 9973
    vector[hash % HASHES]! += 1
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
