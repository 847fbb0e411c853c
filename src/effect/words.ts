import { dollars } from '../text/dollars.ts'
import { plural } from '../text/plural.ts'
import type { CheckedDraws, EffectArm, EffectMeasure, EffectReport, MeasuredEffect } from './report.ts'

/** What each measure is called, and what it counts. */
export const MEASURE_NAMES: Record<EffectMeasure, string> = {
  repeated_failures: 'runs that repeated a known failure',
  iterations_per_task: 'iterations for each task done',
  cost_per_task: 'cost of each task done',
}

/** Why runs that nobody drew prove nothing. */
export const WHY_NOT_DRAWN =
  'Whether these runs were told something was not left to chance: first runs and easy starts have little to be told, hard tasks have much. So they differ for other reasons too, and nothing here shows what memory did.'

/** "23 of 100", "2.4", "$0.31" */
export function valueWords(measure: EffectMeasure, value: number): string {
  if (measure === 'repeated_failures') return `${Math.round(value * 100)} of 100`
  return measure === 'cost_per_task' ? dollars(value) : value.toFixed(1)
}

type ComparedAs = MeasuredEffect['comparedAs']

/** "31 fewer of 100", "33% less", "2.4 times as much": how far told runs lie from the others. */
export function effectWords(comparedAs: ComparedAs, effect: number): string {
  return (
    sizedWords(comparedAs, effect) +
    (comparedAs === 'difference' && !isSame(comparedAs, effect) ? ' of 100' : '')
  )
}

/** "between 48 fewer and 12 more of 100" */
export function intervalWords({
  comparedAs,
  interval,
}: Pick<MeasuredEffect, 'comparedAs' | 'interval'>): string {
  return interval
    ? `between ${sizedWords(comparedAs, interval.low)} and ${effectWords(comparedAs, interval.high)}`
    : ''
}

const percentOf = (comparedAs: ComparedAs, effect: number) =>
  Math.round(comparedAs === 'difference' ? effect * 100 : (effect - 1) * 100)
const isSame = (comparedAs: ComparedAs, effect: number) => percentOf(comparedAs, effect) === 0

function sizedWords(comparedAs: ComparedAs, effect: number): string {
  const percent = percentOf(comparedAs, effect)
  if (percent === 0) return 'the same'
  const size = Math.abs(percent)
  if (comparedAs === 'difference') return `${size} ${percent < 0 ? 'fewer' : 'more'}`
  return percent > 100 ? `${effect.toFixed(1)} times as much` : `${size}% ${percent < 0 ? 'less' : 'more'}`
}

const OPENINGS = { helps: 'Memory helped', harms: 'Memory harmed' }

type Unworded = Omit<MeasuredEffect, 'sentence'>

/** What a measure says, and how much it rests on. */
export function measureSentence(effect: Unworded): string {
  const { verdict } = effect
  if (verdict === 'too little data') return tooLittle(effect)
  const values = bothValues(effect)
  if (verdict === 'no difference seen')
    return `No difference seen in ${MEASURE_NAMES[effect.measure]}: ${values}. A difference of a third would most likely have shown.`
  return `${OPENINGS[verdict]}: ${values} (${effectWords(effect.comparedAs, effect.effect!)}; ${intervalWords(effect)}).`
}

function bothValues({ measure, told, withheld }: Unworded): string {
  const [with_, without] = [told, withheld].map(({ value }) => valueWords(measure, value ?? 0))
  if (measure === 'repeated_failures') return `${with_} runs repeated a known failure, without it ${without}`
  const what = measure === 'cost_per_task' ? '' : ' iterations'
  return `a task done took ${with_}${what}, without it ${without}`
}

function tooLittle({ measure, told, withheld, needed }: Unworded): string {
  const name = MEASURE_NAMES[measure]
  const rests = `${plural(told.runs, 'run')} with memory, ${withheld.runs} without`
  if (!needed)
    return `Nothing to compare in ${name} (${rests}): ${nothingToCompare(measure, told, withheld)}.`
  const more = `${plural(needed.withheldRuns, 'more run', 'more runs')} without memory, with the others ${needed.runs}`
  const until = needed.atLeast
    ? `at least ${more}, before anything is said`
    : `about ${more}, to see a difference of a third`
  return `Too little data on ${name} (${rests}). It takes ${until}.`
}

