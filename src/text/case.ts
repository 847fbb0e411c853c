/** On disk and in `--json` keys are snake_case, in TypeScript camelCase. Only keys change, at every depth. */

export function snakeKeys(value: unknown): unknown {
  return mapKeys(value, snakeKey)
}

export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function camelKeys(value: unknown): unknown {
  return mapKeys(value, (key) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))
}

function mapKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename))
  if (!isPlainObject(value)) return value // also dates, which JSON writes as they should be
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [rename(key), mapKeys(item, rename)]),
  )
}

function isPlainObject(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
