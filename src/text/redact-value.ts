import { sha256 } from './ids.ts'
import { redactAll, redactNow } from './redact.ts'

/** Plain data with secrets masked in every text it holds; a secret seen in one of them is masked in all. */
export async function redactValue<Value>(value: Value): Promise<Value> {
  const texts: string[] = []
  mapTexts(value, (text) => {
    texts.push(text)
    return text
  })
  if (texts.length === 0) return value
  const masked = (await redactAll(texts)).texts
  let at = 0
  return mapTexts(value, (text) => changed(text, masked[at++]!))
}

/** The same for those who cannot wait; see `redactNow`. */
export function redactValueNow<Value>(value: Value): Value {
  return mapTexts(value, (text) => changed(text, redactNow(text)))
}

/** What names something stays a name of its own where it held a secret: the same one always gets the same. */
export function withoutSecretIn(name: string): string {
  return holdsSecret(redactNow(name), name) ? `redacted-${sha256(name).slice(0, 16)}` : name
}

/** Masking tidies too; a text without secrets stays to the letter. */
function changed(before: string, after: string): string {
  return holdsSecret(after, before) ? after : before
}

function holdsSecret(masked: string, before: string): boolean {
  return masked !== before && masked.includes('[redacted: ')
}

function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change)) as Value
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]),
  ) as Value
}
