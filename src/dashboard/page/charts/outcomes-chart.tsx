import type { Outcome } from '../../../feature-memory/record.ts'
import { OUTCOMES } from '../kit/badge.tsx'
import { binned } from './bins.ts'
import { Chart } from './chart.tsx'
import { mostColumns } from './columns.tsx'
import { OutcomeBlock } from './legend.tsx'
import { Mark, moveAmongMarks, useReadout } from './marks.tsx'
import { percent, wholeNumber } from './numbers.ts'
import { countOutcomes, OUTCOME_LOOKS, outcomeWords } from './outcome-look.ts'
import { OutcomeStacks, outcomeColumn } from './outcome-stacks.tsx'
import { useWidth } from './use-width.ts'

export interface OutcomePoint {
  iterationNumber: number
  outcome: Outcome
}

interface OutcomesProps {
  /** Oldest first. */
  points: readonly OutcomePoint[]
  /** Where an iteration is shown. */
  hrefOf?: ((iterationNumber: number) => string) | undefined
}

const TITLE = 'Outcomes over iterations'
const EMPTY = 'No iterations yet. They appear here as the loop or a session records them.'

/** How the iterations of a feature came out: one mark each, or many to a column when there are more than fit. */
export function OutcomesChart({ points, hrefOf }: OutcomesProps) {
  const { place, width } = useWidth()
  const counts = countOutcomes(points.map(({ outcome }) => outcome))
  const description = `${wholeNumber(points.length)} iterations: ${outcomeWords(counts)} (${percent(counts.success ?? 0, points.length)} succeeded).`
  const groups = binned(points, mostColumns(width))
  if (groups.length === points.length) {
    return <OutcomeRows {...{ points, hrefOf, description, place, width }} />
  }
  const columns = groups.map((group) => {
    const [first, last] = [group[0]!.iterationNumber, group.at(-1)!.iterationNumber]
    const name = `Iterations ${first} to ${last}`
    return outcomeColumn(name, `${first}`, countOutcomes(group.map(({ outcome }) => outcome)))
  })
  return (
    <OutcomeStacks
      title={TITLE}
      description={`${description} Each column is ${groups[0]!.length} iterations.`}
      heading="Iterations"
      columns={columns}
      empty={EMPTY}
      place={place}
      width={width}
    />
  )
}

const LABELS = 90
const ROW = 20

interface RowsProps extends OutcomesProps {
  description: string
  place: (element: Element | null) => void
  width: number
}

/** Few enough for one mark each: a row for each outcome, so that the place tells it as well as the colour. */
function OutcomeRows({ points, hrefOf, description, place, width }: RowsProps) {
  const readout = useReadout()
  const present = OUTCOME_LOOKS.filter(({ outcome }) => points.some((point) => point.outcome === outcome))
  const height = present.length * ROW + 20
  const step = Math.min(14, (width - LABELS) / Math.max(1, points.length))
  const first = points[0]?.iterationNumber
  const last = points.at(-1)
  return (
    <Chart
      title={TITLE}
      description={description}
      said={readout.said}
      empty={EMPTY}
      table={{
        columns: ['Iteration', 'Outcome'],
        rows: points.map(({ iterationNumber, outcome }) => [iterationNumber, wordOf(outcome)]),
      }}
    >
      <div ref={place}>
        <svg
          class="chart-picture"
          role={hrefOf ? 'group' : 'img'}
          aria-label={TITLE}
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          onKeyDown={moveAmongMarks}
        >
          <g aria-hidden="true">
            {present.map(({ outcome, word, sign }, row) => (
              <g key={outcome}>
                <text class="chart-text" x={0} y={(row + 0.5) * ROW} dy="0.32em">
                  {sign} {word}
                </text>
                <path class="chart-grid" d={`M${LABELS},${(row + 0.5) * ROW}H${width}`} />
              </g>
            ))}
            <text class="chart-text" x={LABELS} y={height - 5}>
              {first}
            </text>
            {points.length > 4 && (
              <text class="chart-text" x={LABELS + points.length * step} y={height - 5} text-anchor="end">
                {last?.iterationNumber}
              </text>
            )}
          </g>
          {points.map(({ iterationNumber, outcome }, at) => (
            <Mark
              key={iterationNumber}
              label={`Iteration ${iterationNumber}: ${wordOf(outcome)}`}
              href={hrefOf?.(iterationNumber)}
              first={at === points.length - 1}
              readout={readout}
            >
              <rect class="chart-reach" x={LABELS + at * step} y={0} width={step} height={height - 20} />
              <OutcomeBlock
                outcome={outcome}
                x={LABELS + at * step + 1}
                y={present.findIndex((look) => look.outcome === outcome) * ROW + 4}
                width={step - 2}
                height={ROW - 8}
              />
            </Mark>
          ))}
        </svg>
      </div>
    </Chart>
  )
}

function wordOf(outcome: Outcome): string {
  return OUTCOMES[outcome]!.word
}
