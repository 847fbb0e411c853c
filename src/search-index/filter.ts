import { RalphError } from '../errors.ts'
import type { Condition, Filter } from './query.ts'
import type { Json, Payload } from './search-index.ts'

/** Every driver accepts and refuses the same filters. */
export function checkFilter(filter: Filter, filterable: readonly string[]): void {
  for (const field of Object.keys(filter)) {
    if (filterable.includes(field)) continue
    throw new RalphError('invalid_input', `documents cannot be filtered by "${field}"`, {
      hint: `Filter by ${filterable.join(', ') || 'nothing: this collection has no such fields'}.`,
    })
  }
}

export function matchesFilter(payload: Payload, filter: Filter): boolean {
  return Object.entries(filter).every(([field, condition]) => matches(payload[field], condition))
}

/** An array matches when any of its elements does, and is excluded when any of them is. */
export function matches(value: Json | undefined, condition: Condition): boolean {
  const values = Array.isArray(value) ? value : [value]
  if ('in' in condition) return values.some((one) => includes(condition.in, one))
  if ('notIn' in condition) return !values.some((one) => includes(condition.notIn, one))
  return values.some((one) => within(one, condition))
}

function includes(list: readonly (string | number | boolean)[], value: Json | undefined): boolean {
  return list.some((one) => one === value)
}

function within(
  value: Json | undefined,
  { from, to }: { from?: string | number; to?: string | number },
): boolean {
  return (
    (typeof value === 'string' || typeof value === 'number') &&
    (from === undefined || (typeof from === typeof value && value >= from)) &&
    (to === undefined || (typeof to === typeof value && value <= to))
  )
}
