import { redact } from '../text/redact.ts'
import { sanitise } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import { ENTRY_CAPS, type Knowledge, parseKnowledge } from './entry.ts'

/** What lies further back cannot reach what is kept, so a text of many megabytes costs no more than a page. */
const LONGEST_EXAMINED = 4 * ENTRY_CAPS.solution
const MOST_STEPS = 1_000

/**
 * Validates, masks secrets and defuses injected instructions, before anything is stored. A field of which nothing is
 * left is refused like an empty one. Texts are cleaned before they are cut: half a secret is still a secret.
 */
export function cleanKnowledge(value: unknown): Knowledge {
  const known = Object.keys(parseKnowledge(value))
  const given = value as Record<string, unknown>
  const cleaned = known
    .filter((field) => given[field] !== undefined)
    .map((field) => [field, cleanField(given[field])] as const)
  return parseKnowledge(Object.fromEntries(cleaned))
}

/** One text, masked and defused before it is cut. */
export function cleanText(text: string, longest: number): string {
  return truncate(cleaned(text, 4 * longest).trim(), longest)
}

function cleanField(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MOST_STEPS).map(cleanField)
  return typeof value === 'string' ? cleaned(value, LONGEST_EXAMINED) : value
}

function cleaned(text: string, longestExamined: number): string {
  return sanitise(redact(truncate(text, longestExamined)))
}
