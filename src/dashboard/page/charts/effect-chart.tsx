import { scaleLinear } from 'd3-scale'
import type { MeasuredEffect } from '../../../effect/report.ts'
import { effectWords, intervalWords, MEASURE_NAMES, valueWords } from '../../../effect/words.ts'
import { Chart } from './chart.tsx'
import { useWidth } from './use-width.ts'

/** Of how much more than the larger value an interval is drawn; beyond it, an arrow says that it goes on. */
const ROOM = 1.6
const BAR = 14
const GAP = 6
const HEIGHT = 2 * BAR + GAP
const EDGE = 10

/** Runs that were told what memory knew above those that went without, in each measure, with how sure the difference is. */
export function EffectChart({ measures }: { measures: readonly MeasuredEffect[] }) {
  const drawn = measures.filter(({ told, withheld }) => told.runs + withheld.runs > 0)
  const { place, width } = useWidth()
  return (
    <Chart
      title="With memory, and without"
      description="Shorter is better. The line shows how far the upper bar may truly reach, 19 times out of 20; while it crosses the dashed line, nothing is claimed. Of too few runs there is none."
      empty="No runs to compare yet."
      legend={<EffectLegend />}
      table={{
        columns: [
          'Measure',
          'With memory',
          'Without',
          'Difference',
          'Sure to lie',
          'Runs',
          'Tasks',
          'Verdict',
        ],
        rows: drawn.map((one) => [
          MEASURE_NAMES[one.measure],
          armValue(one, 'told'),
          armValue(one, 'withheld'),
          one.effect === undefined ? '–' : effectWords(one.comparedAs, one.effect),
          intervalWords(one) || '–',
          `${one.told.runs} and ${one.withheld.runs}`,
          `${one.told.tasks} and ${one.withheld.tasks}`,
          one.verdict,
        ]),
      }}
    >
      <ol class="effect-measures">
        {drawn.map((one) => (
          <li key={one.measure}>
            <p class="effect-name">
              {MEASURE_NAMES[one.measure]}{' '}
              <span class={`effect-verdict effect-${LOOKS[one.verdict]}`}>{one.verdict}</span>
            </p>
            <div ref={place}>
              <Arms effect={one} width={width} />
            </div>
            <p class="effect-sentence">{one.sentence}</p>
          </li>
        ))}
      </ol>
    </Chart>
  )
}

const LOOKS: Record<MeasuredEffect['verdict'], string> = {
  helps: 'helps',
  harms: 'harms',
  'no difference seen': 'open',
  'too little data': 'open',
}

function armValue({ measure, ...one }: MeasuredEffect, arm: 'told' | 'withheld'): string {
  const { value } = one[arm]
  return value === undefined ? '–' : valueWords(measure, value)
}

/** Room for "100 of 100" beside the bar. */
const WORDS = 76

function Arms({ effect, width }: { effect: MeasuredEffect; width: number }) {
  const [told, withheld] = [effect.told.value ?? 0, effect.withheld.value ?? 0]
  const reach = reachOf(effect)
  const end = Math.max(told, withheld, Math.min(reach?.high ?? 0, ROOM * Math.max(told, withheld))) || 1
  const x = scaleLinear()
    .domain([0, end])
    .range([0, width - WORDS - EDGE])
  const label = `With memory ${armValue(effect, 'told')}, without ${armValue(effect, 'withheld')}. ${effect.sentence}`
  return (
    <svg
      class="chart-picture"
      role="img"
      aria-label={label}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
    >
      <g transform={`translate(${WORDS},0)`}>
        <text class="chart-text" x={-6} y={BAR - 3} text-anchor="end">
          {armValue(effect, 'told')}
        </text>
        <text class="chart-text" x={-6} y={HEIGHT - 3} text-anchor="end">
          {armValue(effect, 'withheld')}
        </text>
        <rect class="effect-told" x={0} y={0} width={x(told)} height={BAR} />
        <rect class="effect-withheld" x={0} y={BAR + GAP} width={x(withheld)} height={BAR} />
        {effect.withheld.value !== undefined && (
          <path class="effect-level" d={`M${x(withheld)},0V${HEIGHT}`} />
        )}
        {reach && (
          <Reach
            low={x(Math.max(0, reach.low))}
            high={x(Math.min(end, reach.high))}
            goesOn={reach.high > end}
          />
        )}
      </g>
    </svg>
  )
}

/** Where told runs may lie, given those without. */
function reachOf({
  comparedAs,
  interval,
  withheld,
}: MeasuredEffect): { low: number; high: number } | undefined {
  if (!interval || withheld.value === undefined) return undefined
  const { value } = withheld
  return comparedAs === 'difference'
    ? { low: value + interval.low, high: Math.min(1, value + interval.high) }
    : { low: value * interval.low, high: value * interval.high }
}

function Reach({ low, high, goesOn }: { low: number; high: number; goesOn: boolean }) {
  const middle = BAR / 2
  const end = goesOn
    ? `M${high - 5},${middle - 4}L${high},${middle}L${high - 5},${middle + 4}`
    : `M${high},2V${BAR - 2}`
  const line = `M${low},2V${BAR - 2}M${low},${middle}H${high}${end}`
  return (
    <>
      <path class="effect-halo" d={line} />
      <path class="effect-reach" d={line} />
    </>
  )
}

function EffectLegend() {
  return (
    <ul class="chart-legend">
      <li>
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <rect class="effect-told" width="12" height="12" />
        </svg>
        <span>above: with memory</span>
      </li>
      <li>
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
          <rect class="effect-withheld" width="12" height="12" />
        </svg>
        <span>below: drawn to go without</span>
      </li>
    </ul>
  )
}
