import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fromRoot, type MeasuredPage } from '../../../scripts/measured/measured-page.ts'
import type { AskedDriver, IsolationResults, IsolationRow } from '../results.ts'
import { isolationPage } from './isolation-page.ts'

const KEPT = fromRoot('docs/isolation.json')

export const ISOLATION_PAGES: readonly MeasuredPage[] = [
  { path: 'docs/isolation.md', made: () => isolationPage(keptIsolation()) },
]

/** What was not asked this time keeps what it had. */
export function keepIsolation(results: IsolationResults): void {
  const before = existsSync(KEPT) ? keptIsolation() : undefined
  const isNew = (row: IsolationRow) =>
    results.rows.some(({ driver, surface }) => driver === row.driver && surface === row.surface)
  const kept = before?.rows.filter((row) => !isNew(row)) ?? []
  const rows = [...kept, ...results.rows]
  const others = before?.worlds.filter((one) => !results.worlds.some(({ driver }) => driver === one.driver))
  const worlds = [...(others ?? []), ...results.worlds.map((world) => withMinutesOf(world, before, kept))]
  writeFileSync(KEPT, `${JSON.stringify({ ...results, worlds, rows }, null, 2)}\n`)
}

/** Of what is kept of the same driver, too. */
function withMinutesOf(
  world: AskedDriver,
  before: IsolationResults | undefined,
  kept: readonly IsolationRow[],
): AskedDriver {
  const { driver, minutes } = world
  const isPart = kept.some((row) => row.driver === driver)
  const earlier = before?.worlds.find((one) => one.driver === driver)?.minutes ?? 0
  return isPart ? { ...world, minutes: Math.round(10 * (minutes + earlier)) / 10 } : world
}

export function keptIsolation(): IsolationResults {
  return JSON.parse(readFileSync(KEPT, 'utf8')) as IsolationResults
}
