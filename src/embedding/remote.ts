import { throwIfAborted } from '../errors.ts'
import type { Calibration, Embedder, EmbedderHealth, EmbeddingKind } from './embedder.ts'
import type { MeasuredModels } from './measured.ts'
import { Measuring } from './measuring.ts'
import { RemoteClient, type RemoteClientOptions } from './remote-client.ts'
import { embedNonBlank } from './vectors.ts'

/** Raise when prefixes change: vectors made with others do not fit. */
const PREFIX_VERSION = 1

export interface RemoteOptions extends RemoteClientOptions {
  /** What the model is called wherever vectors are compared; as in the requests unless told. */
  name?: string
  /** What models have told before; this one is asked by each embedder unless given. */
  measured?: MeasuredModels | undefined
}

/** A model nobody told us about is asked for its dimensions, once. */
export async function openRemoteEmbedder(options: RemoteOptions): Promise<Embedder> {
  const { provider, service, name = service.model, measured } = options
  const client = new RemoteClient(options)
  const measuring = new Measuring(client, { provider, model: name, url: service.url }, measured)
  client.dimensions = await measuring.dimensions()
  return new RemoteEmbedder(client, options, measuring)
}

class RemoteEmbedder implements Embedder {
  readonly id: string
  readonly model: string
  readonly dimensions: number
  readonly maxBatch: number
  readonly usage: RemoteClient['usage']
  readonly #client: RemoteClient
  readonly #measuring: Measuring

  constructor(client: RemoteClient, options: RemoteOptions, measuring: Measuring) {
    const dimensions = client.dimensions!
    const { provider, service, known, limits, name = service.model } = options
    const prefixes = known.prefixes ? `:prefixed-${PREFIX_VERSION}` : ''
    this.id = `${provider}:${name}:${dimensions}${prefixes}`
    this.model = name
    this.dimensions = dimensions
    this.maxBatch = limits.texts
    this.usage = client.usage
    this.#client = client
    this.#measuring = measuring
  }

  get calibration(): Calibration {
    return this.#measuring.calibration
  }

  calibrate(kind: EmbeddingKind, signal?: AbortSignal): Promise<void> {
    return this.#measuring.calibrate(kind, signal)
  }

  async embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]> {
    throwIfAborted(signal)
    const vectors = await embedNonBlank(texts, this.dimensions, (telling) =>
      this.#client.embed(telling, kind, signal),
    )
    this.usage.texts += texts.length
    return vectors
  }

  async check(signal?: AbortSignal): Promise<EmbedderHealth> {
    const health = await this.#client.check(signal)
    return health.ok ? { ...health, detail: `${health.detail}, ${this.#measuring.worth}` } : health
  }

  close(): Promise<void> {
    this.#measuring.close()
    return Promise.resolve()
  }
}
