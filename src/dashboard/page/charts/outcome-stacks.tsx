import { Chart } from './chart.tsx'
import { type Column, Columns } from './columns.tsx'
import { OutcomeBlock, OutcomeLegend } from './legend.tsx'
import { useReadout } from './marks.tsx'
import { shortNumber } from './numbers.ts'
import { OUTCOME_LOOKS, type OutcomeCounts, outcomeWords } from './outcome-look.ts'

export interface OutcomeColumn extends Column {
  counts: OutcomeCounts
}

/** One column: the outcomes in it, one above the other. */
export function outcomeColumn(
  name: string,
  tick: string,
  counts: OutcomeCounts,
  href?: string,
): OutcomeColumn {
  const total = OUTCOME_LOOKS.reduce((sum, { outcome }) => sum + (counts[outcome] ?? 0), 0)
  return { name, tick, label: `${name}: ${outcomeWords(counts)}`, total, counts, href }
}

interface StacksProps {
  title: string
  description: string
  /** What the first column of the table holds. */
  heading: string
  columns: readonly OutcomeColumn[]
  empty: string
  width: number
  place: (element: Element | null) => void
}

/** Outcomes in columns, whatever a column stands for. */
export function OutcomeStacks({ title, description, heading, columns, empty, width, place }: StacksProps) {
  const readout = useReadout()
  const present = OUTCOME_LOOKS.filter(({ outcome }) => columns.some(({ counts }) => counts[outcome]))
  return (
    <Chart
      title={title}
      description={description}
      said={readout.said}
      empty={empty}
      legend={<OutcomeLegend outcomes={present.map(({ outcome }) => outcome)} />}
      table={{
        columns: [heading, ...present.map(({ word }) => word)],
        rows: columns.map(({ name, counts }) => [
          name,
          ...present.map(({ outcome }) => counts[outcome] ?? 0),
        ]),
      }}
    >
      <div ref={place}>
        <Columns
          columns={columns}
          width={width}
          readout={readout}
          format={shortNumber}
          whole
          name={title}
          draw={({ counts }, { x, width: wide, y }) => {
            let foot = 0
            return present.map(({ outcome }) => {
              const bottom = y(foot)
              foot += counts[outcome] ?? 0
              const high = bottom - y(foot)
              // A hair of space between them, as long as that leaves something.
              const height = high > 3 ? high - 1 : high
              if (!counts[outcome]) return null
              return (
                <OutcomeBlock
                  key={outcome}
                  outcome={outcome}
                  x={x}
                  y={y(foot)}
                  width={wide}
                  height={height}
                />
              )
            })
          }}
        />
      </div>
    </Chart>
  )
}
