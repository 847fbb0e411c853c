import type { ScaleLinear } from 'd3-scale'
import { scaleLinear } from 'd3-scale'
import type { ComponentChildren } from 'preact'
import { useWidth } from './use-width.ts'

interface Lane {
  id: string
  /** Before the lane on a wide page, above it on a phone. */
  label: ComponentChildren
  /** What the lane shows, in words. */
  told: string
}

interface LanesProps<Item extends Lane> {
  lanes: readonly Item[]
  /** The iterations that the lanes span. */
  from: number
  to: number
  /** Whether an iteration is a stretch and not a moment: then the last one needs room too. */
  stretches?: boolean
  height?: number
  draw: (item: Item, place: LanePlace) => ComponentChildren
}

export interface LanePlace {
  x: ScaleLinear<number, number>
  width: number
  height: number
}

const EDGE = 8

/** Things below each other over the same iterations: a line of text and a picture each. */
export function Lanes<Item extends Lane>({
  lanes,
  from,
  to,
  stretches,
  height = 22,
  draw,
}: LanesProps<Item>) {
  const { place, width } = useWidth()
  const x = scaleLinear()
    .domain([from, stretches ? to + 1 : Math.max(to, from + 1)])
    .range([EDGE, width - EDGE])
  return (
    <ol class="chart-lanes">
      {lanes.map((lane) => (
        <li key={lane.id}>
          <div class="chart-lane-label">{lane.label}</div>
          <svg
            class="chart-picture"
            role="img"
            aria-label={lane.told}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <path class="chart-grid" d={`M0,${height / 2}H${width}`} />
            {draw(lane, { x, width, height })}
          </svg>
        </li>
      ))}
      <li class="chart-lane-foot" aria-hidden="true">
        <div class="chart-lane-label">iteration</div>
        <div class="chart-lane-ends" ref={place}>
          <span>{from}</span>
          <span>{to}</span>
        </div>
      </li>
    </ol>
  )
}