function nothingToCompare(measure: EffectMeasure, told: EffectArm, withheld: EffectArm): string {
  if (told.runs === 0 && withheld.runs === 0)
    return measure === 'cost_per_task' ? 'no run has said what it cost' : 'no run could be compared'
  return measure === 'repeated_failures' ? 'none of them did' : 'no two of them differ'
}

/** In one sentence, without the intervals: each measure tells its own. */
function claimed(verdict: 'helps' | 'harms', measures: readonly MeasuredEffect[]): string[] {
  const said = measures.filter((one) => one.verdict === verdict).map(bothValues)
  return said.length === 0 ? [] : [`${OPENINGS[verdict]}: ${said.join('; ')}.`]
}

/** The answer, for whoever reads nothing else. */
export function effectHeadline(
  report: Pick<EffectReport, 'verdict' | 'measures' | 'runs' | 'holdout'>,
): string {
  const { verdict, measures, runs, holdout } = report
  const claims = (['helps', 'harms'] as const).flatMap((one) => claimed(one, measures))
  if (verdict === 'mixed') return `Memory helps in one way and harms in another. ${claims.join(' ')}`
  if (claims.length > 0) return claims.join(' ')
  if (verdict === 'no difference seen')
    return 'No difference seen between runs with memory and runs without it, in any measure that has enough data.'
  if (runs.told + runs.withheld > 0)
    return `Too little data for an answer: ${plural(runs.told, 'run')} with memory and ${runs.withheld} without it.`
  if (runs.all === 0)
    return 'Nothing can be said yet: the loop (ralph loop) has recorded no run on a task here.'
  return holdout > 0
    ? 'Nothing can be said yet: no run was drawn since runs go without memory at random.'
    : 'Nothing can be said yet: every run gets what memory knows, so there is nothing to compare it with.'
}

/** What the comparison rests on, and what was drawn and left out of it. */
export function basisSentence({ told, withheld, nothingToSay, cutOff }: EffectReport['runs']): string {
  const outside = cutOff.told + cutOff.withheld
  const leftOut = [
    ...(nothingToSay > 0 ? [`${nothingToSay} for which memory had nothing`] : []),
    ...(outside > 0
      ? [`${outside} ended from outside (${cutOff.told} with memory, ${cutOff.withheld} without)`]
      : []),
  ]
  const rest = leftOut.length > 0 ? `; drawn and left out: ${leftOut.join(', ')}` : ''
  return `Compared: ${plural(told, 'run')} with memory and ${withheld} without, as drawn at random${rest}. The intervals hold for all three measures together, however often you look.`
}

/** Whether chance decided, as anybody can check; empty where nothing was drawn. */
export function drawsSentence({ checked, seeds, differing, unchecked }: CheckedDraws): string {
  const older =
    unchecked > 0 ? `${plural(unchecked, 'draw')} from before the seed was kept cannot be checked` : ''
  if (checked === 0) return older === '' ? '' : `${older}.`
  const by = seeds.length === 1 ? `the seed ${JSON.stringify(seeds[0])}` : `${seeds.length} seeds`
  const found =
    differing.length === 0
      ? `each came out as recorded`
      : `${differing.length} came out otherwise than recorded, so these runs were not left to chance`
  return `${plural(checked, 'draw')} by ${by}, made again: ${found}${older && `; ${older}`}.`
}

/** Why runs that helped themselves are not left out; empty where there were none. */
export function lookedUpSentence({ lookedUp, withheld }: EffectReport['runs']): string {
  if (lookedUp === 0) return ''
  return `${lookedUp} of the ${plural(withheld, 'run')} without memory read files of it by hand. They count as they were drawn, since to leave out runs by what they did would compare unlike ones; so the true difference may be larger.`
}

/** What a draw costs, and when it may be expected to answer; figures from docs/decisions/effect.md. */
export const WAYS_TO_FIND_OUT: readonly string[] = [
  "It costs: a tenth of the loop's runs, drawn at random, go without memory. Each is recorded, and shown as such.",
  'It answers: where memory halves repeated failures, mostly within 1,000 runs; with a share of 0.3 within 500, with 0.5 within 400.',
]
