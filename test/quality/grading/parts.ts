import type { Part } from '../results.ts'
import { HALVES, type Half } from './halves.ts'

/** The same figures for each half by itself and for both together. */
export function forEachPart<Item, Figures>(
  items: readonly Item[],
  halfOf: (item: Item) => Half,
  figures: (items: readonly Item[]) => Figures,
): Record<Part, Figures> {
  const [choosing, reporting] = HALVES.map((half) => figures(items.filter((item) => halfOf(item) === half)))
  return { choosing: choosing!, reporting: reporting!, all: figures(items) }
}
