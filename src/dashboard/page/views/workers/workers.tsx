import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { RetryQueue } from './retry-queue.tsx'
import { Spend } from './spend.tsx'
import { stateOf, WORKER_TITLES, type WorkerNow, type WorkersNow } from './worker-words.ts'
import './workers.css'

/** What works in the background, in whatever process: how far it is, what it could not do, what it costs. */
export default function Workers() {
  const loaded = useData('workers', () => answerOf(api.workers.$get()), ['workers', 'conversations'])
  return (
    <>
      <h1>Workers</h1>
      <Shown loaded={loaded}>
        {(now) => (
          <>
            <Standing now={now} />
            <div class="workers">
              {now.workers.map((worker) => (
                <WorkerCard key={worker.worker} worker={worker} />
              ))}
            </div>
            <Spend spend={now.spend} />
            <RetryQueue now={now} />
          </>
        )}
      </Shown>
    </>
  )
}

function Standing({ now: { workers, embeddings, summariser } }: { now: WorkersNow }) {
  const { conversation, exchange } = embeddings
  const isIdle = workers.some(({ enabled, processes, waiting }) => enabled && processes === 0 && waiting > 0)
  return (
    <>
      {isIdle && (
        <p class="card" role="status">
          Work waits, and no process does it. Start one: <code class="command">ralph workers run</code>
        </p>
      )}
      <p class="facts">
        <span>
          summaries by{' '}
          {summariser === 'extractive' ? 'extraction, offline and free' : <Remembered text={summariser} />}
        </span>
        <span>
          embedded: <strong>{conversation.embedded}</strong> conversations,{' '}
          <strong>{exchange.embedded}</strong> exchanges
        </span>
      </p>
    </>
  )
}

function WorkerCard({ worker: now }: { worker: WorkerNow }) {
  const { worker, enabled, progress, currentItem, waiting, totals, queue, problem } = now
  const { tone, sign, words } = stateOf(now)
  const title = WORKER_TITLES[worker]
  return (
    <section class="card" aria-label={title}>
      <div class="line">
        <h2 class="grow">{title}</h2>
        <Badge tone={tone}>
          <span aria-hidden="true">{sign}</span> {words}
        </Badge>
      </div>
      {progress && progress.total > 0 && (
        <label class="progress">
          {progress.done} of {progress.total}
          <progress value={progress.done} max={progress.total} />
        </label>
      )}
      {currentItem && (
        <p class="dim">
          now: <Remembered text={currentItem} />
        </p>
      )}
      <dl class="numbers">
        <Fact name="waiting" value={String(waiting)} />
        <Fact name="done" value={String(totals.completed)} />
        <Fact name="to be tried again" value={String(queue.retrying)} />
        <Fact name="given up" value={String(queue.givenUp)} />
      </dl>
      {problem && (
        <p class="problem">
          <Remembered text={problem} />
        </p>
      )}
      <Action
        changes={['workers']}
        run={() => answerOf(api.workers.switch.$post({ json: { worker, on: !enabled } }))}
      >
        {enabled ? 'Switch off' : 'Switch on'}
        <span class="unseen-label"> {title}</span>
      </Action>
    </section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
