/** A line of a page as it was printed. */
export interface PdfLine {
  text: string
  /** Of its letters, in points. */
  size: number
  /** Space above it that a new line alone would not need. */
  apart: boolean
}

/** What pdf.js tells of a stretch of text. */
export interface TextItem {
  str: string
  /** The last two: where it begins, from the left and from the bottom. */
  transform: readonly number[]
  width: number
  height: number
  hasEOL: boolean
}

/** Of the height of its letters: what stands further apart is another word, another line, another paragraph. */
const WORD_GAP = 0.15
const LINE_GAP = 0.5
const PARAGRAPH_GAP = 1.7

/** The dots between a title and its page. */
const LEADERS = /(?:\s?[.·]){4,}/g

/** Stretches of text in the order in which the page draws them → lines. */
export function pageLines(items: readonly TextItem[]): PdfLine[] {
  const lines: PdfLine[] = []
  let text = ''
  let size = 0
  let [right, bottom] = [0, Number.NaN]
  let above = Number.NaN
  const close = () => {
    const plain = text.replace(LEADERS, ' … ').replace(/\s+/g, ' ').trim()
    if (plain !== '') {
      const apart = !(Math.abs(above - bottom) <= PARAGRAPH_GAP * size)
      lines.push({ text: plain, size: Math.round(size * 2) / 2, apart })
      above = bottom
    }
    text = ''
    size = 0
  }
  for (const item of items) {
    const [left, base] = [item.transform[4] ?? 0, item.transform[5] ?? 0]
    const height = item.height || Math.abs(item.transform[3] ?? 0)
    const isSameLine = Math.abs(base - bottom) <= LINE_GAP * Math.max(height, size)
    if (text !== '' && !isSameLine && item.str.trim() !== '') close()
    if (item.str.trim() !== '') {
      if (text !== '' && left - right > WORD_GAP * height && !text.endsWith(' ')) text += ' '
      text += item.str
      size = Math.max(size, height)
      right = left + item.width
      bottom = base
    } else if (item.str !== '') text += ' '
    if (item.hasEOL) close()
  }
  close()
  return lines
}
