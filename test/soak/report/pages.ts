import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  fromRoot,
  type Measured,
  type MeasuredPage,
  markdownTable,
} from '../../../scripts/measured/measured-page.ts'
import type { TrialResult } from '../core/trial.ts'
import { HEAD, rows } from './table.ts'

const KEPT = fromRoot('docs/soak.json')

/** One full run. */
export interface KeptSoak {
  measured: Measured
  seed: number
  results: TrialResult[]
  /** Those that were run by themselves, at another time than the rest. */
  apart?: string[]
}

export const SOAK_PAGES: readonly MeasuredPage[] = [
  { path: 'docs/soak.md', made: () => soakPage(keptSoak()) },
]

/** Trials that were not run this time keep what they had. */
export function keepSoak({ results, ...soak }: KeptSoak, names: readonly string[]): void {
  const before = existsSync(KEPT) ? keptSoak().results : []
  const of = (name: string) => (one: TrialResult) => one.name === name
  const isWhole = names.every((name) => results.some(of(name)))
  const apart = isWhole ? {} : { apart: results.map(({ name }) => name) }
  const all = names.flatMap((name) => results.find(of(name)) ?? before.find(of(name)) ?? [])
  writeFileSync(KEPT, `${JSON.stringify({ ...soak, ...apart, results: all }, null, 2)}\n`)
}

function keptSoak(): KeptSoak {
  return JSON.parse(readFileSync(KEPT, 'utf8')) as KeptSoak
}

export function soakPage({ measured, seed, results, apart = [] }: KeptSoak): string {
  const { date, commit, version, node, machine } = measured
  const trials = results.map(({ name, what }) => [`\`${name}\``, what])
  return `<!-- Made by npm run soak -- --write from docs/soak.json; do not edit. -->

# Does it hold

A memory that loses what it said it would keep is worse than none. \`npm run soak\` tries to make ours lose something: it starts writers on every path
that writes, kills them with \`kill -9\` at random moments, starts them again, makes every kind of trouble around them, and then looks, through the
same library and commands as everybody, for what is left.

## What counts

A writer says of a write that it is **acknowledged** only after the product's own call has returned. Afterwards everything is opened anew, and each
of these has to be **found**, once: found twice it is **doubled**, with other words than were written, unreadable without anybody saying so, or written by
nobody, it is **damaged**. A write that was under way when its writer was killed may be there once or not at all. A write may be **refused**, with a
reason, where a trial takes the disk or the database away; nowhere else. Then some of what was written is searched for, the index is deleted, and the same
searches have to give the same results, with the same scores, from the index that is **built again**.

Anything lost, doubled or damaged ends the run with exit code 1, the folder it happened in, and the command that repeats it.

## The last full run

${date}, version ${version} (${commit}), Node ${node}, ${machine}, seed ${seed}. ${verdict(results)}
${apart.length > 0 ? `\nRun by themselves, at another time than the rest: ${apart.join(', ')}.\n` : ''}
${markdownTable(HEAD, rows(results))}

## The trials

Those named after a path kill its writers, two at a time, now and then already while they open. Writers that were killed do the same again under the same id where
the product promises to recognise it.

${markdownTable(['trial', 'what is written, or what goes wrong'], trials)}

## Doing it yourself

\`\`\`sh
npm run soak                                      # all of it; at most 18 minutes
npm run soak -- --only record,board --writes 500  # some of it
npm run soak -- --seed 7 --keep                   # the same again, and leave the folder behind
\`\`\`

The seed decides when whom is killed, which bytes are cut and how clocks jump; what the machine does in those moments is never quite the same. A short
version is part of \`npm test\`, together with tests that writers which drop, repeat or tear what they acknowledged are caught.

What is not tried: power cuts of a whole machine (what is acknowledged has been flushed to the disk, but nobody pulls the plug), disks that lie about that,
and network file systems.
`
}

function verdict(results: readonly TrialResult[]): string {
  const run = results.filter(({ skipped }) => skipped === undefined)
  const sum = (of: 'acknowledged' | 'kills') =>
    run.reduce((total, result) => total + result[of], 0).toLocaleString('en-US')
  const counts = `${sum('acknowledged')} writes were acknowledged, ${sum('kills')} processes killed`
  const wrong = run.flatMap(({ name, failures }) => failures.map((failure) => `\`${name}\`: ${failure}`))
  if (wrong.length === 0) return `${counts}; nothing was lost, doubled or damaged.`
  return `${counts}. **Not all was well.** ${wrong.join('. ')}.`
}
