import type { Scenario, Statement } from './scenario.ts'

export interface Grade {
  scenario: string
  false: string[]
  repeated: string[]
  told: number
  missing: string[]
  tokens: number
}

/** Never true of anything memory says, whatever the story. */
const NEVER: readonly Statement[] = [
  { says: 'an order', pattern: /\b(?:do not|don't|never|you must|make sure)\b/i },
  {
    says: 'harness trouble as an error',
    pattern: /error: (?:API Error|The run was|No such tool|String to replace)/i,
  },
]

/** Shorter ones come up twice without saying the same. */
const TELLING_LINE = 30

/** Holds what was shown against the story's statements. `errors`: every error message the records hold. */
export function grade(
  scenario: Scenario,
  shown: string,
  errors: readonly string[],
  count: (text: string) => number,
): Grade {
  const { must = [], may = [], mustNot = [] } = scenario
  const told = must.filter(({ pattern }) => occurrences(shown, pattern) > 0)
  const wrong = [...mustNot, ...NEVER].filter(({ pattern }) => occurrences(shown, pattern) > 0)
  return {
    scenario: scenario.name,
    false: [
      ...wrong.map(({ says, pattern }) => `${says}: "${pattern.exec(shown)?.[0]}"`),
      ...(scenario.silent && shown.trim() !== '' ? [`not silent: "${shown.slice(0, 200)}"`] : []),
    ],
    repeated: [
      ...[...must, ...may].filter(({ pattern }) => occurrences(shown, pattern) > 1).map(({ says }) => says),
      ...repeatedLines(shown),
      ...repeatedErrors(shown, errors),
    ],
    told: told.length,
    missing: must.filter((statement) => !told.includes(statement)).map(({ says }) => says),
    tokens: count(shown),
  }
}

function occurrences(text: string, { source, flags }: RegExp): number {
  return [...text.matchAll(new RegExp(source, flags.includes('g') ? flags : `${flags}g`))].length
}

function repeatedLines(shown: string): string[] {
  const lines = shown.split('\n').map((line) => line.replace(/^[\s>*-]+/, '').trim())
  return lines.filter((line, at) => line.length >= TELLING_LINE && lines.indexOf(line) !== at)
}

/** One error message stands once, whichever sections could show it. */
function repeatedErrors(shown: string, errors: readonly string[]): string[] {
  const plain = flat(shown)
  const beginnings = new Set(errors.map((message) => flat(message.split('\n')[0]!).slice(0, 60)))
  return [...beginnings].filter((message) => message.length >= 15 && plain.split(message).length > 2)
}

function flat(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function report(grades: readonly Grade[], keyFacts: number): string {
  const sum = (of: (grade: Grade) => number) => grades.reduce((total, grade) => total + of(grade), 0)
  const told = sum((grade) => grade.told)
  const lines = grades.flatMap(({ scenario, ...grade }) => [
    ...grade.false.map((what) => `  false     ${scenario}: ${what}`),
    ...grade.repeated.map((what) => `  repeated  ${scenario}: ${what}`),
    ...grade.missing.map((what) => `  missing   ${scenario}: ${what}`),
  ])
  return [
    `${grades.length} scenarios: ${sum((grade) => grade.false.length)} false, ${sum((grade) => grade.repeated.length)} repeated, ` +
      `${told} of ${keyFacts} key facts told (${((100 * told) / keyFacts).toFixed(1)} %), ${sum((grade) => grade.tokens)} tokens`,
    ...lines,
  ].join('\n')
}
