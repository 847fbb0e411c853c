import { readFileSync, writeFileSync } from 'node:fs'
import {
  between,
  fromRoot,
  type Measured,
  type MeasuredPage,
  markdownTable,
} from '../../scripts/measured/measured-page.ts'

/** What simulated projects came to. */
export interface EffectFigures extends Omit<Measured, 'commit'> {
  projects: number
  runs: number
  lookEvery: number
  /** After how many runs power was read off. */
  readOff: number[]
  /** Shares of projects in which something was ever claimed of a memory that does nothing. */
  falseClaims: { share: string; claimed: number; helps: number; harms: number }[]
  /** Shares of projects in which it was said by then; `wrong`: the opposite was. */
  power: { share: string; helps: number[]; harms: number[]; wrong: number }[]
}

const KEPT = fromRoot('docs/effect.json')
const MARKS = ['<!-- simulated: begin -->', '<!-- simulated: end -->'] as const

export const EFFECT_PAGES: readonly MeasuredPage[] = [
  { path: 'docs/decisions/effect.md', made: (page) => between(page, MARKS, simulated(keptFigures())) },
]

export function keepFigures(figures: EffectFigures): void {
  writeFileSync(KEPT, `${JSON.stringify(figures, null, 2)}\n`)
}

function keptFigures(): EffectFigures {
  return JSON.parse(readFileSync(KEPT, 'utf8')) as EffectFigures
}

const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

function simulated(figures: EffectFigures): string {
  const { projects, runs, lookEvery, readOff, falseClaims, power } = figures
  const heads = readOff.map((count) => `${count} runs`)
  return [
    `${projects} simulated projects of ${runs} runs each, looked at after every ${lookEvery} runs (for help and harm: a quarter of the projects, every ${lookEvery * 4} runs). Measured on ${figures.date} with version ${figures.version}, Node ${figures.node}.`,
    'Memory does nothing: projects in which anything was ever claimed, over all looks and all measures.',
    markdownTable(
      ['share without memory', 'claimed', 'of these "helps"', '"harms"'],
      falseClaims.map(({ share, claimed, helps, harms }) => [share, ...[claimed, helps, harms].map(percent)]),
    ),
    'Memory halves repeated failures, makes a run half as likely again to finish its task and a fifth cheaper: projects in which "helps" was said by then.',
    markdownTable(
      ['share without memory', ...heads],
      power.map(({ share, helps }) => [share, ...helps.map(percent)]),
    ),
    'Memory nearly doubles repeated failures (× 1.8), finishes tasks × 0.6 as often and costs a fifth more: projects in which "harms" was said by then.',
    markdownTable(
      ['share without memory', ...heads],
      power.map(({ share, harms }) => [share, ...harms.map(percent)]),
    ),
    `The opposite of the truth was said in ${percent(Math.max(...power.map(({ wrong }) => wrong)))} of them.`,
  ].join('\n\n')
}
