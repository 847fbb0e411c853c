import type { Block, DocumentLine } from '../cut/block.ts'
import type { PdfLine } from './pdf-line.ts'

export interface PdfPage {
  /** From 1. */
  number: number
  lines: readonly PdfLine[]
}

/** How much larger than most of the text a heading is, at least, and how long at most. */
const LARGER = 1.12
const LONGEST_HEADING = 140
const MOST_LEVELS = 4
/** A line at the edge of so many of the pages is no part of the text. */
const REPEATED = 0.4
const FEWEST_PAGES = 4
const AT_EDGE = 2

/** Pages → paragraphs under headings, which are told by the size of their letters. */
export function pdfBlocks(pages: readonly PdfPage[]): Block[] {
  const texts = withoutEdges(pages)
  const levels = levelsOf(texts)
  const blocks: Block[] = []
  let lines: DocumentLine[] = []
  let level: number | undefined
  const close = () => {
    if (lines.length > 0)
      blocks.push(level === undefined ? { lines: joined(lines) } : headingOf(lines, level))
    lines = []
  }
  for (const page of texts) {
    for (const line of page.lines) {
      const itsLevel = headingLevel(line, levels)
      if (line.apart || itsLevel !== level) close()
      level = itsLevel
      lines.push({ text: line.text, at: page.number })
    }
  }
  close()
  return blocks
}

function headingOf(lines: readonly DocumentLine[], level: number): Block {
  return { lines, level, name: lines.map(({ text }) => text).join(' ') }
}

/** Running titles and page numbers: the same at the top or bottom of many pages, but for numbers. */
function withoutEdges(pages: readonly PdfPage[]): readonly PdfPage[] {
  if (pages.length < FEWEST_PAGES) return pages
  const plain = ({ text }: PdfLine) => text.replace(/\p{N}+|\b[ivxlc]+\b/gu, '0').trim()
  const edgesOf = ({ lines }: PdfPage) => new Set([...lines.slice(0, AT_EDGE), ...lines.slice(-AT_EDGE)])
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const text of new Set([...edgesOf(page)].map(plain))) counts.set(text, (counts.get(text) ?? 0) + 1)
  const isRepeated = (line: PdfLine) =>
    /^[\p{N}\s–—-]+$/u.test(line.text) || (counts.get(plain(line)) ?? 0) >= REPEATED * pages.length
  return pages.map((page) => {
    const edges = edgesOf(page)
    return { ...page, lines: page.lines.filter((line) => !(edges.has(line) && isRepeated(line))) }
  })
}

/** Sizes of headings, the largest first. What most of the text is printed in is no heading. */
function levelsOf(pages: readonly PdfPage[]): number[] {
  const lengths = new Map<number, number>()
  for (const { lines } of pages)
    for (const { size, text } of lines) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  const [body = [0, 0]] = [...lengths].sort(([, a], [, b]) => b - a)
  return [...lengths.keys()].filter((size) => size >= LARGER * body[0]).sort((a, b) => b - a)
}

function headingLevel({ size, text }: PdfLine, levels: readonly number[]): number | undefined {
  const at = levels.indexOf(size)
  if (at === -1 || text.length > LONGEST_HEADING || !/\p{L}{2}/u.test(text)) return undefined
  return Math.min(at + 1, MOST_LEVELS)
}

/** A word that was parted at the end of a line is whole again. */
function joined(lines: readonly DocumentLine[]): DocumentLine[] {
  const whole: DocumentLine[] = []
  for (const line of lines) {
    const before = whole.at(-1)
    const isParted = before && /\p{L}-$/u.test(before.text) && /^\p{Ll}/u.test(line.text)
    if (isParted) whole[whole.length - 1] = { ...before, text: before.text.slice(0, -1) + line.text }
    else whole.push(line)
  }
  return whole
}
