import { plural } from '../text/plural.ts'
import { asData } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import type { Pattern } from './patterns.ts'

const MOST_PATTERNS = 3
const CAPS = { problem: 400, solution: 900, whenToTry: 300 } as const

/**
 * The block for an agent's prompt, framed so that it cannot be taken for instructions; undefined without patterns.
 * Every text inside is one line, without anything that could end the block or begin another.
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
    `- Problem: ${line(pattern.problem, CAPS.problem)}`,
    `- Solution: ${line(pattern.solution, CAPS.solution)}`,
    `- When to try: ${line(pattern.whenToTry, CAPS.whenToTry)}${opposites(pattern, shown)}`,
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

/** Brackets of other scripts, which read like ours and have no business in a description of code. */
const OTHER_OPENING = /[［【〔〖〚⟦❲⁅﹝]/g
const OTHER_CLOSING = /[］】〕〗〛⟧❳⁆﹞]/g
/** What looks like the frame itself; brackets of code (`items[0]`, `[context]`) stay. */
const OWN_FRAME =
  /\[([^[\]]{0,40}(?:end\b[^[\]]{0,20}context|orchestrator|historical\s{1,5}knowledge)[^[\]]{0,80})\]?/gi

function line(text: string, max: number): string {
  return truncate(asData(text), max)
    .replace(OTHER_OPENING, '(')
    .replace(OTHER_CLOSING, ')')
    .replace(OWN_FRAME, '($1)')
}
