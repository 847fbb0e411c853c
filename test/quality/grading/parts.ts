import type { Part } from '../results.ts'
import { HALVES, halfOf } from './halves.ts'

/** The same figures for each half by itself and for both together. */
export function forEachPart<Item, Figures>(
  items: readonly Item[],
  questionOf: (item: Item) => string,
  figures: (items: readonly Item[]) => Figures,
): Record<Part, Figures> {
  const [choosing, reporting] = HALVES.map((half) =>
    figures(items.filter((item) => halfOf(questionOf(item)) === half)),
  )
  return { choosing: choosing!, reporting: reporting!, all: figures(items) }
}
