import { useRef } from 'preact/hooks'
import { ActivityChart } from '../../charts/activity-chart.tsx'
import { everyDay, spanOf } from '../../charts/days.ts'
import { dollars, percent, wholeNumber } from '../../charts/numbers.ts'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { useRowKeys } from '../../kit/rows.ts'
import { Shown } from '../../kit/states.tsx'
import { Features } from './features.tsx'
import { Told } from './told.tsx'
import { Waiting } from './waiting.tsx'
import { type ShownWork, useWork } from './work.ts'
import './overview.css'

/** What the agents did, what memory told them, whether it helped, and what waits for a person. */
export default function Overview() {
  const view = useRef<HTMLDivElement>(null)
  useRowKeys(view)
  const { loaded, shown } = useWork()
  return (
    <div ref={view} class="overview">
      <h1>Overview</h1>
      {loaded.data && <InShort data={loaded.data} />}
      <Waiting />
      <Shown loaded={loaded}>
        {(data) => (
          <>
            <Features work={{ data, ...shown }} />
            {data.days.length > 0 && <Charts days={data.days} />}
          </>
        )}
      </Shown>
      <Told />
    </div>
  )
}

function InShort({ data }: { data: ShownWork['data'] }) {
  const { iterations, outcomes, costUsd, tasks, counting, days } = data
  const ended = iterations - outcomes.rate_limited
  const latest = days.slice(-1)[0]
  return (
    <dl class="in-short">
      <div>
        <dt>Iterations</dt>
        <dd>{counting > 0 ? 'counting…' : wholeNumber(iterations)}</dd>
      </div>
      <div>
        <dt>Succeeded</dt>
        <dd>{percent(outcomes.success, ended)}</dd>
      </div>
      <div>
        <dt>Tasks done</dt>
        <dd>
          {wholeNumber(tasks.done)} <span class="dim">of {wholeNumber(tasks.done + tasks.open)}</span>
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{dollars(costUsd)}</dd>
      </div>
      <div>
        <dt>Last active</dt>
        <dd>
          {latest ? spanOf([latest]) : '–'}{' '}
          {latest && <span class="dim">{wholeNumber(latest.iterations)} that day</span>}
        </dd>
      </div>
    </dl>
  )
}

function Charts({ days }: { days: ShownWork['data']['days'] }) {
  const spent = everyDay(days, (day) => ({ ...days[0]!, day, costUsd: 0, tokens: 0 }))
  return (
    <div class="overview-charts">
      <ActivityChart days={days.map(({ day, outcomes }) => ({ day, counts: outcomes }))} />
      <SpendChart
        unit="day"
        points={spent.map((day) => ({ name: spanOf([day]), costUsd: day.costUsd, tokens: day.tokens }))}
      />
    </div>
  )
}
