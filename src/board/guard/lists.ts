import { isDeepStrictEqual } from 'node:util'

/** What stands where a list belongs, as a list. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function contains(list: readonly unknown[], item: unknown): boolean {
  return list.some((other) => isDeepStrictEqual(other, item))
}
