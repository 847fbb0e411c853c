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

/** What the tokens of a text mean where they stand, for whoever compares two texts more closely than by one vector each. */
export interface TokenVectors {
  /** How telling each is: rare ones more than common ones. Those of a question come with the most telling first. */
  weights: Float32Array
  /** End to end, of unit length. In a long document one may stand for several neighbours. */
  vectors: Float32Array
}

export interface EmbeddedTokens {
  /** As `embed` makes it. */
  vector: Float32Array
  tokens: TokenVectors
}

export interface Embedder {
  /** Identity stored beside every vector: provider, model, dimensions and whatever else changes the numbers. */
  readonly id: string
  readonly model: string
  readonly dimensions: number
  /** Most texts one call of `embed` takes. */
  readonly maxBatch: number
  /** May be an estimate until `calibrate` is through. */
  readonly calibration: Calibration
  readonly usage: Readonly<EmbedderUsage>
  /** Unit-length vectors, one per text, in order. */
  embed(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<Float32Array[]>
  /** The same with the texts' tokens, for little more. Absent where the model tells no more than one vector per text. */
  embedTokens?(texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal): Promise<EmbeddedTokens[]>
  /**
   * Finds out where this model's cosines lie, where only the model can tell: once for all processes, paid like anything else.
   * Who asks a question does not wait for long. Throws when that could not be done; the estimate stays.
   */
  calibrate?(kind: EmbeddingKind, signal?: AbortSignal): Promise<void>
  check(signal?: AbortSignal): Promise<EmbedderHealth>
  close(): Promise<void>
}

/**
 * Opens the configured embedder on first need and remembers it; a failed opening is tried again on the next
 * call, so a service that comes back is picked up without a restart.
 */
export type EmbedderSource = () => Promise<Embedder>
