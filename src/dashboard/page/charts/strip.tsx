import type { Outcome } from '../../../feature-memory/record.ts'
import { countOutcomes, outcomeWords } from './outcome-look.ts'

const STEP = 6
const BAR = 4
const HEIGHT = 20
/** Where a bar stands and how far it reaches: succeeded above the line, failed below it, as in a table of wins and losses. */
const PLACES: Record<Outcome, { y: number; height: number }> = {
  success: { y: 0, height: 10 },
  partial: { y: 6, height: 8 },
  rate_limited: { y: 9, height: 2 },
  timeout: { y: 10, height: 5 },
  failure: { y: 10, height: 10 },
}

/** The last outcomes of a feature at a glance, oldest first. */
export function OutcomeStrip({ outcomes, most = 40 }: { outcomes: readonly Outcome[]; most?: number }) {
  const shown = outcomes.slice(-most)
  if (shown.length === 0) return <span class="outcome-strip-none">no iterations yet</span>
  const width = shown.length * STEP
  return (
    <svg
      class="outcome-strip"
      role="img"
      aria-label={`The last ${shown.length} iterations: ${outcomeWords(countOutcomes(shown))}`}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
    >
      <path class="chart-axis" d={`M0,${HEIGHT / 2}H${width}`} />
      {shown.map((outcome, at) => (
        <g key={at} class={`outcome-${outcome}`}>
          <rect class="chart-solid" x={at * STEP + (STEP - BAR) / 2} width={BAR} {...PLACES[outcome]} />
        </g>
      ))}
    </svg>
  )
}
