/**
 * How often an effect is claimed in simulated projects of which is known what memory does to them.
 *
 *   npm run effect                 1,000 projects for each case; fails when nothing is claimed to be something too often
 *   npm run effect -- 100          so many projects
 *   npm run effect -- --write      also keeps the figures in docs/effect.json and writes the pages made of them
 */
import { parseArgs } from 'node:util'
import { measuredHere, writePages } from '../../scripts/measured/measured-page.ts'
import { FALSE_CLAIMS } from '../../src/effect/confidence.ts'
import { type Claims, claimsOfMany, shareWith } from './claims.ts'
import { EFFECT_PAGES, type EffectFigures, keepFigures } from './pages.ts'
import { CHANGING_SHARE, NO_EFFECT, NOTICEABLE_HARM, NOTICEABLE_HELP, STEADY_SHARES } from './scenarios.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
})
const projects = Number(positionals[0] ?? 1_000)
const LOOK_EVERY = 10
const RUNS = 1_200
const READ_OFF = [100, 200, 400, 800, 1_200]
const { commit: _, ...here } = measuredHere()

const within = (all: readonly Claims[][], runs: number) =>
  all.map((claims) => claims.filter(({ at }) => at <= runs))
const readOff = (all: readonly Claims[][], claim: 'helps' | 'harms') =>
  READ_OFF.map((runs) => shareWith(within(all, runs), claim))

const shares = { ...STEADY_SHARES, changing: CHANGING_SHARE }
const falseClaims: EffectFigures['falseClaims'] = []
for (const [share, how] of Object.entries(shares)) {
  const all = claimsOfMany(projects, { ...how, runs: RUNS, truth: NO_EFFECT }, LOOK_EVERY)
  falseClaims.push({
    share,
    claimed: shareWith(all),
    helps: shareWith(all, 'helps'),
    harms: shareWith(all, 'harms'),
  })
  console.log(
    `no effect, holdout ${share}: claims in ${(shareWith(all) * 100).toFixed(1)}% of ${projects} projects`,
  )
}
const power: EffectFigures['power'] = []
for (const [share, how] of Object.entries(STEADY_SHARES)) {
  const settings = { ...how, runs: RUNS }
  const few = Math.ceil(projects / 4)
  const help = claimsOfMany(few, { ...settings, truth: NOTICEABLE_HELP }, LOOK_EVERY * 4)
  const harm = claimsOfMany(few, { ...settings, truth: NOTICEABLE_HARM }, LOOK_EVERY * 4)
  power.push({
    share,
    helps: readOff(help, 'helps'),
    harms: readOff(harm, 'harms'),
    wrong: shareWith(help, 'harms') + shareWith(harm, 'helps'),
  })
  console.log(
    `holdout ${share}, after ${READ_OFF.join(' / ')} runs: help said in ${power.at(-1)!.helps.join(' / ')}, harm in ${power.at(-1)!.harms.join(' / ')}`,
  )
}
const tooMany = falseClaims.filter(({ claimed }) => claimed > FALSE_CLAIMS)
for (const { share, claimed } of tooMany)
  console.error(`holdout ${share}: ${claimed} is more than ${FALSE_CLAIMS}`)
if (values.write && tooMany.length === 0) {
  keepFigures({ ...here, projects, runs: RUNS, lookEvery: LOOK_EVERY, readOff: READ_OFF, falseClaims, power })
  writePages(EFFECT_PAGES)
}
process.exitCode = tooMany.length > 0 ? 1 : 0
