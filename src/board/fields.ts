import { isObject } from '../text/json.ts'
import { preprocess, z } from '../text/schema.ts'
import { AGENT_NAMES, type AgentName, agentCalled } from '../transcripts/agents.ts'

/** Building blocks of the schemas. Every message says what is wrong in words that fit behind "file:line: field: ". */

/** 3000 → "3,000"; without Intl, which takes ten milliseconds to load. */
const count = { format: (value: number) => String(value).replace(/\B(?=(?:\d{3}){1,6}$)/g, ',') }

export function text(max: number) {
  return z
    .string({ error: 'must be text' })
    .check(z.maxLength(max, { error: (issue) => overLimit(String(issue.input).length, 'characters', max) }))
}

export function requiredText(max: number) {
  return text(max).check(z.refine((value) => value.trim() !== '', { error: 'must not be empty' }))
}

/** A list; a single value is taken for a list of one, as people write it. */
export function listOf<Item extends z.core.$ZodType>(item: Item, max: number) {
  return preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z._default(
      z.array(item, { error: 'must be a list' }).check(
        z.maxLength(max, {
          error: (issue) => overLimit((issue.input as unknown[]).length, 'entries', max),
        }),
      ),
      [],
    ),
  )
}

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, {
    error: (issue) => `must be one of ${values.join(', ')} (it is ${JSON.stringify(issue.input)})`,
  })
}

/** Which agent works on it: a name from our list, or its program's; never a command, which a board may not start. */
export const agentName = preprocess(
  (value) => (/^\w+$/.test(String(value)) ? agentCalled(String(value)) : undefined) ?? value,
  oneOf(AGENT_NAMES as [AgentName, ...AgentName[]]),
)

export const wholeNumber = z
  .int({ error: 'must be a whole number' })
  .check(z.nonnegative({ error: 'must not be negative' }))
export const positiveNumber = z
  .int({ error: 'must be a whole number' })
  .check(z.positive({ error: 'must be 1 or more' }))

/** Inside the project, with `/`. */
export const projectFile = requiredText(500).check(
  z.refine(
    (path) => !/^([/\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..') && !path.includes('\0'),
    { error: 'must be a path inside the project: relative, without ".."' },
  ),
)

/** A mapping whose `key:` lines without a value count as absent, at the top level. */
export function mapping<Shape extends z.core.$ZodShape>(shape: Shape) {
  return preprocess(withoutNulls, z.looseObject(shape, { error: 'must be a mapping ("key: value" lines)' }))
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
}

function overLimit(actual: number, unit: string, max: number): string {
  return `has ${count.format(actual)} ${unit}, the limit is ${count.format(max)}`
}
