import { plural } from '../text/plural.ts'
import { quoted } from '../text/quote.ts'
import type { Pattern } from './patterns.ts'

const MOST_PATTERNS = 3
const CAPS = { problem: 400, solution: 900, whenToTry: 300 } as const

/**
 * The block for an agent's prompt, framed so that it cannot be taken for instructions; undefined without patterns.
 * Every text inside is one line in quotation marks, without anything that could end the block or begin another.
 */
export function contextBlock(patterns: readonly Pattern[]): string | undefined {
  if (patterns.length === 0) return undefined
  const shown = patterns.slice(0, MOST_PATTERNS)
  return [
    '[ORCHESTRATOR CONTEXT: Historical Knowledge]',
    '',
    'Similar situations have been resolved these ways:',
    '',
    ...shown.flatMap((pattern, index) => [...patternLines(pattern, index + 1, shown), '']),
    'Recommendation: Try patterns in order. Pattern 1 is most likely based on historical data.',
    '',
    '[END CONTEXT]',
  ].join('\n')
}

function patternLines(pattern: Pattern, number: number, shown: readonly Pattern[]): string[] {
  const successes = plural(pattern.successCount, 'success', 'successes')
  return [
    `Pattern ${number} (${commonness(pattern.successCount)} - ${successes}):`,
    `- Problem: ${quoted(pattern.problem, CAPS.problem)}`,
    `- Solution: ${quoted(pattern.solution, CAPS.solution)}`,
    `- When to try: ${quoted(pattern.whenToTry, CAPS.whenToTry)}${opposites(pattern, shown)}`,
  ]
}

function opposites(pattern: Pattern, shown: readonly Pattern[]): string {
  const numbers = pattern.conflictsWith
    .filter(({ how }) => how === 'opposite')
    .map(({ id }) => shown.findIndex((other) => other.id === id) + 1)
    .filter((number) => number > 0)
  return numbers.length === 0
    ? ''
    : `; pattern ${numbers.join(' and ')} says the opposite, so check which situation is this one`
}

function commonness(successes: number): string {
  if (successes >= 5) return 'Most Common'
  return successes >= 3 ? 'Moderate' : 'Less Common'
}
