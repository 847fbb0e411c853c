import { useRef } from 'preact/hooks'
import { ActivityChart } from '../../charts/activity-chart.tsx'
import { everyDay, spanOf } from '../../charts/days.ts'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { useRowKeys } from '../../kit/rows.ts'
import { Shown } from '../../kit/states.tsx'
import { Features } from './features.tsx'
import { InShort } from './in-short.tsx'
import { Told, useTold } from './told.tsx'
import { Waiting } from './waiting.tsx'
import { type ShownWork, useWork } from './work.ts'
import './overview.css'

/** What the agents did, what memory told them, whether it helped, and what waits for a person. */
export default function Overview() {
  const view = useRef<HTMLDivElement>(null)
  useRowKeys(view)
  const { loaded, shown } = useWork()
  const told = useTold()
  return (
    <div ref={view} class="overview">
      <h1>Overview</h1>
      {loaded.data && <InShort work={loaded.data} told={told.data} />}
      <Waiting />
      <Shown loaded={loaded}>
        {(data) => (
          <>
            <Features work={{ data, ...shown }} />
            {data.days.length > 0 && <Charts work={data} />}
          </>
        )}
      </Shown>
      <Told loaded={told} />
    </div>
  )
}

function Charts({ work: { days, iterations } }: { work: ShownWork['data'] }) {
  const spent = everyDay(days, (day) => ({ ...days[0]!, day, costUsd: 0, tokens: 0 }))
  const shown = days.reduce((sum, day) => sum + day.iterations, 0)
  return (
    <section aria-labelledby="days">
      <h2 id="days">
        Day by day{' '}
        {shown < iterations && (
          <span class="dim">the latest {days.length} days on which something was done</span>
        )}
      </h2>
      <div class="overview-charts">
        <ActivityChart days={days.map(({ day, outcomes }) => ({ day, counts: outcomes }))} />
        <SpendChart
          unit="day"
          points={spent.map((day) => ({ name: spanOf([day]), costUsd: day.costUsd, tokens: day.tokens }))}
        />
      </div>
    </section>
  )
}
