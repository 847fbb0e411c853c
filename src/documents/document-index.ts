import { basename } from 'node:path'
import { isRalphError } from '../errors.ts'
import { beginAnewIfAhead, type CaughtUp, catchUp, levelInTime, type Source } from '../retrieval/catch-up.ts'
import { Collection } from '../retrieval/collection.ts'
import type { Draft } from '../retrieval/draft.ts'
import type { RetrievalParts } from '../retrieval/parts.ts'
import { sha256 } from '../text/ids.ts'
import { type PieceRow, type Pieces, toPiece } from './pieces.ts'

export const DOCUMENTS = 'documents'
/** Terms of a piece. */
const TYPICAL_LENGTH = 180
/** Names, in the state of the index, how far pieces are found by words, and how far they have their vectors. */
const WORDS = 'words'
const VECTORS = 'vectors'
const NOT_INDEXED = 'documents.index'
/** Pieces that are made findable at a time while somebody waits: what is done by then is kept. */
const CATCH_UP = 2_000

export interface EmbedOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((done: number, total: number) => void) | undefined
}

/** The pieces in the disposable index: by words as soon as they are there, by meaning when somebody has embedded them. */
export class DocumentIndex {
  readonly collection: Collection
  readonly #pieces: Pieces

  constructor(parts: RetrievalParts, pieces: Pieces) {
    this.#pieces = pieces
    this.collection = new Collection(parts, {
      name: DOCUMENTS,
      filterable: ['document'],
      typicalLength: TYPICAL_LENGTH,
    })
  }

  /** Finds by words what is stored. Next to nothing when there is nothing new. */
  async catchUpWords({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<CaughtUp> {
    const { embedder } = await this.collection.meaning.open()
    await this.#requireNotAhead()
    return catchUp(this.collection, [this.#source(WORDS, {})], { wordsFor: { embedder }, signal })
  }

  /** The same while somebody waits. Says whether that took anything, and how many pieces are not found yet. */
  async catchUpInTime(signal?: AbortSignal): Promise<{ changed: boolean; waiting: number }> {
    const { embedder } = await this.collection.meaning.open({ hurried: true })
    await this.#requireNotAhead()
    let changed = false
    const waiting = await levelInTime(this.collection, async () => {
      const some = [this.#source(WORDS, { limit: CATCH_UP })]
      const round = await catchUp(this.collection, some, { wordsFor: { embedder }, signal })
      changed ||= round.changed
      return round.changed ? (await this.waiting()).words : 0
    })
    return { changed, waiting }
  }

  /** How many pieces are not found by words yet, and how many not by meaning. */
  async waiting(): Promise<{ words: number; vectors: number }> {
    const { sources } = await this.collection.state()
    const since = (name: string) => this.#pieces.count(cursorOf(sources[name]?.cursor))
    return { words: await since(WORDS), vectors: await since(VECTORS) }
  }

  /** Gives every piece its vector, and tells which. What is done stays when it is ended on the way, and is not done again. */
  async embed({ signal, onProgress }: EmbedOptions = {}): Promise<string[]> {
    const { embedder, problem } = await this.collection.meaning.open()
    if (problem) this.collection.meaning.sayItIsOff(problem)
    const done: string[] = []
    await this.#requireNotAhead()
    const { vectors: total } = embedder ? await this.waiting() : { vectors: 0 }
    if (total === 0) return done
    const source = this.#source(VECTORS, { stored: (ids) => done.push(...ids) })
    await catchUp(this.collection, [source], {
      embedder,
      signal,
      onProgress: ({ indexed }) => onProgress?.(Math.min(indexed, total), total),
    })
    return done
  }

  /** They are stored no longer: an index that cannot be written may keep them, but nobody shows them. */
  async remove(ids: readonly string[]): Promise<void> {
    const { notices } = this.collection.parts
    try {
      await this.collection.remove(ids)
      notices.recovered(NOT_INDEXED)
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `documents were removed, but still stand in the index, where nobody is shown them: ${error.message}`
      notices.once({ key: NOT_INDEXED, message, hint: error.hint ?? 'ralph doctor' })
    }
  }

  /** What an index has kept that was put aside while documents were removed. */
  async removeForgotten(signal?: AbortSignal): Promise<void> {
    const gone = await this.collection.unwanted(
      async (page) => new Set((await this.#pieces.byId(page.map(({ id }) => id))).keys()),
      signal,
    )
    await this.collection.remove(gone)
  }

  /** All pieces, for whoever cannot ask the index. */
  async *drafts(): AsyncGenerator<Draft> {
    for (let seen = 0; ; ) {
      const rows = await this.#pieces.after(seen)
      if (rows.length === 0) return
      for (const row of rows) yield draftOf(row)
      seen = Number(rows.at(-1)!.revision)
    }
  }

  #requireNotAhead(): Promise<void> {
    return beginAnewIfAhead([this.collection], () => this.#pieces.newestRevision())
  }

  #source(
    name: string,
    {
      limit = Number.POSITIVE_INFINITY,
      stored,
    }: { limit?: number | undefined; stored?: (ids: string[]) => void },
  ): Source {
    return {
      name,
      owns: () => true,
      read: async (since, use) => {
        let seen = cursorOf(since)
        const next = () => this.#pieces.after(seen)
        let rows = await next()
        if (rows.length === 0) return
        const drafts = async function* () {
          for (let read = 0; rows.length > 0 && read < limit; rows = await next()) {
            for (const row of rows) yield draftOf(row)
            seen = Number(rows.at(-1)!.revision)
            read += rows.length
          }
        }
        await use({
          whole: false,
          drafts: drafts(),
          cursor: async () => seen,
          ...(stored && { stored: async (written) => stored(written.map(({ id }) => id)) }),
        })
      },
    }
  }
}

function cursorOf(cursor: unknown): number {
  return typeof cursor === 'number' ? cursor : 0
}

/** The headings above it are found by words; in its vector they cost more than they bring (docs/decisions/documents.md). */
function draftOf(row: PieceRow): Draft {
  const { id, documentId, path, title, headings, text } = toPiece(row)
  const above = [...new Set([basename(path), title, ...headings])].join(' › ')
  return {
    ...{ id, embedded: text, searched: `${above}\n${text}` },
    textHash: sha256(text),
    payload: () => ({ document: documentId }),
  }
}
