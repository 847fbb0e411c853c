/** On disk and in `--json` keys are snake_case, in TypeScript camelCase. Only keys change, at every depth. */

export function snakeKeys(value: unknown): unknown {
  return mapKeys(value, snakeKey)
}

export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function camelKeys(value: unknown): unknown {
  return mapKeys(value, camelKey)
}

function camelKey(key: string): string {
  // Most keys have none, and journals have a million of them.
  if (!key.includes('_')) return key
  return key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function mapKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename))
  if (!isPlainObject(value)) return value // also dates, which JSON writes as they should be
  const renamed: [string, unknown][] = []
  for (const [key, item] of Object.entries(value))
    if (item !== undefined) renamed.push([rename(key), mapKeys(item, rename)])
  return Object.fromEntries(renamed)
}

function isPlainObject(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
