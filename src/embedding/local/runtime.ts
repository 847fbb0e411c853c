/** A way to run the model: what it is, known at once, and the model itself, loaded when first needed. */
export interface Runtime {
  readonly kind: 'onnx' | 'wasm'
  /** Everything about the way of computing that changes the numbers. */
  readonly identity: string
  /** One line for people. */
  readonly detail: string
  load(): Promise<Encoder>
}

export interface Encoder {
  /** Unit-length vector of one text, which is neither blank nor longer than the tokenizer's limit. */
  encode(text: string): Promise<Encoded>
  close(): Promise<void>
}

export interface Encoded {
  vector: Float32Array<ArrayBuffer>
  tokens: number
}
