import { rmSync } from 'node:fs'
import { embedAll } from '../../../src/embedding/embed-all.ts'
import type { Embedder, EmbeddingKind } from '../../../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../../src/embedding/local.ts'
import { scratchFolder } from '../library.ts'
import type { Document, Found } from '../shape.ts'
import { best } from './bm25.ts'

/** Meaning alone: one MiniLM vector a text, compared by cosine. The model is the one that the product brings, as it came. */
export class Dense {
  readonly #embedder: Embedder
  readonly #folder: string
  readonly #known = new Map<string, Float32Array>()

  private constructor(embedder: Embedder, folder: string) {
    this.#embedder = embedder
    this.#folder = folder
  }

  static async open(): Promise<Dense> {
    const folder = scratchFolder()
    return new Dense(await openLocalEmbedder({ cacheDir: folder, adapter: false }), folder)
  }

  get model(): string {
    return this.#embedder.model
  }

  /** Each text once, however often it is asked for. */
  async embed(texts: readonly string[], kind: EmbeddingKind = 'document'): Promise<Float32Array[]> {
    const fresh = [...new Set(texts)].filter((text) => !this.#known.has(text))
    const vectors = await embedAll(this.#embedder, fresh, { kind })
    for (const [at, text] of fresh.entries()) this.#known.set(text, vectors[at]!)
    return texts.map((text) => this.#known.get(text)!)
  }

  async index(documents: readonly Document[]): Promise<DenseIndex> {
    const vectors = await this.embed(documents.map(({ text }) => text))
    return new DenseIndex(documents, vectors)
  }

  async close(): Promise<void> {
    await this.#embedder.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

class DenseIndex {
  readonly #documents: readonly Document[]
  readonly #vectors: readonly Float32Array[]

  constructor(documents: readonly Document[], vectors: readonly Float32Array[]) {
    this.#documents = documents
    this.#vectors = vectors
  }

  rank(question: Float32Array, count: number): Found[] {
    const scores = this.#vectors.map((vector, at): [number, number] => [at, cosine(question, vector)])
    return best(this.#documents, scores, count)
  }
}

/** Of vectors of unit length, as the embedder gives them. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let dimension = 0; dimension < a.length; dimension++) sum += a[dimension]! * b[dimension]!
  return sum
}
