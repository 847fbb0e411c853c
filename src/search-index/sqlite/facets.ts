import { matches } from '../filter.ts'
import type { Condition } from '../query.ts'
import type { Json } from '../search-index.ts'

/** For one field of a chunk: its values, each with the slots of the documents that have it. */
export interface Facets {
  /** Null unless all values are strings or all are numbers. */
  lowest: string | number | null
  highest: string | number | null
  /** A JSON array of pairs: the value, and how many slots are its own. */
  values: string
  /** 16-bit numbers, the slots of the first value first. */
  slots: Uint8Array
}

export class FacetsWriter {
  readonly #slots = new Map<Json, number[]>()

  add(slot: number, value: Json | undefined): void {
    // What no condition can speak of is left out, and what is said twice is kept once.
    for (const one of new Set(Array.isArray(value) ? value : [value])) {
      if (one === undefined || one === null || typeof one === 'object') continue
      const slots = this.#slots.get(one)
      if (slots) slots.push(slot)
      else this.#slots.set(one, [slot])
    }
  }

  facets(): Facets {
    const values = [...this.#slots.keys()] as (string | number | boolean)[]
    return {
      ...range(values),
      values: JSON.stringify([...this.#slots].map(([value, slots]) => [value, slots.length])),
      slots: new Uint8Array(Uint16Array.from([...this.#slots.values()].flat()).buffer),
    }
  }
}

function range(values: readonly (string | number | boolean)[]): Pick<Facets, 'lowest' | 'highest'> {
  const [first] = values
  if (
    first === undefined ||
    typeof first === 'boolean' ||
    values.some((one) => typeof one !== typeof first)
  ) {
    return { lowest: null, highest: null }
  }
  let [lowest, highest] = [first, first]
  for (const one of values as (typeof first)[]) {
    if (one < lowest) lowest = one
    if (one > highest) highest = one
  }
  return { lowest, highest }
}

/** The same for the documents that are left, so that nothing of the others stays readable. */
export function withoutSlots(facets: Facets, removed: ReadonlySet<number>): Facets {
  const left = new FacetsWriter()
  for (const [value, slots] of entries(facets)) {
    for (const slot of slots) if (!removed.has(slot)) left.add(slot, value)
  }
  return left.facets()
}

function* entries({ values, slots }: Facets): Generator<[value: Json, slots: Uint16Array]> {
  const all = asUint16(slots)
  let start = 0
  for (const [value, count] of JSON.parse(values) as [Json, number][]) {
    yield [value, all.subarray(start, start + count)]
    start += count
  }
}

/**
 * Slot → 1 where the document passes. A document is judged by all its values at once: with "in" and ranges one that
 * passes is enough, with "notIn" one that does not pass is too much. What an absent value is worth tells the two apart.
 */
export function passingSlots(facets: Facets, condition: Condition, size: number): Uint8Array {
  const ifAbsent = matches(undefined, condition)
  const passes = new Uint8Array(size).fill(ifAbsent ? 1 : 0)
  const deciding = decidingValues(facets, condition)
  if (deciding === 'none') return passes
  if (deciding === 'all') {
    // Here conditions are ranges: any value will do, and parsing thousands of them is the slow part.
    for (const slot of asUint16(facets.slots)) passes[slot] = 1
    return passes
  }
  for (const [value, slots] of entries(facets)) {
    if (matches(value, condition) !== ifAbsent) for (const slot of slots) passes[slot] = ifAbsent ? 0 : 1
  }
  return passes
}

/** Which of the values make a difference, as far as can be told without looking at each. */
function decidingValues(facets: Facets, condition: Condition): 'none' | 'all' | 'some' {
  if ('in' in condition || 'notIn' in condition) {
    const wanted = 'in' in condition ? condition.in : condition.notIn
    const { values } = facets
    return wanted.some((one) => values.includes(JSON.stringify(one))) ? 'some' : 'none'
  }
  const { lowest, highest } = facets
  if (lowest === null || highest === null) return 'some'
  const { from, to } = condition
  if ((from !== undefined && !matches(highest, { from })) || (to !== undefined && !matches(lowest, { to }))) {
    return 'none'
  }
  return matches(lowest, condition) && matches(highest, condition) ? 'all' : 'some'
}

function asUint16(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2)
}
