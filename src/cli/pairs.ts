import { wrap } from '../text/wrap.ts'
import { typed } from './typed.ts'

const MARGIN = 2
const GAP = 2
/** What a meaning needs beside its name. */
const LEAST_BESIDE = 20
const BELOW = 6

/** Names in a column, what they mean beside them; below a name that leaves no room. */
export function pairs(
  given: readonly (readonly [string, string])[],
  width = Number.POSITIVE_INFINITY,
): string {
  // As they are typed here, before they are measured.
  const lines = given.map(([name, meaning]) => [typed(name), meaning] as const)
  const widest = width - MARGIN - GAP - LEAST_BESIDE
  const column = Math.max(0, ...lines.map(([name]) => name.length).filter((length) => length <= widest)) + GAP
  return lines
    .map(([name, meaning]) => {
      const start = ' '.repeat(MARGIN) + name
      if (name.length > widest) return `${start}\n${hanging(meaning, BELOW, width, BELOW)}`
      return start.padEnd(MARGIN + column) + hanging(meaning, MARGIN + column, width)
    })
    .join('\n')
}

function hanging(text: string, indent: number, width: number, first = 0): string {
  return ' '.repeat(first) + wrap(text, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`)
}
