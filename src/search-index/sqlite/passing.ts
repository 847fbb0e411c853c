import { matchesFilter } from '../filter.ts'
import type { Filter } from '../query.ts'
import type { Payload } from '../search-index.ts'
import { passingSlots } from './facets.ts'
import type { Layout } from './layout.ts'
import type { SearchRows } from './search-rows.ts'

/** Which documents pass a filter. Reading one takes far longer than scoring it: that is left until it would be found. */
export class Passing {
  /** Position → 0 where the document is not there, or is known not to pass. */
  readonly possible: Uint8Array
  /** What of the filter only the documents themselves tell, from which position on. */
  readonly #unread: { from: number; filter: Filter | undefined }[] = []
  readonly #payloadAt: (position: number) => Payload

  constructor(rows: SearchRows, layout: Layout, filter: Filter, payloadAt: (position: number) => Payload) {
    this.#payloadAt = payloadAt
    this.possible = layout.present.slice()
    for (const { number, start, size } of layout.chunks) {
      const unpacked: Filter = {}
      for (const [field, condition] of Object.entries(filter)) {
        const facets = rows.facets(number, field)
        if (facets) this.#keep(start, passingSlots(facets, condition, size))
        else unpacked[field] = condition
      }
      this.#unread.push({ from: start, filter: unlessEmpty(unpacked) })
    }
    this.#unread.push({ from: layout.loose.start, filter: unlessEmpty(filter) })
  }

  passes(position: number): boolean {
    if (this.possible[position] === 0) return false
    const unread = this.#unread.findLast(({ from }) => from <= position)?.filter
    if (unread === undefined || matchesFilter(this.#payloadAt(position), unread)) return true
    this.possible[position] = 0
    return false
  }

  #keep(start: number, passing: ArrayLike<number>): void {
    for (let slot = 0; slot < passing.length; slot++) this.possible[start + slot]! &= passing[slot]!
  }
}

function unlessEmpty(filter: Filter): Filter | undefined {
  return Object.keys(filter).length > 0 ? filter : undefined
}
