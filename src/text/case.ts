/** On disk and in `--json` keys are snake_case, in TypeScript camelCase. Only keys change, at every depth. */

/** Nothing of ours is nested nearly so deep; what is was made to break whoever reads it, and nothing of it is read. */
const DEEPEST = 100

export function snakeKeys(value: unknown): unknown {
  return mapKeys(value, snakeKey)
}

export function snakeKey(key: string): string {
  return remembered(snakes, key, () => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

export function camelKeys(value: unknown): unknown {
  return mapKeys(value, camelKey)
}

/** A few dozen names, and journals hold a million of them: those that were met are known. */
const MOST_KNOWN = 500
const snakes = new Map<string, string>()
const camels = new Map<string, string>()

function camelKey(key: string): string {
  if (!key.includes('_')) return key
  return remembered(camels, key, () =>
    key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  )
}

function remembered(known: Map<string, string>, key: string, rename: () => string): string {
  const met = known.get(key)
  if (met !== undefined) return met
  const renamed = rename()
  if (known.size < MOST_KNOWN) known.set(key, renamed)
  return renamed
}

function mapKeys(value: unknown, rename: (key: string) => string, depth = 0): unknown {
  if (depth > DEEPEST) return null
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename, depth + 1))
  if (!isPlainObject(value)) return value // also dates, which JSON writes as they should be
  const renamed: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const name = rename(key)
    const mapped = mapKeys(item, rename, depth + 1)
    if (name !== '__proto__') renamed[name] = mapped
    // Set plainly, it would be the object's prototype rather than a key.
    else
      Object.defineProperty(renamed, name, {
        value: mapped,
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return renamed
}

function isPlainObject(value: unknown): value is object {
  if (value === null || typeof value !== 'object') return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
