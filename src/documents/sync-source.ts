import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import { errnoOf, isRalphError, messageOf, RalphError, throwIfAborted } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import type { DocumentSourceRow } from '../storage/tables.ts'
import type { DocumentIndex } from './document-index.ts'
import { documentFormat, leftOutByName, leftOutBySize } from './files/formats.ts'
import { stampText } from './files/read-file.ts'
import { sizeText } from './files/size-text.ts'
import { walk, whyUnreadable } from './files/walk.ts'
import type { PdfReader } from './pdf/read-pdf.ts'
import { readDocument } from './read-document.ts'
import type { DocumentFormat } from './record.ts'
import type { DocumentsProgress, ReportBuilder } from './report.ts'
import type { Sources } from './sources.ts'
import { forgetDocuments, type KnownDocument, storeDocuments, type ToStore } from './store.ts'

/** Of one file, unless the person allows more: text that people write is far shorter, and PDFs hold pictures. */
const MOST_BYTES: Record<'text' | 'pdf', number> = { text: 2_000_000, pdf: 100_000_000 }
/** Written together: many at once are written several times as fast, and these still fit into memory. */
const BATCH = { documents: 50, pieces: 1_000 }

export interface SyncParts {
  storage: Storage
  index: DocumentIndex
  sources: Sources
  pdf: PdfReader
  builder: ReportBuilder
  onProgress?: ((progress: DocumentsProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

/** Brings what is stored of one file or folder level with the disk. */
export class SourceSync {
  readonly #parts: SyncParts
  readonly #source: DocumentSourceRow
  readonly #known: Map<string, KnownDocument>
  /** Files of the folder that were added by themselves. */
  readonly #others: ReadonlySet<string>
  #waiting: ToStore[] = []
  #done = 0
  #total = 0

  private constructor(
    parts: SyncParts,
    source: DocumentSourceRow,
    known: Map<string, KnownDocument>,
    others: ReadonlySet<string>,
  ) {
    this.#parts = parts
    this.#source = source
    this.#known = known
    this.#others = others
  }

  static async run(parts: SyncParts, source: DocumentSourceRow): Promise<void> {
    const { sources } = parts
    const others = (await sources.here()).filter(({ is_folder, id }) => !is_folder && id !== source.id)
    const known = await sources.known(source.id)
    const sync = new SourceSync(parts, source, known, new Set(others.map(({ path }) => path)))
    try {
      if (source.is_folder) await sync.#folder()
      else await sync.#file(source.path, { named: true })
    } finally {
      // Also of a sync that is ended on the way: what was read need not be read again.
      await sync.#store()
    }
    await sync.#removeGone()
    await sources.synced(source.id)
  }

  async #folder(): Promise<void> {
    const { path: folder, most_files } = this.#source
    const { builder, signal } = this.#parts
    this.#total = await this.#count(folder)
    if (this.#total > Number(most_files)) throw tooMany(folder, this.#total, Number(most_files))
    if (this.#total === 0 && this.#known.size > 0) throw emptied(folder)
    for await (const met of walk(folder, signal)) {
      if (met.kind === 'left-out') builder.leaveOut(met.path, met.why)
      else if (met.kind === 'failed') this.#fail(met.path, new RalphError('read_only', met.why))
      else if (!this.#others.has(met.path)) await this.#file(met.path, { named: false })
    }
  }

  /** Before anything is read: a folder with far too many files was mostly not meant. */
  async #count(folder: string): Promise<number> {
    const { onProgress, signal } = this.#parts
    let count = 0
    for await (const { path, kind } of walk(folder, signal)) {
      if (kind !== 'file' || leftOutByName(path) !== undefined || documentFormat(path) === undefined) continue
      count++
      if (count % 1_000 === 0) onProgress?.({ doing: 'looking', done: count })
    }
    return count
  }

  async #file(path: string, { named }: { named: boolean }): Promise<void> {
    const { builder, signal, onProgress } = this.#parts
    throwIfAborted(signal)
    const reason = named ? undefined : leftOutByName(path)
    const format = documentFormat(path)
    if (reason !== undefined || format === undefined) return this.#leaveOut(path, reason ?? 'no text', named)
    onProgress?.({ doing: 'reading', done: this.#done++, total: this.#total, path })
    try {
      const stats = await lstat(path, { bigint: true })
      const size = Number(stats.size)
      const why = whyNot({ path, size, isFile: stats.isFile(), most: this.#mostBytes(format), named })
      if (why !== undefined) return this.#leaveOut(path, why, named)
      const stamp = stampText(stats)
      const known = this.#known.get(path)
      if (known?.stamp !== stamp) return await this.#read(path, { known, named, size, stamp, format })
      this.#known.delete(path)
      if (known.problem !== null) builder.fail({ path, why: known.problem, ...keptFlag(known) })
      else builder.report.files.unchanged++
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return
      if (errnoOf(error) === undefined) throw error
      this.#fail(path, new RalphError('read_only', whyUnreadable(error)))
    }
  }

  async #read(
    path: string,
    file: {
      known: KnownDocument | undefined
      named: boolean
      size: number
      stamp: string
      format: DocumentFormat
    },
  ): Promise<void> {
    const { builder, sources, pdf, signal } = this.#parts
    const { known, named, size, stamp, format } = file
    try {
      const knownHash = known?.problem === null ? known.hash : undefined
      const onPage = (page: number, of: number) => this.#tellPage(path, page, of)
      const mostBytes = this.#mostBytes(format)
      const read = await readDocument(path, { mostBytes, pdf, knownHash, signal, onPage })
      if ('leftOut' in read) return this.#leaveOut(path, read.leftOut, named)
      this.#known.delete(path)
      if ('sameAsBefore' in read) {
        await sources.touch(known!.id, read.sameAsBefore)
        builder.report.files.unchanged++
        return
      }
      builder.report.files[known && known.hash !== '' ? 'changed' : 'added']++
      builder.report.secretsMasked += read.secrets
      await this.#keep({ source: this.#source, path, known, read })
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      this.#fail(path, error)
      // Remembered, so that it is not tried again before it has changed.
      const read = { format, title: basename(path), size, stamp, problem: messageOf(error) }
      if (!named || known) await this.#keep({ source: this.#source, path, known, read })
    }
  }

  #fail(path: string, error: RalphError): void {
    const known = this.#known.get(path)
    this.#known.delete(path)
    const hint = error.hint === undefined ? {} : { hint: error.hint }
    this.#parts.builder.fail({ path, why: error.message, ...hint, ...(known && keptFlag(known)) })
  }

  /** What a person has named is not left out without a word. */
  #leaveOut(path: string, why: string, named: boolean): void {
    if (named) this.#parts.builder.fail({ path, why })
    else this.#parts.builder.leaveOut(path, why)
  }

  #tellPage(path: string, page: number, of: number): void {
    if (page % 20 !== 0) return
    const shown = `${path}, page ${page} of ${of}`
    this.#parts.onProgress?.({ doing: 'reading', done: this.#done - 1, total: this.#total, path: shown })
  }

  #mostBytes(format: DocumentFormat): number {
    const { most_bytes } = this.#source
    return most_bytes === null ? MOST_BYTES[format === 'pdf' ? 'pdf' : 'text'] : Number(most_bytes)
  }

  async #keep(document: ToStore): Promise<void> {
    this.#waiting.push(document)
    const pieces = this.#waiting.reduce(
      (sum, { read }) => sum + ('pieces' in read ? read.pieces.length : 0),
      0,
    )
    if (this.#waiting.length >= BATCH.documents || pieces >= BATCH.pieces) await this.#store()
  }

  async #store(): Promise<void> {
    const { storage, builder, index } = this.#parts
    const documents = this.#waiting
    this.#waiting = []
    if (documents.length === 0) return
    const { added, removed } = await storeDocuments(storage, documents)
    builder.report.pieces.added += added
    builder.report.pieces.removed += removed.length
    await index.remove(removed)
  }

