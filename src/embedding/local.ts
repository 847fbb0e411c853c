import { setImmediate as nextTurn } from 'node:timers/promises'
import { isRalphError, messageOf, RalphError, throwIfAborted } from '../errors.ts'
import type { Notice } from '../notices.ts'
import type { Calibration, Embedder, EmbedderHealth, EmbeddingKind, TokenVectors } from './embedder.ts'
import { BackgroundEncoder } from './local/background-encoder.ts'
import { openRuntime, type RuntimeOptions } from './local/open-runtime.ts'
import type { Encoded, EncodeOptions, Encoder, Runtime } from './local/runtime.ts'
import { LONGEST_TEXT } from './local/tokenizer.ts'

import { blankVector, ofNonBlank } from './vectors.ts'

const MODEL = 'all-MiniLM-L6-v2'
const MAX_BATCH = 256
/** Up to this many texts are done before another process would have loaded the model. */
const MOST_HERE = 16
const NO_TOKENS: TokenVectors = { weights: new Float32Array(), vectors: new Float32Array() }

export interface LocalOptions extends RuntimeOptions {
  onNotice?: (notice: Notice) => void
}

/**
 * The embedder that works offline straight after installation. Opening finds out how the model can run here, which
 * decides the vectors' identity; the model itself is loaded by the first `embed`.
 */
export async function openLocalEmbedder({ onNotice = ignore, ...options }: LocalOptions): Promise<Embedder> {
  const { model, fingerprint, runtime } = await openRuntime(options, onNotice)
  const identity = `local:${MODEL}:${model.dimensions}:${runtime.identity}:${fingerprint}`
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
  readonly calibration: Calibration
  readonly usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  readonly embedTokens?: NonNullable<Embedder['embedTokens']>
  readonly #parts: Parts
  #encoder: Promise<Encoder> | undefined

  constructor(parts: Parts) {
    this.id = parts.identity
    this.dimensions = parts.dimensions
    this.calibration = parts.runtime.calibration
    this.#parts = parts
    if (parts.runtime.tellsTokens) {
      this.embedTokens = async (texts, kind, signal) => {
        const encoded = await this.#encode(texts, { tokens: kind }, signal)
        return encoded.map(({ vector, tokenVectors: tokens = NO_TOKENS }) => ({ vector, tokens }))
      }
    }
  }

  async embed(texts: readonly string[], _kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    const encoded = await this.#encode(texts, {}, signal)
    return encoded.map(({ vector }) => vector)
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

  async #encode(
    texts: readonly string[],
    options: EncodeOptions,
    signal: AbortSignal | undefined,
  ): Promise<Encoded[]> {
    throwIfAborted(signal)
    this.usage.requests++
    this.usage.texts += texts.length
    const blank = () => ({ vector: blankVector(this.dimensions), tokens: 0 })
    const encoded = await ofNonBlank<Encoded>(texts, blank, (telling) => {
      const cut = telling.map((text) => text.slice(0, LONGEST_TEXT).toWellFormed())
      return cut.length > MOST_HERE
        ? this.#encodeInBackground(cut, options, signal)
        : this.#encodeHere(cut, options, signal)
    })
    for (const { tokens } of encoded) this.usage.tokens += tokens
    return encoded
  }

  async #encodeInBackground(
    texts: readonly string[],
    options: EncodeOptions,
    signal: AbortSignal | undefined,
  ): Promise<Encoded[]> {
    try {
      return await this.#parts.background.encodeAll(texts, options, signal)
    } catch (error) {
      throwIfAborted(signal)
      this.#parts.onNotice({
        key: 'embedding-background',
        message: `Embedding in the background failed (${messageOf(error)}); going on in the foreground.`,
      })
      return this.#encodeHere(texts, options, signal)
    }
  }

  async #encodeHere(
    texts: readonly string[],
    options: EncodeOptions,
    signal: AbortSignal | undefined,
  ): Promise<Encoded[]> {
    const encoder = await this.#load()
    const encoded: Encoded[] = []
    for (const text of texts) {
      // Each text holds the thread for milliseconds: between two, others get their turn.
      if (encoded.length > 0) await nextTurn()
      throwIfAborted(signal)
      encoded.push(await encoder.encode(text, options))
    }
    return encoded
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
