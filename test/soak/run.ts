/** `npm run soak`: tortures every write path and counts what is left. `--help` says how. */
import { chmodSync, mkdtempSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measuredHere, writePages } from '../../scripts/measured/measured-page.ts'
import { builtCommand } from '../support/built-command.ts'
import { killAll } from './core/children.ts'
import { Random } from './core/random.ts'
import { removeFolder, runTrial, skipped, type Trial, type TrialResult } from './core/trial.ts'
import { keepSoak, SOAK_PAGES } from './report/pages.ts'
import { table } from './report/table.ts'
import { TRIALS } from './trials.ts'

const WRITES = 16_000
const MINUTES = 18
/** One trial may use this part of the time that is left: `1 / 4`, so that none uses all of it. */
const MOST_OF_THE_TIME = 4
/** With less than this there is no point in beginning another. */
const LEAST_MS = 10_000

const HELP = `npm run soak [-- options]

  --seed N       the same numbers, moments and bytes again (default: today's)
  --writes N     acknowledged writes in all (default: ${WRITES})
  --minutes M    no longer than this (default: ${MINUTES}); what is not done by then is done in part
  --only A,B     these alone: ${TRIALS.map(({ name }) => name).join(', ')}
  --keep         leave the folder behind also when all is well
  --json         print the results as JSON
  --write        keep them in docs/soak.json and make docs/soak.md
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    writes: { type: 'string', default: String(WRITES) },
    minutes: { type: 'string', default: String(MINUTES) },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const seed = number('--seed', values.seed ?? String(Math.floor(Date.now() / 1000) % 1_000_000))
const writes = number('--writes', values.writes)
const minutes = number('--minutes', values.minutes)
const chosen = chosenTrials(values.only)

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

await builtCommand()
const root = mkdtempSync(join(tmpdir(), 'ralph-soak-'))
chmodSync(root, 0o711) // writers may be other users
const results: TrialResult[] = []
const shares = chosen.reduce((sum, { share }) => sum + share, 0)
const endsAt = performance.now() + minutes * 60_000
for (const [at, trial] of chosen.entries()) {
  if (stop.signal.aborted) break
  const left = Math.min(MOST_OF_THE_TIME, chosen.length - at)
  if (performance.now() > endsAt - LEAST_MS) {
    results.push(skipped(trial, 'the time was up'))
    continue
  }
  const result = await run(trial, {
    writes: Math.max(10, Math.round((writes * trial.share) / shares)),
    milliseconds: (endsAt - performance.now()) / left,
  })
  results.push(result)
}
await finish()

async function run(
  trial: Trial,
  { writes, milliseconds }: { writes: number; milliseconds: number },
): Promise<TrialResult> {
  const folder = join(root, trial.name)
  await mkdir(folder)
  const started = performance.now()
  const line = (text: string) => process.stderr.write(text)
  const time = AbortSignal.timeout(Math.max(1, Math.round(milliseconds)))
  let told = 0
  const progress = (acknowledged: number) => {
    if (!process.stderr.isTTY || acknowledged - told < 50) return
    told = acknowledged
    line(`\r${trial.name}: ${acknowledged} of ${writes} `)
  }
  const result = await runTrial(trial, {
    ...{ folder, writes, progress, random: new Random(seed).fork(trial.name) },
    signal: AbortSignal.any([time, stop.signal]),
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  const verdict = result.skipped
    ? `skipped: ${result.skipped}`
    : result.failures.length > 0
      ? 'FAILED'
      : 'well'
  const start = process.stderr.isTTY ? '\r' : ''
  line(
    `${start}${trial.name}: ${result.acknowledged} acknowledged, ${result.kills} killed, ${seconds} s: ${verdict}\n`,
  )
  for (const failure of result.failures) line(`  ${failure}\n`)
  if (result.failures.length === 0 && !values.keep) removeFolder(folder)
  return result
}

async function finish(): Promise<never> {
  killAll()
  const failed = results.filter(({ failures }) => failures.length > 0)
  process.stdout.write(
    values.json ? `${JSON.stringify({ seed, results }, null, 2)}\n` : `${table(results)}\n`,
  )
  if (stop.signal.aborted) {
    removeFolder(root)
    process.stderr.write('Stopped.\n')
    process.exit(130)
  }
  if (failed.length > 0) {
    const only = failed.map(({ name }) => name).join(',')
    process.stderr.write(
      `\nWhat is left of it: ${root}\nAgain: npm run soak -- --seed ${seed} --writes ${writes} --only ${only} --keep\n`,
    )
    process.exit(1)
  }
  if (values.write) {
    const names = TRIALS.map(({ name }) => name)
    keepSoak({ measured: measuredHere(), seed, results }, names)
    writePages(SOAK_PAGES)
  }
  if (values.keep) process.stderr.write(`Kept: ${root}\n`)
  else removeFolder(root)
  process.exit(0)
}

function number(option: string, text: string): number {
  const value = Number(text)
  return value > 0 && Number.isFinite(value)
    ? value
    : usage(`${option} must be a number above 0, not ${JSON.stringify(text)}`)
}

function chosenTrials(only: string | undefined): readonly Trial[] {
  if (only === undefined) return TRIALS
  const names = only.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !TRIALS.some((trial) => trial.name === name))
  if (unknown === undefined) return TRIALS.filter(({ name }) => names.includes(name))
  return usage(`there is no trial ${JSON.stringify(unknown)}`)
}

function usage(what: string): never {
  process.stderr.write(`${what}\nSee: npm run soak -- --help\n`)
  process.exit(2)
}
