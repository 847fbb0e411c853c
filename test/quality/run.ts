/**
 * Grades what the memories find, through the public library with its default settings, beside plain BM25 and MiniLM alone.
 *
 *   npm run quality                     all sets; fails when a figure falls below its floor
 *   npm run quality -- notes locomo-1   only these
 *   npm run quality -- --write          also keeps the figures in docs/quality.json and writes docs/quality.md and the README from them
 */
import { parseArgs } from 'node:util'
import { measuredHere, writePages } from '../../scripts/measured/measured-page.ts'
import { missing } from './data.ts'
import { missedFloors } from './floors.ts'
import { Dense } from './references/dense.ts'
import { keepResults, QUALITY_PAGES } from './report/pages.ts'
import { abstentionTable, measuresTable } from './report/tables.ts'
import { isMeasured, type SetResult } from './results.ts'
import { SETS, setNamed } from './sets/all.ts'
import type { GradedSet } from './shape.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
})
const chosen = positionals.length > 0 ? positionals.map(setNamed) : SETS
// Before the first set: what is changed meanwhile is not what is measured.
const { date, commit, ...here } = measuredHere()

const started = performance.now()
const dense = await Dense.open()
const sets: SetResult[] = []
try {
  for (const set of chosen) sets.push(await measured(set))
} finally {
  await dense.close()
}
const silent = sets.filter(isMeasured).filter(({ abstention }) => abstention !== undefined)
if (silent.length > 0) console.log(`\n${abstentionTable(silent, (name) => setNamed(name).title)}`)
console.log(`\n${((performance.now() - started) / 60_000).toFixed(1)} minutes`)

const missed = missedFloors(sets)
for (const sentence of missed) console.error(`worse than it may be: ${sentence}`)
if (values.write && missed.length === 0) {
  keepResults({ ...here, model: dense.model, sets: sets.map((set) => ({ ...set, date, commit })) })
  writePages(QUALITY_PAGES)
}
process.exitCode = missed.length > 0 ? 1 : 0

async function measured({ name, title, needs, grade }: GradedSet): Promise<SetResult> {
  const absent = missing(needs)
  if (absent !== undefined) {
    console.log(`\n${title}: skipped, ${absent}`)
    return { name, skipped: absent }
  }
  const begun = performance.now()
  const result = { name, ...(await grade(dense)) }
  const seconds = Math.round((performance.now() - begun) / 1_000)
  console.log(`\n${title} (${name}), ${result.documents} documents, ${seconds} s\n\n${measuresTable(result)}`)
  return result
}
