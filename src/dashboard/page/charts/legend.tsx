import type { Outcome } from '../../../feature-memory/record.ts'
import { OUTCOME_LOOKS } from './outcome-look.ts'

/** Which look means which outcome, of those that are there. */
export function OutcomeLegend({ outcomes }: { outcomes: readonly Outcome[] }) {
  return (
    <ul class="chart-legend">
      {OUTCOME_LOOKS.filter(({ outcome }) => outcomes.includes(outcome)).map(({ outcome, word, sign }) => (
        <li key={outcome}>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <OutcomeBlock outcome={outcome} x={0} y={0} width={12} height={12} />
          </svg>
          <span>
            {sign} {word}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface BlockProps {
  outcome: Outcome
  x: number
  y: number
  width: number
  height: number
}

/** From here on a block has room for a sign that tells it apart without colours. */
const ROOM = 6
const LARGEST_SIGN = 10

/** One block in the look of an outcome: its colour, and for all but success a sign of its own over it. */
export function OutcomeBlock({ outcome, x, y, width, height }: BlockProps) {
  const room = Math.min(width, height)
  const hollow = outcome === 'rate_limited' && room >= ROOM
  return (
    <g class={`outcome-${outcome}`}>
      {hollow ? (
        <rect x={x + 0.75} y={y + 0.75} width={width - 1.5} height={height - 1.5} class="chart-hollow" />
      ) : (
        <rect x={x} y={y} width={Math.max(0.5, width)} height={Math.max(0.5, height)} class="chart-solid" />
      )}
      {room >= ROOM && (
        <path
          class="chart-sign"
          d={SIGNS[outcome]}
          transform={`translate(${x + width / 2},${y + height / 2}) scale(${Math.min(LARGEST_SIGN, room) / 2})`}
        />
      )}
    </g>
  )
}

/** Failed is crossed, out of time barred, partly done halved. */
const SIGNS: Partial<Record<Outcome, string>> = {
  failure: 'M-.7,-.7L.7,.7M.7,-.7L-.7,.7',
  timeout: 'M-1,0H1',
  partial: 'M-1,1L1,-1',
}
