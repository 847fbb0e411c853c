import { z } from 'zod'
import { RalphError } from '../errors.ts'

const SHORTEST_QUERY = 3
/** Longer questions are cut: no search gets better by a thousand words, and the embedder reads only the beginning. */
const LONGEST_QUERY = 2_000

/** What a model gives to a tool, checked with an answer that it can act on. */

/** Left to us to check, so that a wrong value is answered with what to do instead of a schema violation. */
export const query = z
  .string({ error: 'is missing. Say in words what you look for, e.g. "why did the login form break"' })
  .describe('What you look for, in words: "why did the login form break", "TS2345 in session.ts"')

export function limit(most: number, byDefault: number) {
  return z.number().optional().describe(`How many, 1 to ${most} (default ${byDefault})`)
}

export function meaningfulQuery(text: string, otherwise = ''): string {
  const trimmed = text.trim()
  const meaningful = trimmed.replace(/[^\p{L}\p{N}]/gu, '')
  if ([...trimmed].length < SHORTEST_QUERY || meaningful === '') {
    const given = trimmed === '' ? 'is empty' : `"${trimmed.slice(0, 20)}" says too little`
    throw new RalphError('invalid_input', `the query ${given}: use at least ${SHORTEST_QUERY} letters`, {
      hint: `Describe what you look for, e.g. query: "session token expires too early".${otherwise && ` ${otherwise}`}`,
    })
  }
  return trimmed.length > LONGEST_QUERY ? trimmed.slice(0, LONGEST_QUERY).toWellFormed() : trimmed
}

/** Too much is cut to the most there is; nonsense is refused with the range. */
export function checkedCount(
  name: string,
  value: number | undefined,
  most: number,
  byDefault: number,
): number {
  if (value === undefined) return byDefault
  if (!Number.isFinite(value) || value < 1) {
    throw new RalphError('invalid_input', `${name} must be a whole number from 1 to ${most}, not ${value}`, {
      hint: `Leave it out for ${byDefault}.`,
    })
  }
  return Math.min(Math.floor(value), most)
}

export function checkedFraction(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (value >= 0 && value <= 1)) return value
  throw new RalphError('invalid_input', `${name} must lie between 0 and 1, not ${value}`, {
    hint: 'Leave it out for what the settings say; 0.55 and more is "relevant".',
  })
}
