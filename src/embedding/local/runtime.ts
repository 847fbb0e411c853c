import type { Calibration, EmbeddingKind, TokenVectors } from '../embedder.ts'

/** A way to run the model: what it is, known at once, and the model itself, loaded when first needed. */
export interface Runtime {
  readonly kind: 'onnx' | 'wasm'
  /** Everything about the way of computing that changes the numbers. */
  readonly identity: string
  /** From its cosines to the product's scale. */
  readonly calibration: Calibration
  /** One line for people. */
  readonly detail: string
  /** Whether its encoder can tell what the single tokens mean. */
  readonly tellsTokens: boolean
  load(): Promise<Encoder>
}

export interface Encoder {
  /** Of one text, which is neither blank nor longer than the tokenizer's limit. */
  encode(text: string, options?: EncodeOptions): Promise<Encoded>
  close(): Promise<void>
}

export interface EncodeOptions {
  /** Also what the tokens of such a text mean, where the runtime can tell. */
  tokens?: EmbeddingKind | undefined
}

export interface Encoded {
  /** Of unit length. */
  vector: Float32Array<ArrayBuffer>
  /** How many the text has. */
  tokens: number
  tokenVectors?: TokenVectors
}
