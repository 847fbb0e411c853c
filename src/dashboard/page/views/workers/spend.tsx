import { dollars } from '../../charts/numbers.ts'
import { WORKER_TITLES, type WorkersNow } from './worker-words.ts'

/** What has been spent, against the limit where there is one. */
export function Spend({ now: { workers, spentUsd, limitUsd } }: { now: WorkersNow }) {
  const byWorkers = workers.reduce((sum, { totals }) => sum + totals.spendUsd, 0)
  return (
    <section aria-label="Spend">
      <h2>Spend</h2>
      <p>
        <strong>{dollars(spentUsd)}</strong>
        {limitUsd === null ? (
          <span class="dim">
            {' '}
            in all, without a limit. Set one: <code>ralph config set language_model.max_spend 5</code>
          </span>
        ) : (
          ` of at most ${dollars(limitUsd)}`
        )}
        {limitUsd !== null && spentUsd >= limitUsd && ' (reached: nothing that costs money is done any more)'}
      </p>
      {limitUsd !== null && (
        <meter
          aria-label={`${dollars(spentUsd)} of ${dollars(limitUsd)} spent`}
          min={0}
          max={limitUsd || 1}
          high={limitUsd * 0.8}
          value={limitUsd === 0 ? 1 : Math.min(spentUsd, limitUsd)}
        />
      )}
      {spentUsd > 0 && (
        <ul>
          {workers.map(({ worker, totals }) => (
            <li key={worker}>
              {WORKER_TITLES[worker]}: {dollars(totals.spendUsd)}, {totals.inputTokens.toLocaleString('en')}{' '}
              tokens in, {totals.outputTokens.toLocaleString('en')} out
            </li>
          ))}
          {spentUsd > byWorkers + 1e-9 && <li>The chat: {dollars(spentUsd - byWorkers)}</li>}
        </ul>
      )}
    </section>
  )
}
