import { binned } from './bins.ts'
import { Chart } from './chart.tsx'
import { type Column, Columns, mostColumns } from './columns.tsx'
import { useReadout } from './marks.tsx'
import { dollars, shortNumber, wholeNumber } from './numbers.ts'
import { useWidth } from './use-width.ts'

export interface Spending {
  /** What it was spent on: "17 Nov", "iteration 7". */
  name: string
  costUsd?: number | undefined
  tokens?: number | undefined
  href?: string | undefined
}

interface SpendProps {
  /** Oldest first. */
  points: readonly Spending[]
  title?: string
  /** What one point is: "day", "iteration". */
  unit: string
  /** What several are, where that is not the same with an s. */
  units?: string | undefined
}

interface SpendColumn extends Column {
  costUsd: number
  tokens: number
}

/** What was spent over time: cost above, tokens below, on the same steps. */
export function SpendChart({ points, title = 'Cost and tokens', unit, units = `${unit}s` }: SpendProps) {
  const { place, width } = useWidth()
  const readout = useReadout()
  const groups = binned(points, mostColumns(width)).map(together)
  const whole = together(points)
  const size = Math.ceil(points.length / Math.max(1, groups.length))
  const panels = [
    { name: 'Cost', value: ({ costUsd }: SpendColumn) => costUsd, format: dollars, look: 'chart-cost' },
    { name: 'Tokens', value: ({ tokens }: SpendColumn) => tokens, format: shortNumber, look: 'chart-tokens' },
  ].filter(({ value }) => value(whole) > 0)
  return (
    <Chart
      title={title}
      description={`${dollars(whole.costUsd)} and ${wholeNumber(whole.tokens)} tokens in all${size > 1 ? `; each column is ${size} ${units}` : ''}.`}
      said={readout.said}
      empty="No cost yet. Runs of agents that report what they used are counted here."
      table={{
        columns: [unit, 'Cost', 'Tokens'],
        rows:
          panels.length === 0
            ? []
            : groups.map(({ name, costUsd, tokens }) => [name, dollars(costUsd), wholeNumber(tokens)]),
      }}
    >
      <div ref={place}>
        {panels.map(({ name, value, format, look }) => (
          <div key={name}>
            <p class="chart-panel" aria-hidden="true">
              {name}
            </p>
            <Columns
              columns={groups.map((group) => ({ ...group, total: value(group) }))}
              width={width}
              height={100}
              readout={readout}
              format={format}
              name={`${title}: ${name}`}
              draw={({ total }, { x, width: wide, y }) => (
                <rect class={look} x={x} y={y(total)} width={wide} height={y(0) - y(total)} />
              )}
            />
          </div>
        ))}
      </div>
    </Chart>
  )
}

function together(points: readonly Spending[]): SpendColumn {
  const costUsd = points.reduce((sum, point) => sum + (point.costUsd ?? 0), 0)
  const tokens = points.reduce((sum, point) => sum + (point.tokens ?? 0), 0)
  const [first, last] = [points[0], points.at(-1)]
  const tick = first?.name ?? ''
  const name = first === last ? tick : `${tick} – ${last!.name}`
  return {
    name,
    tick,
    label: `${name}: ${dollars(costUsd)}, ${wholeNumber(tokens)} tokens`,
    total: costUsd,
    costUsd,
    tokens,
    ...(points.length === 1 && { href: first!.href }),
  }
}
