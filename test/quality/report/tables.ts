import { markdownTable } from '../../../scripts/measured/measured-page.ts'
import type { Estimate } from '../grading/bootstrap.ts'
import { HALVES } from '../grading/halves.ts'
import { type MeasuredSet, type Part, SYSTEMS } from '../results.ts'

/** "72.9", or "1.2 %" where it is a share of something unwanted. */
export function figure(estimate: Estimate | undefined, { unit = '' } = {}): string {
  return estimate ? `${percent(estimate.value)}${unit}` : '–'
}

/** "72.9 (70.1–75.6)" */
export function figureWithInterval(estimate: Estimate | undefined, options: { unit?: string } = {}): string {
  if (!estimate) return '–'
  return `${figure(estimate, options)} (${percent(estimate.low)}–${percent(estimate.high)})`
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

/** Every measure of a set on both halves. */
export function measuresTable({ measures }: MeasuredSet): string {
  const rows = measures.flatMap(({ name, fewer, figures }) =>
    HALVES.map((half) => {
      const { [half]: own } = figures
      const unit = fewer ? { unit: ' %' } : {}
      const cells = SYSTEMS.map((system) => figureWithInterval(own[system], unit))
      return [fewer ? `${name} (fewer is better)` : name, half, String(own.ours?.of ?? 0), ...cells]
    }),
  )
  return markdownTable(['measure', 'half', 'questions', 'plain words', 'MiniLM alone', 'Ralph Memory'], rows)
}

/** What is shown by default, and what is not, set by set. */
export function abstentionTable(sets: readonly MeasuredSet[], titleOf: (name: string) => string): string {
  const rows = sets.flatMap(({ name, documents, abstention }) =>
    (HALVES as readonly Part[]).flatMap((half) => {
      if (!abstention) return []
      const { unrelatedAnswered, rightShown, relevantIsRight } = abstention[half]
      const cells = [unrelatedAnswered, rightShown, relevantIsRight].map((each) =>
        figureWithInterval(each, { unit: ' %' }),
      )
      return [[titleOf(name), String(documents ?? ''), half, ...cells]]
    }),
  )
  return markdownTable(
    [
      'set',
      'documents',
      'half',
      'unrelated questions answered',
      'right ones still shown',
      'first one right, when called relevant',
    ],
    rows,
  )
}
