import { FALSE_CLAIMS, standardErrorsEachWay, timesAsMuch } from './confidence.ts'
import { type Contrast, contrastOf, type DrawnRun, type Scale } from './contrast.ts'
import type { MeasuredRun } from './measured-run.ts'
import {
  EFFECT_MEASURES,
  type EffectArm,
  type EffectMeasure,
  type EffectVerdict,
  type MeasuredEffect,
  type StillNeeded,
} from './report.ts'
import { measureSentence } from './words.ts'

/** How a measure reads a run: so much, for so many. Fewer is better in each of them. */
interface Measure {
  comparedAs: Scale
  counts: (run: MeasuredRun) => boolean
  amount: (run: MeasuredRun) => number
  per: (run: MeasuredRun) => number
}

const MEASURES: Record<EffectMeasure, Measure> = {
  repeated_failures: {
    comparedAs: 'difference',
    counts: ({ couldRepeat }) => couldRepeat,
    amount: ({ repeated }) => Number(repeated),
    per: () => 1,
  },
  // A task that takes several runs may have some with and some without memory: so it is not the task that belongs to an
  // arm but each run, which ends with the task done or does not.
  iterations_per_task: {
    comparedAs: 'ratio',
    counts: () => true,
    amount: () => 1,
    per: ({ done }) => Number(done),
  },
  cost_per_task: {
    comparedAs: 'ratio',
    counts: ({ costUsd }) => costUsd !== undefined,
    amount: ({ costUsd = 0 }) => costUsd,
    per: ({ done }) => Number(done),
  },
}

/** Below these, in either arm, nothing is claimed: what the interval stands on holds for many runs only. */
const LEAST_RUNS = 20
const LEAST_TASKS = 10

/** The size of difference that people would notice. */
const NOTICEABLE = 1 / 3
const FALSE_CLAIMS_EACH = FALSE_CLAIMS / EFFECT_MEASURES.length

/** Whether a draw decided what it was told, and there was something to tell. */
export function isCompared({ memory }: MeasuredRun): boolean {
  return memory?.holdout !== undefined && memory.pieces > 0
}

/** What all of `runs` come to, weighed alike. */
export function armOf(measure: EffectMeasure, runs: readonly MeasuredRun[]): EffectArm {
  const { counts, amount, per, comparedAs } = MEASURES[measure]
  const counted = runs.filter(counts)
  const sum = (of: (run: MeasuredRun) => number) => counted.reduce((total, run) => total + of(run), 0)
  const divisor = sum(per)
  return {
    ...(divisor > 0 && { value: sum(amount) / divisor }),
    runs: counted.length,
    tasks: new Set(counted.map(taskOf)).size,
    count: comparedAs === 'difference' ? sum(amount) : divisor,
  }
}

/** Compares the drawn runs among these in one measure. */
export function measuredEffect(measure: EffectMeasure, runs: readonly MeasuredRun[]): MeasuredEffect {
  const { comparedAs, counts, amount, per } = MEASURES[measure]
  const compared = runs.filter((run) => isCompared(run) && !run.isCutOff && counts(run))
  const [told, withheld] = [true, false].map((given) =>
    armOf(
      measure,
      compared.filter(({ memory }) => memory!.given === given),
    ),
  ) as [EffectArm, EffectArm]
  const drawn = compared.map((run) => ({
    ...{ task: taskOf(run), told: run.memory!.given, holdout: run.memory!.holdout! },
    ...{ amount: amount(run), per: per(run) },
  }))
  const judged = judge(comparedAs, drawn, [told, withheld])
  const found = { measure, comparedAs, ...judged.effect, verdict: judged.verdict }
  const values = judged.contrast
    ? {
        told: { ...told, value: judged.contrast.told },
        withheld: { ...withheld, value: judged.contrast.withheld },
      }
    : { told, withheld }
  const effect = { ...found, ...values, ...(judged.needed && { needed: judged.needed }) }
  return { ...effect, sentence: measureSentence(effect) }
}

const taskOf = ({ feature, taskId }: MeasuredRun) => `${taskId} ${feature}`

interface Judged {
  contrast?: Contrast
  effect?: Pick<MeasuredEffect, 'effect' | 'interval'>
  verdict: EffectVerdict
  needed?: StillNeeded
}

function judge(
  scale: Scale,
  drawn: readonly DrawnRun[],
  arms: readonly [told: EffectArm, withheld: EffectArm],
): Judged {
  const contrast = contrastOf(drawn, scale)
  const missing = missingToFloor(scale, arms)
  const atLeast = missing > 0 ? { needed: { ...needing(missing, drawn), atLeast: true } } : {}
  if (!contrast) return { verdict: 'too little data', ...atLeast }
  // Of two shares neither can be more than all.
  const shown = scale === 'ratio' ? Math.exp : (value: number) => Math.max(-1, Math.min(1, value))
  const size = { effect: shown(contrast.effect) }
  // An interval of a few runs would not hold, nor does their spread tell how many it takes.
  if (missing > 0) return { contrast, effect: size, verdict: 'too little data', ...atLeast }
  const reach = standardErrorsEachWay(contrast.information, FALSE_CLAIMS_EACH) * contrast.standardError
  const [low, high] = [contrast.effect - reach, contrast.effect + reach]
  const effect = { ...size, interval: { low: shown(low), high: shown(high) } }
  if (high < 0) return { contrast, effect, verdict: 'helps' }
  if (low > 0) return { contrast, effect, verdict: 'harms' }
  const more = missingToNotice(scale, contrast, arms[1].runs)
  if (more === 0) return { contrast, effect, verdict: 'no difference seen' }
  return { contrast, effect, verdict: 'too little data', needed: needing(more, drawn) }
}

/** How many more runs without memory it takes to see a difference that people would notice; 0 when there are enough. */
function missingToNotice(scale: Scale, contrast: Contrast, withheldRuns: number): number {
  const noticeable = scale === 'ratio' ? -Math.log(1 - NOTICEABLE) : contrast.common * NOTICEABLE
  return Math.ceil(withheldRuns * (timesAsMuch(noticeable, contrast, FALSE_CLAIMS_EACH) - 1))
}

/** How many more runs without memory bring both arms over the least that is asked for; 0 when they are. */
function missingToFloor(scale: Scale, [told, withheld]: readonly [EffectArm, EffectArm]): number {
  const least = ({ runs, tasks, count }: EffectArm) =>
    Math.max(LEAST_RUNS - runs, LEAST_TASKS - tasks, scale === 'ratio' ? LEAST_TASKS - count : 0, 0)
  return Math.max(least(told), least(withheld))
}

function needing(withheldRuns: number, drawn: readonly DrawnRun[]): StillNeeded {
  const share = drawn.at(-1)?.holdout ?? 1
  return { withheldRuns: about(withheldRuns), runs: about(withheldRuns / share), atLeast: false }
}

/** Rounded up to two digits: more would pretend to know. */
function about(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1)
  return Math.ceil(count / unit) * unit
}
