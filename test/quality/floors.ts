import { isMeasured, type MeasuredSet, type SetResult } from './results.ts'

/** A figure over both halves, in per cent, that must not get worse. */
interface Floor {
  set: string
  measure: string
  least?: number
  most?: number
}

/** A little below what was measured (docs/quality.md): what a change of no consequence moves does not fail, a loss does. */
export const FLOORS: readonly Floor[] = [
  { set: 'locomo-1', measure: 'R@5', least: 76 },
  { set: 'locomo-1', measure: 'R@10', least: 83 },
  { set: 'locomo-1', measure: 'R@25', least: 88.5 },
  { set: 'locomo-1', measure: 'R@50', least: 90.5 },
  { set: 'locomo-2', measure: 'R@10', least: 76 },
  { set: 'locomo-2', measure: 'R@50', least: 89 },
  { set: 'failures-clippy', measure: 'MRR', least: 90.5 },
  { set: 'failures-clippy', measure: 'hit@5', least: 95 },
  { set: 'commands-nl2bash', measure: 'MRR', least: 55.5 },
  { set: 'commands-nl2bash', measure: 'hit@5', least: 68 },
  { set: 'commands-nl2bash', measure: 'unrelated answered', most: 11 },
  { set: 'sessions-entire', measure: 'MRR', least: 65 },
  { set: 'notes', measure: 'paraphrase R@1', least: 81 },
  { set: 'notes', measure: 'natural R@1', least: 97 },
  { set: 'notes', measure: 'identifier R@1', least: 97 },
  { set: 'polarity-sick', measure: 'F1 of duplicates', least: 82.5 },
  { set: 'polarity-sick', measure: 'contradictions merged', most: 0.6 },
  { set: 'polarity-sick', measure: 'contradictions flagged', least: 65 },
  { set: 'polarity-sick', measure: 'flags that are right', least: 80 },
  { set: 'polarity-antonyms', measure: 'exact', least: 86 },
  { set: 'polarity-antonyms', measure: 'opposite merged', most: 0.3 },
  { set: 'locomo-1', measure: 'unrelated answered', most: 10.5 },
  { set: 'failures-clippy', measure: 'unrelated answered', most: 4 },
  { set: 'notes', measure: 'unrelated answered', most: 11 },
  { set: 'sessions-entire', measure: 'unrelated answered', most: 11 },
  { set: 'notes', measure: 'right shown', least: 86.5 },
  { set: 'projects', measure: 'paraphrase R@1', least: 57.5 },
  { set: 'projects', measure: 'paraphrase hit@5', least: 87 },
  { set: 'projects', measure: 'natural R@1', least: 98 },
  { set: 'projects', measure: 'identifier R@1', least: 98 },
  { set: 'projects', measure: 'unrelated answered', most: 11 },
  { set: 'projects', measure: 'right shown', least: 63 },
  ...['locomo-1', 'locomo-2', 'failures-clippy', 'commands-nl2bash', 'sessions-entire'].map((set) => ({
    ...{ set, measure: 'right shown', least: 91 },
  })),
]

/** Whatever a set measures, plain words must not do better by more than this: then we would be in the way. */
const SLACK_BEHIND_WORDS = 2

/** What is worse than it may be, one sentence each. */
export function missedFloors(sets: readonly SetResult[], floors: readonly Floor[] = FLOORS): string[] {
  const measured = sets.filter(isMeasured)
  return [...measured.flatMap((set) => missedOf(set, floors)), ...measured.flatMap(behindWords)]
}

function missedOf(set: MeasuredSet, floors: readonly Floor[]): string[] {
  return floors
    .filter((floor) => floor.set === set.name)
    .flatMap(({ measure, least = 0, most = 100 }) => {
      const value = figureOf(set, measure)
      if (value === undefined) return [`${set.name} does not measure ${measure}, for which there is a floor`]
      if (value < least) return [`${set.name}, ${measure}: ${value.toFixed(1)} is below ${least}`]
      return value > most ? [`${set.name}, ${measure}: ${value.toFixed(1)} is above ${most}`] : []
    })
}

function behindWords({ name, measures }: MeasuredSet): string[] {
  return measures.flatMap(({ name: measure, fewer, figures: { all } }) => {
    if (!all.ours || !all.words) return []
    const ahead = 100 * (all.ours.value - all.words.value) * (fewer ? -1 : 1)
    return ahead < -SLACK_BEHIND_WORDS
      ? [`${name}, ${measure}: plain words are better by ${(-ahead).toFixed(1)}`]
      : []
  })
}

/** Also of what is shown and not shown. */
function figureOf({ measures, abstention }: MeasuredSet, measure: string): number | undefined {
  const shown = abstention?.all
  const estimate =
    measure === 'unrelated answered'
      ? shown?.unrelatedAnswered
      : measure === 'right shown'
        ? shown?.rightShown
        : measures.find(({ name }) => name === measure)?.figures.all.ours
  return estimate && 100 * estimate.value
}
