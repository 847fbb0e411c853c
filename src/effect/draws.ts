import { isDrawn } from '../feature-memory/record.ts'
import type { MeasuredRun } from './measured-run.ts'
import type { CheckedDraws, DifferingDraw } from './report.ts'

/** Makes every draw again, from what its record keeps of it. */
export function checkedDraws(runs: readonly MeasuredRun[]): CheckedDraws {
  const drawn = runs.filter(({ memory }) => memory?.holdout !== undefined)
  const seeds = new Set<string>()
  const differing: DifferingDraw[] = []
  let checked = 0
  for (const { memory, feature, timestamp } of drawn) {
    const { draw, given, holdout: share } = memory!
    if (!draw) continue
    const { seed, iteration } = draw
    checked++
    seeds.add(seed)
    if (isDrawn({ share: share!, seed }, feature, iteration) === given)
      differing.push({ feature, iteration, timestamp, seed })
  }
  return { checked, seeds: [...seeds], differing, unchecked: drawn.length - checked }
}
