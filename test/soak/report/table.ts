import type { TrialResult } from '../core/trial.ts'

export const HEAD = [
  'trial',
  'killed',
  'acknowledged',
  'found',
  'doubled',
  'damaged',
  'refused',
  'built again',
] as const

/** A row of cells for each trial, and one for all of them. */
export function rows(results: readonly TrialResult[]): string[][] {
  const run = results.filter(({ skipped }) => skipped === undefined)
  const sum = (of: 'kills' | 'acknowledged' | 'found' | 'doubled' | 'damaged' | 'refused') =>
    count(run.reduce((total, result) => total + result[of], 0))
  return [
    ...results.map((result) =>
      result.skipped !== undefined
        ? [result.name, ...HEAD.slice(1).map((_, at) => (at === 0 ? `not run: ${result.skipped}` : ''))]
        : [
            ...[result.name, count(result.kills), count(result.acknowledged), count(result.found)],
            ...[count(result.doubled), count(result.damaged), count(result.refused), result.rebuilt ?? ''],
          ],
    ),
    [
      'all',
      sum('kills'),
      sum('acknowledged'),
      sum('found'),
      sum('doubled'),
      sum('damaged'),
      sum('refused'),
      '',
    ],
  ]
}

/** For a terminal. */
export function table(results: readonly TrialResult[]): string {
  const all = [[...HEAD], ...rows(results)]
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
