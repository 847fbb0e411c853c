/** Reading of values somebody else wrote: whatever has not the expected shape is simply absent. */
export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function strings(value: unknown): string[] {
  return asArray(value).filter((item) => typeof item === 'string')
}

export function objects(values: readonly unknown[]): JsonObject[] {
  return values.map(asObject).filter((value) => value !== undefined)
}

/** The object that a line of JSON is; undefined for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}