  /** What was not met: deleted, moved, or left out by now. What only cannot be looked at is kept. */
  async #removeGone(): Promise<void> {
    const { storage, builder, index } = this.#parts
    const gone: KnownDocument[] = []
    for (const known of this.#known.values()) if (!(await isHidden(known.path))) gone.push(known)
    if (gone.length === 0) return
    const removed = await forgetDocuments(
      storage,
      gone.map(({ id }) => id),
    )
    builder.report.files.removed += gone.length
    builder.report.pieces.removed += removed.length
    await index.remove(removed)
  }
}

function whyNot({
  path,
  size,
  isFile,
  most,
  named,
}: {
  path: string
  size: number
  isFile: boolean
  most: number
  named: boolean
}): string | undefined {
  if (!isFile) return 'no file'
  if (size > most) return `larger than ${sizeText(most)} (--max-size allows more)`
  if (size === 0) return 'empty'
  return named ? undefined : leftOutBySize(path, size)
}

async function isHidden(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    return errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR'
  }
}

function keptFlag({ pieces }: KnownDocument): { keptAsItWas?: true } {
  return Number(pieces) > 0 ? { keptAsItWas: true } : {}
}

/** A disk that is not mounted looks so. */
function emptied(folder: string): RalphError {
  return new RalphError('not_found', 'nothing is left in it; what was read of it before is kept', {
    hint: `To forget it: ralph documents remove ${JSON.stringify(folder)}`,
  })
}

function tooMany(folder: string, count: number, most: number): RalphError {
  const said = (number: number) => number.toLocaleString('en')
  return new RalphError('limit_reached', `${said(count)} files to read, more than ${said(most)}`, {
    hint: `Name the folders in it that you mean, or allow more: ralph documents add ${JSON.stringify(folder)} --max-files ${count}`,
  })
}
