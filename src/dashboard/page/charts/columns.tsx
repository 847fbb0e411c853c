import { scaleBand, scaleLinear } from 'd3-scale'
import type { ComponentChildren } from 'preact'
import { spread } from './bins.ts'
import { Mark, moveAmongMarks, type Readout } from './marks.tsx'

export interface Column {
  /** What it stands for: "1 Oct – 7 Oct". */
  name: string
  /** Where it begins, short, for under the axis. */
  tick: string
  /** All of it in words. */
  label: string
  total: number
  href?: string | undefined
}

interface ColumnsProps<Item extends Column> {
  columns: readonly Item[]
  width: number
  height?: number
  readout: Readout
  /** How a value is written on the axis. */
  format: (value: number) => string
  name: string
  /** Whether what is counted comes only in whole numbers. */
  whole?: boolean
  /** Draws one column between `top` and the foot. */
  draw: (item: Item, place: { x: number; width: number; y: (value: number) => number }) => ComponentChildren
}

const LEFT = 46
const TOP = 6
const BOTTOM = 20
const TICK_WIDTH = 64
/** A few columns do not fill the page. */
const WIDEST = 44

/** How many columns can be told apart in this width. */
export const mostColumns = (width: number): number => Math.max(1, Math.floor((width - LEFT) / 7))

/** Columns over a common foot, each a thing to point at; what stands in them is the caller's. */
export function Columns<Item extends Column>(props: ColumnsProps<Item>) {
  const { columns, width, height = 140, readout, name, draw } = props
  const x = scaleBand<number>()
    .domain(columns.map((_, at) => at))
    .range([LEFT, Math.min(width, LEFT + columns.length * WIDEST)])
    .paddingInner(0.15)
  const highest = Math.max(...columns.map(({ total }) => total))
  const y = scaleLinear()
    .domain([0, highest > 0 ? highest : 1])
    .nice(3)
    .range([height - BOTTOM, TOP])
  const leads = columns.some(({ href }) => href !== undefined)
  return (
    <svg
      class="chart-picture"
      role={leads ? 'group' : 'img'}
      aria-label={name}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      onKeyDown={moveAmongMarks}
    >
      <Heights {...props} y={y} right={width} />
      {columns.map((column, at) => {
        const place = { x: x(at)!, width: x.bandwidth(), y }
        return (
          <Mark
            key={column.name}
            label={column.label}
            href={column.href}
            first={at === columns.length - 1}
            readout={readout}
          >
            <rect
              class="chart-reach"
              x={place.x}
              y={TOP}
              width={place.width}
              height={height - BOTTOM - TOP}
            />
            {draw(column, place)}
          </Mark>
        )
      })}
      <Ticks columns={columns} width={width} height={height} middle={(at) => x(at)! + x.bandwidth() / 2} />
    </svg>
  )
}

interface HeightsProps {
  y: { (value: number): number; ticks: (count: number) => number[] }
  right: number
  whole?: boolean
  format: (value: number) => string
}

function Heights({ y, right, whole, format }: HeightsProps) {
  const ticks = y.ticks(3).filter((tick) => !whole || Number.isInteger(tick))
  return (
    <g aria-hidden="true">
      {ticks.map((tick) => (
        <g key={tick}>
          <path class={tick === 0 ? 'chart-axis' : 'chart-grid'} d={`M${LEFT},${y(tick)}H${right}`} />
          <text class="chart-text" x={LEFT - 6} y={y(tick)} dy="0.32em" text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

interface TicksProps {
  columns: readonly Column[]
  width: number
  height: number
  middle: (at: number) => number
}

function Ticks({ columns, width, height, middle }: TicksProps) {
  return (
    <g aria-hidden="true">
      {spread(columns.length, Math.floor((width - LEFT) / TICK_WIDTH)).map((at) => (
        <text
          key={at}
          class="chart-text"
          x={middle(at) > width - TICK_WIDTH / 2 ? width : middle(at)}
          y={height - 5}
          text-anchor={middle(at) > width - TICK_WIDTH / 2 ? 'end' : 'middle'}
        >
          {columns[at]!.tick}
        </text>
      ))}
    </g>
  )
}
