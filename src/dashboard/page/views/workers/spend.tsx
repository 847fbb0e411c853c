import { dollars } from '../../charts/numbers.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Time } from '../../kit/time.tsx'
import type { WorkersNow } from './worker-words.ts'

type Report = WorkersNow['spend']

const PURPOSES: Record<Report['lines'][number]['purpose'], string> = {
  summaries: 'Summaries',
  chat: 'The chat',
  embedding: 'Embeddings',
}

/** What has been spent, against the limits where there are any. */
export function Spend({ spend }: { spend: Report }) {
  const { workers, chat, lines, beginsAnew, period } = spend
  return (
    <section aria-label="Spend">
      <h2>Spend {period === 'month' ? 'this month' : 'in all'}</h2>
      <Budget of="summaries and embeddings" spent={workers} setting="max_spend" />
      {(chat.spentUsd > 0 || chat.unpricedCalls > 0 || chat.limitUsd !== null) && (
        <Budget of="the chat" spent={chat} setting="chat_max_spend" />
      )}
      {beginsAnew !== null && (
        <p class="dim">
          Counted anew from <Time at={beginsAnew} />.
        </p>
      )}
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={`${line.month} ${line.purpose} ${line.model}`}>
              {PURPOSES[line.purpose]} with <Remembered text={line.model} />: {cost(line)}, {line.calls}{' '}
              {line.calls === 1 ? 'call' : 'calls'}, {line.inputTokens.toLocaleString('en')} tokens in,{' '}
              {line.outputTokens.toLocaleString('en')} out
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function cost({ usd, estimatedUsd, unpricedCalls }: Report['lines'][number]): string {
  if (unpricedCalls > 0 && usd === 0) return 'at a price that is not known'
  return `${dollars(usd)}${estimatedUsd > 0 ? ` (${dollars(estimatedUsd)} of it estimated)` : ''}`
}

function Budget({
  of,
  spent: { spentUsd, estimatedUsd, unpricedCalls, limitUsd },
  setting,
}: {
  of: string
  spent: Report['workers']
  setting: string
}) {
  return (
    <>
      <p>
        <strong>{dollars(spentUsd)}</strong> on {of}
        {limitUsd === null ? (
          <span class="dim">
            , without a limit. Set one: <code>ralph config set language_model.{setting} 5</code>
          </span>
        ) : (
          ` of at most ${dollars(limitUsd)}`
        )}
        {estimatedUsd > 0 && ` (${dollars(estimatedUsd)} of it estimated)`}
        {unpricedCalls > 0 && ` and ${unpricedCalls} calls of unknown price`}
      </p>
      {limitUsd !== null && (
        <meter
          aria-label={`${dollars(spentUsd)} of ${dollars(limitUsd)} spent on ${of}`}
          min={0}
          max={limitUsd || 1}
          high={limitUsd * 0.8}
          value={limitUsd === 0 ? 1 : Math.min(spentUsd, limitUsd)}
        />
      )}
    </>
  )
}
