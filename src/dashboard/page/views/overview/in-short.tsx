import { dollars, percent, wholeNumber } from '../../charts/numbers.ts'
import { Time } from '../../kit/time.tsx'
import type { ToldTotals } from './told.tsx'
import type { ShownWork } from './work.ts'

type Work = ShownWork['data']
const WEEK_MS = 7 * 86_400_000

/** All of it in six numbers, and a seventh where runs with memory and without are compared. */
export function InShort({ work, told }: { work: Work; told: ToldTotals | undefined }) {
  const { iterations, outcomes, costUsd, tasks, counting, days, holdout } = work
  // The most recently active comes first.
  const latest = work.items[0]?.totals.last
  const week = sinceAWeek(days)
  return (
    <dl class="in-short">
      <div>
        <dt>Iterations</dt>
        <dd>{counting > 0 ? 'counting…' : wholeNumber(iterations)}</dd>
      </div>
      <div>
        <dt>Succeeded</dt>
        <dd>
          {percent(outcomes.success, iterations - outcomes.rate_limited)}{' '}
          {week.ended > 0 && (
            <span class="dim">{percent(week.succeeded, week.ended)} in the last 7 days</span>
          )}
        </dd>
      </div>
      <div>
        <dt>Tasks done</dt>
        <dd>
          {wholeNumber(tasks.done)} <span class="dim">of {wholeNumber(tasks.done + tasks.open)}</span>
        </dd>
      </div>
      <div>
        <dt>Memory told</dt>
        <dd>
          {told ? wholeNumber(told.told) : '…'}{' '}
          {told && told.judged > 0 && <span class="dim">{percent(told.used, told.judged)} used</span>}
        </dd>
      </div>
      {holdout && (
        <div>
          <dt>Hold-out</dt>
          <dd title={`Drawn by the seed ${holdout.seed}`}>
            {holdout.share === 0 ? 'off' : holdout.share}{' '}
            <span class="dim">
              {wholeNumber(holdout.without)} of {wholeNumber(holdout.drawn)} without memory
            </span>
          </dd>
        </div>
      )}
      <div>
        <dt>Cost</dt>
        <dd>{dollars(costUsd)}</dd>
      </div>
      <div>
        <dt>Last active</dt>
        <dd>{latest === undefined ? '–' : <Time at={latest} />}</dd>
      </div>
    </dl>
  )
}

function sinceAWeek(days: Work['days']): { succeeded: number; ended: number } {
  const recent = days.filter(({ day }) => Date.parse(day) > Date.now() - WEEK_MS)
  const sum = (count: (day: Work['days'][number]) => number) =>
    recent.reduce((total, day) => total + count(day), 0)
  return {
    succeeded: sum(({ outcomes }) => outcomes.success),
    ended: sum(({ iterations, outcomes }) => iterations - outcomes.rate_limited),
  }
}
