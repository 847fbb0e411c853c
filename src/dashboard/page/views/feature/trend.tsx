import { wholeNumber } from '../../charts/numbers.ts'
import { OutcomeStacks, outcomeColumn } from '../../charts/outcome-stacks.tsx'
import { OutcomesChart } from '../../charts/outcomes-chart.tsx'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { useWidth } from '../../charts/use-width.ts'
import { useAddressPart } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { iterationHref } from '../../kit/memory-address.ts'
import { Shown } from '../../kit/states.tsx'
import { askAbout, journalOf } from './ask.ts'

const RANGES = [
  ['120', 'the last 120'],
  ['1000', 'the last 1,000'],
  ['', 'all'],
] as const

type Points = Awaited<ReturnType<ReturnType<typeof askAbout>['trend']>>['points']

/** How the iterations came out and what they cost, one by one or in stretches. */
export function Trend({ feature }: { feature: string }) {
  const [range, setRange] = useAddressPart('range', '120')
  const last = range === 'all' ? undefined : range
  const loaded = useData(
    JSON.stringify(['trend', feature, last]),
    (signal) => askAbout(feature).trend({ last }, signal),
    [journalOf(feature)],
  )
  const hrefOf = (number: number) => iterationHref(feature, number)
  return (
    <Shown loaded={loaded}>
      {({ totals, points }) =>
        totals.iterations === 0 ? null : (
          <>
            {totals.iterations > 120 && (
              <label class="range">
                Iterations drawn:{' '}
                <select value={last ?? ''} onChange={(event) => setRange(event.currentTarget.value || 'all')}>
                  {RANGES.map(([value, name]) => (
                    <option key={value} value={value}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <div class="charts">
              <Outcomes points={points} hrefOf={hrefOf} />
              <SpendChart {...unitOf(points)} points={points.map((point) => spending(point, hrefOf))} />
            </div>
          </>
        )
      }
    </Shown>
  )
}

function Outcomes({ points, hrefOf }: { points: Points; hrefOf: (number: number) => string }) {
  const { place, width } = useWidth()
  if (points.every(({ iterations }) => iterations === 1)) {
    const single = points.map(({ from, outcomes }) => ({
      iterationNumber: from,
      outcome: outcomeOf(outcomes),
    }))
    return <OutcomesChart points={single} hrefOf={hrefOf} />
  }
  const all = points.reduce((sum, { iterations }) => sum + iterations, 0)
  return (
    <OutcomeStacks
      title="Outcomes over iterations"
      description={`${wholeNumber(all)} iterations; each column is ${wholeNumber(points[0]!.iterations)} of them.`}
      heading="Iterations"
      columns={points.map(({ from, to, outcomes }) =>
        outcomeColumn(`Iterations ${from} to ${to}`, `${from}`, outcomes),
      )}
      empty=""
      place={place}
      width={width}
    />
  )
}

/** What one point stands for. */
function unitOf(points: Points): { unit: string; units: string } {
  const each = points[0]!.iterations
  if (each === 1) return { unit: 'iteration', units: 'iterations' }
  const size = `${wholeNumber(each)} iterations`
  return { unit: `${size} from`, units: `stretches of ${size}` }
}

function outcomeOf(outcomes: Points[number]['outcomes']) {
  const names = Object.keys(outcomes) as (keyof typeof outcomes)[]
  return names.find((name) => outcomes[name] > 0)!
}

function spending({ from, to, costUsd, tokens }: Points[number], hrefOf: (number: number) => string) {
  return { name: `${from}`, costUsd, tokens, ...(from === to && { href: hrefOf(from) }) }
}
