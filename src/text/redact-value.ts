import { sha256 } from './ids.ts'
import { redact, redactAll } from './redact.ts'
import { kindNamed } from './secrets/named.ts'

/** Plain data with secrets masked in every text it holds; a secret seen in one of them is masked in all. */
export function redactValue<Value>(value: Value): Value {
  const texts: string[] = []
  const names: (string | undefined)[] = []
  mapTexts(value, (text, name) => {
    texts.push(text)
    names.push(name)
    return text
  })
  if (texts.length === 0) return value
  const safe = redactAll(texts).texts.map((masked, at) => {
    const kind = names[at] === undefined ? undefined : kindNamed(names[at], texts[at]!)
    return kind === undefined ? changed(texts[at]!, masked) : `[redacted: ${kind}]`
  })
  if (safe.every((text, at) => text === texts[at])) return value
  let at = 0
  return mapTexts(value, () => safe[at++]!)
}

/** What programs name sessions and conversations by: drawn at random, and nobody's secret. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What names something stays a name of its own where it held a secret: the same one always gets the same. */
export function withoutSecretIn(name: string): string {
  if (UUID.test(name)) return name
  return holdsSecret(redact(name), name) ? `redacted-${sha256(name).slice(0, 16)}` : name
}

/** Masking tidies too; a text without secrets stays to the letter. */
function changed(before: string, after: string): string {
  return holdsSecret(after, before) ? after : before
}

function holdsSecret(masked: string, before: string): boolean {
  return masked !== before && masked.includes('[redacted: ')
}

/** With each text comes the name of the field it stands in. */
function mapTexts<Value>(
  value: Value,
  change: (text: string, name: string | undefined) => string,
  name?: string,
): Value {
  if (typeof value === 'string') return change(value, name) as Value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, name)) as Value
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, change, key)]),
  ) as Value
}
