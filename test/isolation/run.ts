/**
 * Asks every surface on every driver, at random, from every place of a world full of places alike, and counts whatever it shows
 * from elsewhere. There may be nothing.
 *
 *   npm run isolation                              100,000 searches; fails with the first that shows something
 *   npm run isolation -- --searches 2000 --seed 7  fewer, others
 *   npm run isolation -- --only sqlite,mcp         only these drivers or surfaces
 *   npm run isolation -- --json                    the figures for programs
 *   npm run isolation -- --write                   also keeps them in docs/isolation.json and writes docs/isolation.md from them
 */
import { parseArgs } from 'node:util'
import { measuredHere, writePages } from '../../scripts/measured/measured-page.ts'
import { measure } from './measure.ts'
import { ISOLATION_PAGES, keepIsolation } from './report/pages.ts'
import type { IsolationResults } from './results.ts'
import { PLANS } from './sizes.ts'
import { SURFACES } from './surfaces/all.ts'
import type { Leak } from './tally.ts'
import { DRIVERS, missingDriver } from './world/drivers.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    searches: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const [seed, searches] = [wholeNumber('--seed', values.seed), wholeNumber('--searches', values.searches)]
const { drivers, surfaces } = chosen(values.only)
const started = performance.now()
const results: IsolationResults = { ...measuredHere(), seed, worlds: [], rows: [] }
const leaks: Leak[] = []

for (const driver of drivers) {
  const { size, share } = PLANS[driver]
  const skipped = missingDriver(driver)
  const world = { driver, size, minutes: 0, ...(skipped && { skipped }) }
  results.worlds.push(world)
  if (skipped) continue
  const begun = performance.now()
  const most = (of: number) => Math.max(1, Math.round(searches * of * share))
  const onProgress = (line: string) => console.error(`${elapsed()} ${line}`)
  const plan = {
    driver,
    size,
    seed,
    surfaces,
    searches: (one: { share: number }) => most(one.share),
    onProgress,
  }
  for (const { surface, tally } of await measure(plan)) {
    const { leaks: found, ...counts } = tally
    results.rows.push({ driver, surface: surface.name, ...counts, leaks: found.length })
    leaks.push(...found)
  }
  world.minutes = Math.round((performance.now() - begun) / 6_000) / 10
}
const silent = surfaces.filter(({ name }) => !results.rows.some((row) => row.surface === name && row.own > 0))
if (values.json) console.log(JSON.stringify(results, null, 2))
else for (const row of results.rows) console.log(Object.values(row).join('\t'))
const total = results.rows.reduce((sum, row) => sum + row.searches, 0)
console.error(`${elapsed()} ${total} searches, ${leaks.length} results from elsewhere`)
for (const leak of leaks.slice(0, 5)) console.error(JSON.stringify(leak, null, 2))
if (leaks.length > 0)
  console.error(
    `Again: npm run isolation -- --seed ${seed} --searches ${searches} --only ${leaks[0]!.driver},${leaks[0]!.surface}`,
  )
for (const { name } of silent) console.error(`${name} showed nothing of its own: nothing is proven of it`)
const failed = leaks.length > 0 || silent.length > 0
if (values.write && !failed) {
  keepIsolation(results)
  writePages(ISOLATION_PAGES)
}
// What was left open, such as a watcher, keeps nobody waiting.
process.exit(failed ? 1 : 0)

function chosen(only: string) {
  const names = only.split(',').filter(Boolean)
  const unknown = names.find(
    (name) => !DRIVERS.some((one) => one === name) && !SURFACES.some((one) => one.name === name),
  )
  if (unknown !== undefined) fail(`--only: there is no driver or surface ${JSON.stringify(unknown)}`)
  const some = <One>(all: readonly One[], nameOf: (one: One) => string) => {
    const named = all.filter((one) => names.includes(nameOf(one)))
    return named.length > 0 ? named : all
  }
  return { drivers: some(DRIVERS, (name) => name), surfaces: some(SURFACES, ({ name }) => name) }
}

function wholeNumber(flag: string, typed: string): number {
  if (!/^\d{1,9}$/.test(typed)) fail(`${flag} is no whole number: ${JSON.stringify(typed)}`)
  return Number(typed)
}

function fail(problem: string): never {
  console.error(`${problem}\nThere are: ${[...DRIVERS, ...SURFACES.map(({ name }) => name)].join(', ')}`)
  process.exit(2)
}

function elapsed(): string {
  return `${Math.round((performance.now() - started) / 1_000)} s:`
}
