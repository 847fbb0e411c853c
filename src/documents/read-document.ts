import { basename } from 'node:path'
import { sanitise } from '../text/sanitise.ts'
import { oneLine } from '../text/truncate.ts'
import { maskedLines } from './clean.ts'
import type { Block } from './cut/block.ts'
import { blocksOf, cutPieces } from './cut/cut.ts'
import type { CutPiece } from './cut/pack.ts'
import { decoded } from './files/decode.ts'
import { documentFormat } from './files/formats.ts'
import { type ReadBytes, readWhole } from './files/read-file.ts'
import { pdfBlocks } from './pdf/pdf-blocks.ts'
import type { PdfReader } from './pdf/read-pdf.ts'
import type { DocumentFormat } from './record.ts'

/** A file in pieces, masked and defused: as it may be stored. */
export interface ReadDocument {
  format: DocumentFormat
  title: string
  size: number
  hash: string
  stamp: string
  pieces: CutPiece[]
  /** How many were masked. */
  secrets: number
}

export interface ReadDocumentOptions {
  mostBytes: number
  /** Of how it was last read: a file that has only been touched is not cut again. */
  knownHash?: string | undefined
  pdf: PdfReader
  signal?: AbortSignal | undefined
  onPage?: ((page: number, of: number) => void) | undefined
}

/** Or why there is nothing in it to be kept, or that it is as it was. What cannot be read is thrown. */
export async function readDocument(
  path: string,
  options: ReadDocumentOptions,
): Promise<ReadDocument | { leftOut: string } | { sameAsBefore: string }> {
  const format = documentFormat(path)
  if (format === undefined) return { leftOut: 'no text' }
  const read = await readWhole(path, options)
  const size = read.bytes.length
  if (size === 0) return { leftOut: 'empty' }
  if (read.hash === options.knownHash) return { sameAsBefore: read.stamp }
  const content = format === 'pdf' ? await pdfContent(read, options) : await textContent(format, read)
  if ('leftOut' in content) return content
  const pieces = (await cutPieces(content.blocks)).flatMap(defused)
  if (pieces.length === 0) return { leftOut: 'empty' }
  const { secrets } = content
  const title = titleOf(content, path)
  return { format, title, size, hash: read.hash, stamp: read.stamp, pieces, secrets }
}

interface Content {
  blocks: Block[]
  secrets: number
  title?: string | undefined
}

async function textContent(
  format: Exclude<DocumentFormat, 'pdf'>,
  { bytes }: ReadBytes,
): Promise<Content | { leftOut: string }> {
  const text = decoded(bytes)
  if (text === undefined) return { leftOut: 'no text' }
  if (text.trim() === '') return { leftOut: 'empty' }
  if (isGenerated(format, text)) return { leftOut: 'generated' }
  const { lines, secrets } = maskedLines(text.split('\n'))
  const blocks = blocksOf(
    format,
    lines.map((line) => ({ text: line.text, at: line.from + 1 })),
  )
  return { blocks, secrets }
}

async function pdfContent(
  { bytes }: ReadBytes,
  { pdf, signal, onPage }: ReadDocumentOptions,
): Promise<Content> {
  const { pages, title } = await pdf.read(new Uint8Array(bytes), { signal, onPage })
  const printed = pages.flatMap(({ number, lines }) => lines.map((line) => ({ ...line, page: number })))
  const { lines, secrets } = maskedLines(printed.map(({ text }) => text))
  const masked = lines.map(({ text, from }) => ({ ...printed[from]!, text }))
  const byPage = Map.groupBy(masked, ({ page }) => page)
  const blocks = pdfBlocks([...byPage].map(([number, own]) => ({ number, lines: own })))
  return { blocks, secrets, title }
}

/** Of a larger file that says so, or of one that nobody wrote line by line. */
const GENERATED =
  /@generated\b|\b(?:auto-?)?generated (?:by|from|code|file)\b.{0,80}\bdo not edit\b|\bDO NOT EDIT\b/i
const SAYS_SO_WITHIN = 2_000
const LARGE = 64_000
const LONG_LINES = 400

function isGenerated(format: DocumentFormat, text: string): boolean {
  if (format !== 'source') return false
  if (text.length > LARGE && GENERATED.test(text.slice(0, SAYS_SO_WITHIN))) return true
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return text.length > 10 * LONG_LINES && text.length / lines.length > LONG_LINES
}

/** Safe to be shown to a model; nothing is left of what only commanded. */
function defused(piece: CutPiece): CutPiece[] {
  const text = sanitise(piece.text).trim()
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  return [{ ...piece, text, headings: piece.headings.map(shownHeading) }]
}

const LONGEST_NAME = 200

function shownHeading(heading: string): string {
  return oneLine(sanitise(heading), LONGEST_NAME)
}

/** What it calls itself: in what stands before its text, in its outermost heading, or by its name. */
function titleOf({ blocks, title }: Content, path: string): string {
  const headings = blocks.filter(({ level, name }) => level !== undefined && name)
  const outermost = Math.min(...headings.map(({ level }) => level!))
  const heading = headings.find(({ level }) => level === outermost)?.name
  const [, stated] = /^title:\s*["']?(.+?)["']?\s*$/im.exec(factsOf(blocks)) ?? []
  const said = [title, stated, heading].find((one) => one !== undefined && /\p{L}/u.test(one))
  return shownHeading(said ?? basename(path)) || basename(path)
}

/** The first lines, of which some formats say what the rest is. */
function factsOf([first]: readonly Block[]): string {
  return first?.level === undefined ? (first?.lines.map(({ text }) => text).join('\n') ?? '') : ''
}
