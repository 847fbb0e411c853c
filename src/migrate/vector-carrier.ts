import type { Embedder, EmbedderSource, EmbeddingKind } from '../embedding/embedder.ts'
import { isRalphError, type RalphError } from '../errors.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import { sha256 } from '../text/ids.ts'

/** Whoever fills an index asks what it knows of some documents before embedding them: so many are held at a time. */
const MOST_HELD = 4_000

/**
 * Lets an index be filled in the usual way, but takes the vectors of texts that another index already has from there.
 * A vector that is not found is simply made.
 */
export class VectorCarrier {
  readonly #open: EmbedderSource
  /** SHA-256 of a text → its vector in the other index. */
  readonly #held = new Map<string, Float32Array>()
  readonly #onProgress: () => void
  carried = 0
  embedded = 0
  /** Why the other index could not be read, if so. */
  problem: RalphError | undefined

  constructor(open: EmbedderSource, onProgress: () => void = () => undefined) {
    this.#open = open
    this.#onProgress = onProgress
  }

  /** `target`, with a glance at `source` whenever it is asked what it knows. */
  index(source: SearchIndex, target: SearchIndex): SearchIndex {
    const known: SearchIndex['known'] = async (collection, ids) => {
      await this.#hold(source, collection, ids)
      return target.known(collection, ids)
    }
    const read: SearchIndex['read'] = async (collection, selection) => {
      if ('ids' in selection) await this.#hold(source, collection, selection.ids)
      return target.read(collection, selection)
    }
    return new Proxy(target, {
      get: (index, name: keyof SearchIndex | 'then') => {
        if (name === 'then') return undefined
        if (name === 'known') return known
        if (name === 'read') return read
        return (...args: never[]) => (index[name] as (...args: never[]) => unknown)(...args)
      },
    })
  }

  readonly embedder: EmbedderSource = async () => {
    const embedder = await this.#open()
    return new Proxy(embedder, {
      get: (real, name: keyof Embedder | 'then') => {
        if (name === 'embed')
          return (texts: readonly string[], kind: EmbeddingKind, signal?: AbortSignal) =>
            kind === 'query' ? real.embed(texts, kind, signal) : this.#embed(real, texts, signal)
        const value: unknown = name === 'then' ? undefined : real[name]
        return typeof value === 'function' ? value.bind(real) : value
      },
    })
  }

  async #hold(source: SearchIndex, collection: string, ids: readonly string[]): Promise<void> {
    if (this.problem || ids.length === 0) return
    try {
      const { id } = await this.#open()
      for (const { textHash, vector } of await source.vectors(collection, id, ids))
        this.#held.set(textHash, vector)
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      this.problem = error
    }
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MOST_HELD) break
      this.#held.delete(oldest)
    }
  }

  async #embed(embedder: Embedder, texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const held = texts.map((text) => this.#held.get(sha256(text)))
    const missing = texts.filter((_, at) => held[at] === undefined)
    const made = missing.length === 0 ? [] : await embedder.embed(missing, 'document', signal)
    this.carried += texts.length - missing.length
    this.embedded += missing.length
    this.#onProgress()
    let next = 0
    return held.map((vector) => vector ?? made[next++]!)
  }
}
