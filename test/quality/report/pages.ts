import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Results } from '../results.ts'
import { SETS } from '../sets/all.ts'
import { qualityPage } from './quality-page.ts'
import { readmeWith } from './readme-table.ts'

const KEPT = fromRoot('docs/quality.json')

/** What follows from the kept figures, and nothing else. */
const PAGES = [
  { name: 'docs/quality.md', made: (results: Results) => qualityPage(results) },
  {
    name: 'README.md',
    made: (results: Results) => readmeWith(readFileSync(fromRoot('README.md'), 'utf8'), results),
  },
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

export function writePages(): void {
  for (const { name, made } of PAGES) writeFileSync(fromRoot(name), made(keptResults()))
}

/** Those that do not say what was measured. */
export function outdatedPages(): string[] {
  return PAGES.filter(({ name, made }) => readFileSync(fromRoot(name), 'utf8') !== made(keptResults())).map(
    ({ name }) => name,
  )
}

function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}
