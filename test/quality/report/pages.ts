import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fromRoot, type MeasuredPage } from '../../../scripts/measured/measured-page.ts'
import type { Results } from '../results.ts'
import { SETS } from '../sets/all.ts'
import { qualityPage } from './quality-page.ts'
import { readmeWith } from './readme-table.ts'

const KEPT = fromRoot('docs/quality.json')

export const QUALITY_PAGES: readonly MeasuredPage[] = [
  { path: 'docs/quality.md', made: () => qualityPage(keptResults()) },
  { path: 'README.md', made: (readme) => readmeWith(readme, keptResults()) },
]

/** Sets that were not measured this time keep what they had. */
export function keepResults(results: Results): void {
  const before = existsSync(KEPT) ? keptResults().sets : []
  const sets = SETS.flatMap(
    ({ name }) =>
      results.sets.find((set) => set.name === name) ?? before.find((set) => set.name === name) ?? [],
  )
  // More digits than anybody reads would only make every run a change.
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value
  const text = JSON.stringify({ ...results, sets }, rounded, 2)
  // A figure a line: what changed between two runs can be read.
  const figures = text.replace(
    /\{\s+("value"[^{}]*?)\s+\}/g,
    (_, inner: string) => `{ ${inner.replace(/\s+/g, ' ')} }`,
  )
  writeFileSync(KEPT, `${figures}\n`)
}

export function keptResults(): Results {
  return JSON.parse(readFileSync(KEPT, 'utf8')) as Results
}
