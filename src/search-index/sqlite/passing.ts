import { matchesFilter } from '../filter.ts'
import type { Filter } from '../query.ts'
import { passingSlots } from './facets.ts'
import type { Layout } from './layout.ts'
import type { SearchRows } from './search-rows.ts'

const PASSES = 1
const UNREAD = 2

/** Which documents pass a filter. Reading one takes far longer than scoring it: that is left until it would be found. */
export class Passing {
  /** Position → 0 where the document is not there, or is known not to pass; else PASSES or UNREAD. */
  readonly possible: Uint8Array
  /** What of the filter only the documents themselves tell, from which position on. */
  readonly #unread: { from: number; filter: Filter }[] = []
  readonly #layout: Layout

  constructor(rows: SearchRows, layout: Layout, filter: Filter) {
    this.#layout = layout
    this.possible = layout.present.slice()
    for (const { number, start, size } of layout.chunks) {
      const unpacked: Filter = {}
      for (const [field, condition] of Object.entries(filter)) {
        const facets = rows.facets(number, field)
        if (facets) this.#keep(start, passingSlots(facets, condition, size))
        else unpacked[field] = condition
      }
      this.#leaveUnread(start, size, unpacked)
    }
    const { start, entries } = layout.loose
    this.#leaveUnread(start, entries.length, filter)
  }

  passes(position: number, rows: SearchRows): boolean {
    if (this.possible[position] !== UNREAD) return this.possible[position] === PASSES
    const { filter } = this.#unread.findLast(({ from }) => from <= position)!
    const { documents, tieBreaks } = this.#layout
    const { payload } = rows.document(documents[position]!, tieBreaks[position]!)
    const passes = matchesFilter(payload, filter)
    this.possible[position] = passes ? PASSES : 0
    return passes
  }

  /** Until somebody asks for one of them. */
  #leaveUnread(start: number, size: number, filter: Filter): void {
    if (Object.keys(filter).length === 0) return
    this.#unread.push({ from: start, filter })
    for (let at = start; at < start + size; at++) if (this.possible[at] !== 0) this.possible[at] = UNREAD
  }

  #keep(start: number, passing: ArrayLike<number>): void {
    for (let slot = 0; slot < passing.length; slot++) this.possible[start + slot]! &= passing[slot]!
  }
}
