import { lstat, realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errnoOf, isRalphError, messageOf, RalphError, throwIfAborted } from '../errors.ts'
import type { RetrievalParts } from '../retrieval/parts.ts'
import { checkedLimit, checkedMinScore, checkedQuery } from '../retrieval/relevance.ts'
import type { Storage } from '../storage/storage.ts'
import type { DocumentSourceRow } from '../storage/tables.ts'
import { saysSomething } from '../text/small-talk.ts'
import { documentsSection } from './context.ts'
import { DocumentIndex } from './document-index.ts'
import { namedSources } from './named-sources.ts'
import { PdfReader } from './pdf/read-pdf.ts'
import { Pieces } from './pieces.ts'
import type { DocumentSource, DocumentsOverview, FoundPiece, KeptDocument, Piece } from './record.ts'
import { type DocumentsProgress, type DocumentsReport, ReportBuilder } from './report.ts'
import { type DocumentSearchOptions, searchPieces } from './search.ts'
import { liesIn, Sources, type Whose } from './sources.ts'
import { forgetDocuments } from './store.ts'
import { SourceSync } from './sync-source.ts'

export interface DocumentsOptions extends RetrievalParts {
  storage: Storage
  whose: Whose
  /** Of a search whose caller names neither. */
  searchDefaults: { limit: number; minScore: number }
  /** Refuses to an agent of a run what is for the person; `deed` completes "an agent cannot …". */
  requirePerson: (deed: string) => Promise<void>
}

export interface WatchedDocuments {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: DocumentsProgress) => void) | undefined
  /** False: found by words at once, by meaning when a worker or the next `sync` has come to it. Default: true. */
  embed?: boolean | undefined
}

export interface AddOptions extends WatchedDocuments {
  /** A folder with more is refused as a whole. Default: 10,000. */
  maxFiles?: number | undefined
  /** A larger file is left out. Default: 2 MB, of PDFs 100 MB. */
  maxBytes?: number | undefined
}

export interface RemovedDocuments {
  sources: string[]
  documents: number
  pieces: number
}

const MOST_FILES = 10_000
/** Put before an answer. */
const IN_CONTEXT = 3

/** A person's own documents: files and folders that stay where they are, in pieces that are found by words and meaning. */
export class Documents {
  readonly #options: DocumentsOptions
  readonly #sources: Sources
  readonly #index: DocumentIndex
  readonly pieces: Pieces

  /** @internal */
  constructor(options: DocumentsOptions) {
    this.#options = options
    this.#sources = new Sources(options.storage, options.whose)
    this.pieces = new Pieces(options.storage, options.whose.person)
    this.#index = new DocumentIndex(options, this.pieces)
  }

