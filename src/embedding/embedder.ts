/** Queries and documents are embedded differently by some models (prefixes). */
export type EmbeddingKind = 'query' | 'document'

/**
 * Where this model's cosines lie on the product's score scale, as points of a piecewise-linear curve,
 * rising in both. Scores mean the same precision with every embedder; cosines do not.
 */
export type Calibration = readonly (readonly [cosine: number, score: number])[]

export interface EmbedderHealth {
  ok: boolean
  /** One line for `ralph status`, e.g. "onnxruntime, int8" or "ollama 0.12 at http://…". */
  detail: string
  /** The command that mends it, when not ok. */
  hint?: string
}

/** What the calls so far have cost. Local embedders report zero dollars. */
export interface EmbedderUsage {
  requests: number
  texts: number
  tokens: number
  costUsd: number
}

export interface Embedder {
  /** Identity stored beside every vector: provider, model, dimensions and whatever else changes the numbers. */
  readonly id: string
  readonly model: string
  readonly dimensions: number
  /** Most texts one call of `embed` takes. */
  readonly maxBatch: number
  readonly calibration: Calibration
  readonly usage: Readonly<EmbedderUsage>
  /** Unit-length vectors, one per text, in order. */
  embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]>
  check(signal?: AbortSignal): Promise<EmbedderHealth>
  close(): Promise<void>
}

/**
 * Opens the configured embedder on first need and remembers it; a failed opening is tried again on the next
 * call, so a service that comes back is picked up without a restart.
 */
export type EmbedderSource = () => Promise<Embedder>
