/** Tries every attack there is and prints what got through; with --write it keeps the figures and writes the pages made of them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type CountedAttacks, counted, type RanCase } from '../test/attacks/report/counted.ts'
import { ATTACK_PAGES, inWords, keepAttacks } from '../test/attacks/report/pages.ts'
import { fromRoot, measuredHere, writePages } from './measured/measured-page.ts'

interface Reported {
  testResults: {
    name: string
    assertionResults: { fullName: string; status: string; meta?: { tried?: number } }[]
  }[]
}

const attacks = counted(run(), measuredHere())
print(attacks)
if (process.argv.includes('--write')) {
  keepAttacks(attacks)
  writePages(ATTACK_PAGES)
}
process.exitCode = attacks.kinds.some(({ through }) => through.length > 0) ? 1 : 0

function run(): RanCase[] {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-attacks-'))
  try {
    const file = join(folder, 'ran.json')
    // A busy machine is no attacker: what is slow has time.
    const words = ['run', 'test/attacks', '--reporter=json', `--outputFile=${file}`, '--testTimeout=600000']
    const vitest = fromRoot('node_modules/vitest/vitest.mjs')
    spawnSync(process.execPath, [vitest, ...words], {
      cwd: fromRoot('.'),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return (JSON.parse(readFileSync(file, 'utf8')) as Reported).testResults.flatMap(casesOf)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function casesOf({ name, assertionResults }: Reported['testResults'][number]): RanCase[] {
  return assertionResults.map(({ fullName, status, meta }) => ({
    file: basename(name),
    title: fullName,
    status: status === 'passed' || status === 'failed' ? status : 'skipped',
    tried: meta?.tried ?? 1,
  }))
}

function print(found: CountedAttacks): void {
  const width = Math.max(...found.kinds.map(({ kind }) => kind.length))
  console.log(`${'attack'.padEnd(width)}  cases   tried  got through`)
  for (const { kind, cases, tried, through } of found.kinds) {
    const numbers = [cases, tried].map((number) => String(number).padStart(6)).join('  ')
    console.log(`${kind.padEnd(width)} ${numbers}  ${through.length}`)
    for (const title of through) console.log(`  got through: ${title}`)
  }
  console.log(`${inWords(found)}; ${found.honest} cases of honest use, ${found.skipped} skipped here.`)
}
