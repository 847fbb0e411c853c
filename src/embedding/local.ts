import { setImmediate as nextTurn } from 'node:timers/promises'
import { isRalphError, messageOf, RalphError, throwIfAborted } from '../errors.ts'
import type { Notice } from '../notices.ts'
import { MEASURED } from './calibration.ts'
import type { Embedder, EmbedderHealth, EmbeddingKind } from './embedder.ts'
import { BackgroundEncoder } from './local/background-encoder.ts'
import { openRuntime, type RuntimeOptions } from './local/open-runtime.ts'
import type { Encoder, Runtime } from './local/runtime.ts'
import { Safetensors } from './local/safetensors.ts'
import { LONGEST_TEXT } from './local/tokenizer.ts'

import { embedNonBlank } from './vectors.ts'

const MODEL = 'all-MiniLM-L6-v2'
const MAX_BATCH = 256
/** Up to this many texts are done before another process would have loaded the model. */
const MOST_HERE = 16

export interface LocalOptions extends RuntimeOptions {
  onNotice?: (notice: Notice) => void
}

/**
 * The embedder that works offline straight after installation. Opening finds out how the model can run here, which
 * decides the vectors' identity; the model itself is loaded by the first `embed`.
 */
export async function openLocalEmbedder({ onNotice = ignore, ...options }: LocalOptions): Promise<Embedder> {
  const { model, runtime } = await openRuntime(options, onNotice)
  const weights = Safetensors.open(model.weightsPath)
  const identity = `local:${MODEL}:${model.dimensions}:${runtime.identity}:${weights.fingerprint()}`
  weights.close()
  const background = new BackgroundEncoder({ ...options, runtime: runtime.kind }, onNotice)
  return new LocalEmbedder({ identity, dimensions: model.dimensions, runtime, background, onNotice })
}

interface Parts {
  identity: string
  dimensions: number
  runtime: Runtime
  background: BackgroundEncoder
  onNotice: (notice: Notice) => void
}

class LocalEmbedder implements Embedder {
  readonly id: string
  readonly model = MODEL
  readonly dimensions: number
  readonly maxBatch = MAX_BATCH
  readonly calibration = MEASURED
  readonly usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  readonly #parts: Parts
  #encoder: Promise<Encoder> | undefined

  constructor(parts: Parts) {
    this.id = parts.identity
    this.dimensions = parts.dimensions
    this.#parts = parts
  }

  async embed(texts: readonly string[], _kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    throwIfAborted(signal)
    this.usage.requests++
    this.usage.texts += texts.length
    return embedNonBlank(texts, this.dimensions, (telling) => {
      const cut = telling.map((text) => text.slice(0, LONGEST_TEXT).toWellFormed())
      return cut.length > MOST_HERE ? this.#embedInBackground(cut, signal) : this.#embedHere(cut, signal)
    })
  }

  async check(): Promise<EmbedderHealth> {
    return { ok: true, detail: this.#parts.runtime.detail }
  }

  async close(): Promise<void> {
    await this.#parts.background.close()
    const encoder = this.#encoder
    this.#encoder = undefined
    await (await encoder)?.close()
  }

  async #embedInBackground(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    try {
      const { vectors, tokens } = await this.#parts.background.encodeAll(texts, signal)
      this.usage.tokens += tokens
      return vectors
    } catch (error) {
      throwIfAborted(signal)
      this.#parts.onNotice({
        key: 'embedding-background',
        message: `Embedding in the background failed (${messageOf(error)}); going on in the foreground.`,
      })
      return this.#embedHere(texts, signal)
    }
  }

  async #embedHere(texts: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const encoder = await this.#load()
    const vectors: Float32Array[] = []
    for (const text of texts) {
      // Each text holds the thread for milliseconds: between two, others get their turn.
      if (vectors.length > 0) await nextTurn()
      throwIfAborted(signal)
      const { vector, tokens } = await encoder.encode(text)
      vectors.push(vector)
      this.usage.tokens += tokens
    }
    return vectors
  }

  #load(): Promise<Encoder> {
    this.#encoder ??= this.#parts.runtime.load().catch((error: unknown) => {
      this.#encoder = undefined
      if (isRalphError(error)) throw error
      throw new RalphError('unavailable', `the embedding model does not run here: ${messageOf(error)}`, {
        hint: 'Run: ralph doctor',
        cause: error,
      })
    })
    return this.#encoder
  }
}

function ignore(): void {
  // The caller does not want to hear about it.
}
