import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { conversationHref, exchangeHref } from '../../kit/memory-address.ts'
import { More, useMore } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { WORKER_TITLES, type WorkersNow } from './worker-words.ts'

type Item = Awaited<ReturnType<typeof ask>>['items'][number]

function ask(after?: string) {
  return answerOf(api.workers.queue.$get({ query: { after } }))
}

/** What could not be done: tried again by itself, or given up until a person says so. */
export function RetryQueue({ now: { workers } }: { now: WorkersNow }) {
  const loaded = useData('workers queue', () => ask(), ['workers', 'conversations'])
  const { items, more, trouble } = useMore(loaded, ask)
  const total = (of: 'retrying' | 'givenUp' | 'cleared') =>
    workers.reduce((sum, { queue }) => sum + queue[of], 0)
  const cleared = total('cleared')
  return (
    <section aria-label="Retry queue">
      <h2>What could not be done</h2>
      <div class="actions">
        {total('retrying') + total('givenUp') + cleared > 0 && (
          <Action changes={['workers']} run={() => answerOf(api.workers.retry.$post({ json: {} }))}>
            Try all again
          </Action>
        )}
        {total('givenUp') > 0 && (
          <Action
            confirm={`Take ${total('givenUp')} given up off the list? "Try all again" brings them back.`}
            changes={['workers']}
            run={() => answerOf(api.workers.clear.$post())}
          >
            Clear what was given up
          </Action>
        )}
        {cleared > 0 && <span class="dim">{cleared} taken off the list</span>}
      </div>
      <Shown loaded={loaded}>
        {() =>
          items.length === 0 ? (
            <Empty>Nothing has failed.</Empty>
          ) : (
            <List
              items={items}
              label="Items that failed"
              keyOf={({ worker, itemId }) => `${worker} ${itemId}`}
            >
              {(item) => <QueueRow item={item} />}
            </List>
          )
        }
      </Shown>
      <More more={more} trouble={trouble} />
    </section>
  )
}

function QueueRow({ item }: { item: Item }) {
  const { worker, itemId, attempts, problem, givenUp, nextTry } = item
  return (
    <>
      <div class="line">
        <a class="grow" href={placeOf(item)}>
          <Remembered text={itemId} />
        </a>
        <Badge tone={givenUp ? 'bad' : 'warn'}>{givenUp ? 'given up' : 'is tried again'}</Badge>
        <Action
          changes={['workers']}
          run={() =>
            answerOf(
              api.workers.retry.$post({
                json: { item: { worker, itemId } },
              }),
            )
          }
        >
          Try again
          <span class="unseen-label"> {itemId}</span>
        </Action>
      </div>
      <p>
        <Remembered text={problem} />
      </p>
      <div class="dim line">
        <span>{WORKER_TITLES[worker]}</span>
        <span>
          {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
        </span>
        {!givenUp && (
          <span>
            next try <Time at={nextTry} />
          </span>
        )}
      </div>
    </>
  )
}

/** Embeddings name the kind of an item before its id; summaries are of one kind each. */
function placeOf({ worker, itemId }: Item): string {
  const named = /^(conversation|exchange):(.*)$/s.exec(itemId)
  const [kind, id] = worker === 'embedding' && named ? [named[1], named[2]!] : [worker, itemId]
  return kind === 'conversation' ? conversationHref(id) : exchangeHref(id)
}
