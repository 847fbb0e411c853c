import { answerOf, api } from '../../client.ts'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { exchangeHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { SharedBadge } from './sharing.tsx'

/** The exchanges that answer best, with why. */
export function FoundExchanges({ query, tag }: { query: string; tag: string }) {
  const loaded = useData(
    `conversations found ${JSON.stringify([query, tag])}`,
    () => answerOf(api.conversations.search.$get({ query: { query, ...(tag && { tag }) } })),
    ['conversations'],
  )
  const words = query.split(/\s+/).filter((word) => word.length > 2)
  return (
    <Shown loaded={loaded}>
      {({ results, time, wordsOnly }) => (
        <>
          {time && (
            <p class="dim">
              “{time.phrase}”: {time.from.slice(0, 10)} to {time.to.slice(0, 10)}
            </p>
          )}
          {wordsOnly && results.length > 0 && (
            <p class="dim">By words only: nothing is embedded yet, or the embedder is down.</p>
          )}
          {results.length === 0 ? (
            <Empty command="ralph embeddings status">
              Nothing in past conversations is similar enough. Is everything embedded?
            </Empty>
          ) : (
            <List
              items={results}
              label="Exchanges that were found"
              keyOf={({ exchange }) => exchange.id}
              hrefOf={({ exchange }) => exchangeHref(exchange.id)}
            >
              {({ exchange, conversation, similarity, relevance, matched, duplicates }) => (
                <>
                  <div class="line">
                    <strong class="grow">
                      <Remembered text={exchange.userMessage} marks={words} />
                    </strong>
                    <span class="dim">
                      <Time at={exchange.completedAt ?? exchange.startedAt} />
                    </span>
                  </div>
                  <p class="clamped">
                    <Remembered text={exchange.assistantMessage || '(no answer)'} marks={words} />
                  </p>
                  <div class="dim line">
                    <span>
                      <Remembered text={conversation.title} />
                    </span>
                    <SharedBadge of={conversation} />
                    <span>
                      {relevance} {similarity.toFixed(2)} by {matched.join(' and ')}
                    </span>
                    {duplicates.length > 0 && <span>{duplicates.length} more like it</span>}
                  </div>
                </>
              )}
            </List>
          )}
        </>
      )}
    </Shown>
  )
}
