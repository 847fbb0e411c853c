import type { CollectionPlace } from './places.ts'

/** One question is made of several looks at the same collection: what was read so recently is not read again. */
const FRESH_MS = 2_000
/** Of ids somebody has asked about. */
const MOST_IDS = 20_000

/** After a larger change the documents are counted: that takes no longer, and mends a number that was left wrong. */
const MOST_RECKONED = 100

interface Known {
  /** Undefined when there was none. */
  place: CollectionPlace | undefined
  until: number
}

/** What was last seen of each collection: where it is, and which documents are in it. */
export class KnownPlaces {
  readonly #places = new Map<string, Known>()
  /** By collection: ids that were asked about since it was last written, and whether they were there. */
  readonly #ids = new Map<string, Map<string, boolean>>()
  /** Into which something was put without anybody knowing how many more there are then. */
  readonly #uncounted = new Set<string>()

  fresh(name: string): Pick<Known, 'place'> | undefined {
    const known = this.#places.get(name)
    return known && performance.now() < known.until ? known : undefined
  }

  saw(place: CollectionPlace): CollectionPlace {
    this.#places.set(place.name, { place, until: performance.now() + FRESH_MS })
    return place
  }

  sawNone(name: string): void {
    this.#places.set(name, { place: undefined, until: performance.now() + FRESH_MS })
    this.#ids.delete(name)
  }

  forget(name: string): void {
    this.#places.delete(name)
    this.#ids.delete(name)
    this.#uncounted.delete(name)
  }

  clear(): void {
    this.#places.clear()
    this.#ids.clear()
    this.#uncounted.clear()
  }

  sawDocuments(name: string, asked: readonly string[], found: readonly { id: string }[]): void {
    const ids = this.#ids.get(name) ?? new Map<string, boolean>()
    if (ids.size > MOST_IDS) ids.clear()
    for (const id of asked) ids.set(id, false)
    for (const { id } of found) ids.set(id, true)
    this.#ids.set(name, ids)
  }

  /** By how many documents there are more after this change; undefined when somebody has to count. */
  growth(name: string, put: readonly string[], remove: readonly string[]): number | undefined {
    const ids = this.#ids.get(name)
    this.#ids.delete(name)
    if (this.#uncounted.has(name) || put.length + remove.length > MOST_RECKONED) return undefined
    if (put.length === 0 && remove.length === 0) return 0
    if (!ids || [...put, ...remove].some((id) => !ids.has(id))) return undefined
    return put.filter((id) => !ids.get(id)).length - remove.filter((id) => ids.get(id)).length
  }

  /** Until then nobody reckons on from a number that was not true. */
  counted(name: string, isCounted: boolean): void {
    if (isCounted) this.#uncounted.delete(name)
    else this.#uncounted.add(name)
  }
}