  /** Takes in files and folders; what is known and has not changed is left alone. What is wrong with one does not keep the others. */
  async add(paths: readonly string[], options: AddOptions = {}): Promise<DocumentsReport> {
    await this.#options.requirePerson('add documents')
    const limits = { mostFiles: checkedCount(options.maxFiles ?? MOST_FILES), mostBytes: options.maxBytes }
    return this.#working(options, async (builder, syncing) => {
      for (const path of await this.#existing(paths, builder)) {
        throwIfAborted(options.signal)
        const source = await this.#sourceFor(path, limits, builder)
        await syncing(source, { isNew: source.synced_at === null })
      }
    })
  }

  /** Looks again at what was added, or at some of it: changed files are read again, those that have gone are forgotten. */
  async sync(paths: readonly string[] = [], options: WatchedDocuments = {}): Promise<DocumentsReport> {
    await this.#options.requirePerson('sync documents')
    return this.#working(options, async (_, syncing) => {
      const here = await this.#sources.here()
      const wanted = paths.length === 0 ? here : await namedSources(paths, here)
      for (const source of wanted) await syncing(source, { isNew: false })
    })
  }

  list(): Promise<DocumentSource[]> {
    return this.#sources.list()
  }

  async overview(): Promise<DocumentsOverview> {
    const sources = await this.#sources.list()
    const sum = (count: 'documents' | 'pieces' | 'problems') =>
      sources.reduce((total, source) => total + source[count], 0)
    const missing: string[] = []
    for (const { path, machine } of sources)
      if (machine === undefined && (await isGone(path))) missing.push(path)
    return {
      sources: sources.length,
      documents: sum('documents'),
      pieces: sum('pieces'),
      problems: sum('problems'),
      waiting: sources.length > 0 ? await this.waiting() : 0,
      missing,
    }
  }

  /** The files of what was added at this path. */
  async files(path: string): Promise<KeptDocument[]> {
    const [source] = await namedSources([path], await this.#sources.here())
    return this.#sources.documents(source!.id)
  }

  /** Forgets what was added at these paths; the files themselves stay as they are. */
  async remove(paths: readonly string[]): Promise<RemovedDocuments> {
    await this.#options.requirePerson('remove documents')
    return this.#forget(await namedSources(paths, await this.#sources.here()))
  }

  async removeAll(): Promise<RemovedDocuments> {
    await this.#options.requirePerson('remove documents')
    return this.#forget(await this.#sources.here())
  }

  /** The best pieces, strongest first; none at once where there are no documents. */
  async search(query: string, options: DocumentSearchOptions = {}): Promise<FoundPiece[]> {
    const { limit, minScore } = this.#options.searchDefaults
    if (!(await this.pieces.any())) return []
    return searchPieces({ index: this.#index, pieces: this.pieces }, checkedQuery(query), {
      limit: checkedLimit(options.limit ?? limit),
      minScore: checkedMinScore(options.minScore ?? minScore),
      signal: options.signal,
    })
  }

  /** The section that goes before an answer, or undefined; something broken is said once. Never throws but when cancelled. */
  async contextFor(
    query: string,
    { minScore, signal }: { minScore: number; signal?: AbortSignal | undefined },
  ): Promise<{ text: string; found: FoundPiece[] } | undefined> {
    if (!saysSomething(query)) return undefined
    try {
      const found = await this.search(query, { limit: IN_CONTEXT, minScore, signal })
      const text = documentsSection(query, found)
      return text === undefined ? undefined : { text, found }
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `answering without documents: ${messageOf(error)}`
      this.#options.notices.once({ key: 'documents.context', message, hint: error.hint ?? 'ralph doctor' })
      return undefined
    }
  }

  /** A piece with those before and after it. */
  async around(id: string, count = 1): Promise<Piece[]> {
    const piece = (await this.pieces.byId([id])).get(id)
    if (!piece) throw new RalphError('not_found', `there is no piece ${JSON.stringify(id)}`)
    const from = Math.max(0, piece.position - count)
    return this.pieces.ofDocument(piece.documentId, { from, limit: piece.position - from + 1 + count })
  }

  /** How many pieces wait for their vectors; found by their words meanwhile. */
  async waiting(): Promise<number> {
    return (await this.#index.waiting()).vectors
  }

  /** Makes the vectors that are missing. Returns the ids of the pieces that have theirs now. */
  async embed(options: { signal?: AbortSignal | undefined } = {}): Promise<string[]> {
    await this.#index.catchUpWords(options)
    return this.#index.embed(options)
  }

  /** Fills the index that it was given from what is stored, e.g. a new one that is to replace another. */
  async reindex({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (!(await this.pieces.any())) return
    await this.#index.catchUpWords({ signal })
    await this.#index.removeForgotten(signal)
    await this.#index.embed({ signal })
  }

  async #working(
    { signal, onProgress, embed = true }: WatchedDocuments,
    work: (
      builder: ReportBuilder,
      syncing: (source: DocumentSourceRow, how: { isNew: boolean }) => Promise<void>,
    ) => Promise<void>,
  ): Promise<DocumentsReport> {
    const { storage } = this.#options
    const [pdf, builder] = [new PdfReader(), new ReportBuilder()]
    const parts = {
      ...{ storage, pdf, builder, signal, onProgress },
      index: this.#index,
      sources: this.#sources,
    }
    try {
      await work(builder, async (source, { isNew }) => {
        try {
          await SourceSync.run(parts, source)
        } catch (error) {
          if (!isRalphError(error) || error.code === 'cancelled') throw error
          builder.fail({ path: source.path, why: error.message, ...(error.hint && { hint: error.hint }) })
        }
        // Of what could not be taken in at all nothing is kept either.
        if (isNew && (await this.#sources.known(source.id)).size === 0) await this.#sources.remove(source.id)
      })
    } finally {
      await pdf.close()
    }
    onProgress?.({ doing: 'indexing', done: 0 })
    await this.#index.catchUpWords({ signal })
    if (embed) {
      const told = (done: number, total: number) => onProgress?.({ doing: 'embedding', done, total })
      builder.report.embedded = (await this.#index.embed({ signal, onProgress: told })).length
    }
    builder.report.waiting = (await this.#index.waiting()).vectors
    return builder.finish()
  }

  /** Each once, as it is called where no link leads elsewhere. */
  async #existing(paths: readonly string[], builder: ReportBuilder): Promise<Set<string>> {
    if (paths.length === 0) throw new RalphError('invalid_input', 'no file or folder is named')
    const existing = new Set<string>()
    for (const given of paths) {
      const path = resolve(given)
      try {
        existing.add(await realpath(path))
      } catch (error) {
        const why = errnoOf(error) === 'ENOENT' ? 'it does not exist' : messageOf(error)
        builder.fail({ path, why, hint: 'Check the path.' })
      }
    }
    return existing
  }

  async #sourceFor(
    path: string,
    limits: { mostFiles: number; mostBytes: number | undefined },
    builder: ReportBuilder,
  ): Promise<DocumentSourceRow> {
    const isFolder = (await lstat(path)).isDirectory()
    const here = await this.#sources.here()
    const around = here.find((source) => source.is_folder && liesIn(path, source.path))
    const isPartOf =
      around && (isFolder || (await this.#sources.known(around.id)).has(path)) ? around : undefined
    if (isPartOf) {
      builder.report.remarks.push(`${path} is part of ${isPartOf.path}, which was added before`)
      return this.#sources.put(isPartOf.path, true, {
        mostFiles: Math.max(limits.mostFiles, Number(isPartOf.most_files)),
        mostBytes:
          limits.mostBytes ?? (isPartOf.most_bytes === null ? undefined : Number(isPartOf.most_bytes)),
      })
    }
    const source = await this.#sources.put(path, isFolder, limits)
    for (const inner of here) {
      if (!isFolder || !inner.is_folder || !liesIn(inner.path, path)) continue
      await this.#sources.merge(inner, source)
      builder.report.remarks.push(`${inner.path} is now part of ${path}`)
    }
    return source
  }

  async #forget(sources: readonly DocumentSourceRow[]): Promise<RemovedDocuments> {
    let [documents, pieces] = [0, 0]
    for (const { id } of sources) {
      const known = [...(await this.#sources.known(id)).values()].map((document) => document.id)
      const removed = await forgetDocuments(this.#options.storage, known)
      await this.#sources.remove(id)
      await this.#index.remove(removed)
      documents += known.length
      pieces += removed.length
    }
    return { sources: sources.map(({ path }) => path), documents, pieces }
  }
}

async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR'
  }
}

function checkedCount(maxFiles: number): number {
  if (Number.isInteger(maxFiles) && maxFiles > 0) return maxFiles
  throw new RalphError('invalid_input', `the most files must be a whole number from 1, not ${maxFiles}`)
}
