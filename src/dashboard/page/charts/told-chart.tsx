import { Chart } from './chart.tsx'
import { percent, wholeNumber } from './numbers.ts'

/** Runs that were told alike, and how they came out. */
export interface ToldGroup {
  /** "nothing", "1 to 3 memories", "learnings". */
  name: string
  runs: number
  succeeded: number
  /** Pieces of memory told to them, and how many of those left a trace in what they did. */
  told: number
  used: number
}

/** What memory told, against the runs that succeeded: whether more memory went with better ends. */
export function ToldChart({ groups, heading = 'Told' }: { groups: readonly ToldGroup[]; heading?: string }) {
  const runs = groups.reduce((sum, group) => sum + group.runs, 0)
  return (
    <Chart
      title="Memory told, and runs that succeeded"
      description={`${wholeNumber(runs)} runs. It shows what went together, not what caused what; few runs say little.`}
      empty="No receipts yet. Each run that is told something by memory leaves one, with how it ended."
      table={{
        columns: [heading, 'Runs', 'Succeeded', 'Memories told', 'Used'],
        rows: (runs === 0 ? [] : groups).map(({ name, runs, succeeded, told, used }) => [
          name,
          runs,
          `${succeeded} (${percent(succeeded, runs)})`,
          told,
          `${used} (${percent(used, told)})`,
        ]),
      }}
    >
      <dl class="chart-shares">
        {groups.map(({ name, runs, succeeded, told, used }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Share part={succeeded} whole={runs} look="outcome-success" />
              <span>
                {percent(succeeded, runs)} of {wholeNumber(runs)} runs succeeded
              </span>
            </dd>
            {told > 0 && (
              <dd>
                <Share part={used} whole={told} look="chart-used" />
                <span>
                  {percent(used, told)} of {wholeNumber(told)} memories used
                </span>
              </dd>
            )}
          </div>
        ))}
      </dl>
    </Chart>
  )
}

function Share({ part, whole, look }: { part: number; whole: number; look: string }) {
  return (
    <svg class={`chart-share ${look}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="chart-rest" x={0} y={0} width={100} height={10} />
      <rect class="chart-solid" x={0} y={0} width={whole === 0 ? 0 : (100 * part) / whole} height={10} />
    </svg>
  )
}
