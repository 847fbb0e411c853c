import Table from 'cli-table3'
import { forTerminal, ownColours } from '../text/terminal.ts'

/** Columns without lines around them: easy on the eye, easy on grep. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return ''
  const none = Object.fromEntries(
    [
      'top',
      'top-mid',
      'top-left',
      'top-right',
      'bottom',
      'bottom-mid',
      'bottom-left',
      'bottom-right',
      'left',
      'left-mid',
      'mid',
      'mid-mid',
      'right',
      'right-mid',
    ].map((edge) => [edge, '']),
  )
  const lines = new Table({
    head: [...head],
    chars: { ...none, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  // Widths are measured, so what takes no room must be gone before.
  lines.push(...rows.map((row) => row.map((cell) => forTerminal(String(cell)))))
  const shown = lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
  return ownColours(shown.join('\n'))
}
