import { displayWidth } from './display-width.ts'
import { wrap } from './wrap.ts'

type Rows = readonly (readonly string[])[]

const GAP = 2
/** A column is made no narrower than this for the sake of the others. */
const NARROWEST = 8

/** Cells in columns without lines around them; where they do not fit, the widest are wrapped. */
export function layOut(rows: Rows, width = Number.POSITIVE_INFINITY): string {
  const widths = fitted(
    widthsOf(rows, lineWidth),
    widthsOf(rows, (cell) => Math.max(NARROWEST, wordWidth(cell))),
    width,
  )
  return rows.map((row) => rowText(row, widths)).join('\n')
}

/** Whether they can be laid out without a word being broken. */
export function fits(rows: Rows, width: number): boolean {
  const widths = widthsOf(rows, wordWidth)
  return sum(widths) + GAP * (widths.length - 1) <= width
}

function widthsOf(rows: Rows, widthOf: (cell: string) => number): number[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: count }, (_, at) => Math.max(0, ...rows.map((row) => widthOf(row[at] ?? ''))))
}

const lineWidth = (cell: string): number => Math.max(...cell.split('\n').map(displayWidth))
const wordWidth = (cell: string): number => Math.max(...cell.split(/\s+/).map(displayWidth))

/** Takes from the widest until all fit: first down to their longest words, then, if that is not enough, further. */
function fitted(natural: readonly number[], least: readonly number[], width: number): number[] {
  const gentle = narrowed(natural, least, width)
  return narrowed(
    gentle,
    gentle.map(() => NARROWEST),
    width,
  )
}

function narrowed(from: readonly number[], least: readonly number[], width: number): number[] {
  const widths = [...from]
  const room = width - GAP * (widths.length - 1)
  while (sum(widths) > room) {
    const givers = widths.filter((one, at) => one > least[at]!)
    if (givers.length === 0) break
    const widest = Math.max(...givers)
    widths[widths.findIndex((one, at) => one === widest && one > least[at]!)] = widest - 1
  }
  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function rowText(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, at) =>
    (row[at] ?? '')
      .split('\n')
      .flatMap((line) => (displayWidth(line) <= width ? [line] : broken(line, width))),
  )
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) => padded(lines[line] ?? '', widths[at]!))
      .join(' '.repeat(GAP))
      .trimEnd(),
  ).join('\n')
}

/** Between words, and within one that is wider than the column: what stands beside it must not move. */
function broken(line: string, width: number): string[] {
  return wrap(line, width)
    .split('\n')
    .flatMap((part) => (displayWidth(part) <= width ? [part] : pieces(part, width)))
}

function pieces(word: string, width: number): string[] {
  const found: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && displayWidth(piece + character) > width) {
      found.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...found, piece]
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}
