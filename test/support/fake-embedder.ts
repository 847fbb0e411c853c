import type { Embedder, EmbedderHealth } from '../../src/embedding/embedder.ts'
import { RalphError } from '../../src/errors.ts'

const DIMENSIONS = 64

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
    this.id = `fake:${model}`
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.down)
      throw new RalphError('unavailable', 'the fake embedder is down', { hint: 'start it', retryable: true })
    this.usage.requests++
    this.usage.texts += texts.length
    return texts.map(vectorOf)
  }

  async check(): Promise<EmbedderHealth> {
    return this.down ? { ok: false, detail: 'down', hint: 'start it' } : { ok: true, detail: 'fake' }
  }

  async close(): Promise<void> {
    // nothing is open
  }
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let hash = 7
    for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % 9973
    vector[hash % DIMENSIONS]! += 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
