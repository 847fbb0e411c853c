import { layOut } from '../text/columns.ts'
import { forTerminal, ownColours } from '../text/terminal.ts'
import { columnsOf } from './width.ts'

/** Columns without lines around them: easy on the eye, easy on grep. On a terminal, no wider than it. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return ''
  // Widths are measured, so what takes no room must be gone before.
  const cells = rows.map((row) => row.map((cell) => forTerminal(String(cell))))
  return ownColours(layOut([head, ...cells], columnsOf(process.stdout)))
}
