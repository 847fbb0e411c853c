import { useRoute } from 'preact-iso'
import { answerOf, api } from '../../client.ts'
import { Badge, OutcomeBadge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { iterationHref, sourceHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { kindWords, surfaceName } from './kind-words.ts'
import './receipts.css'

const ask = (id: string) => answerOf(api.receipts[':id'].$get({ param: { id } }))
type Told = Awaited<ReturnType<typeof ask>>
type Item = Told['items'][number]

/** One receipt in full: each memory that was told, why, and whether it was used. */
export default function Receipt() {
  const id = useRoute().params['id'] ?? ''
  const loaded = useData(`receipt/${id}`, () => ask(id), ['receipts'])
  return (
    <>
      <p>
        <a href="/receipts">Receipts</a>
      </p>
      <Shown loaded={loaded} heading="Receipt">
        {(receipt) => (
          <>
            <h1>
              {receipt.withheld ? 'Withheld' : 'Told'} by {surfaceName(receipt.surface)}:{' '}
              <Remembered text={receipt.event} />
            </h1>
            {receipt.withheld && (
              <p>
                The run was drawn to go without memory, to compare: nothing of this stood before it. It is
                what it would have been told.
              </p>
            )}
            <Facts receipt={receipt} />
            <Items receipt={receipt} />
            {receipt.leftOut.length > 0 && (
              <>
                <h2>Left out</h2>
                <ul>
                  {receipt.leftOut.map((line) => (
                    <li key={line}>
                      <Remembered text={line} />
                    </li>
                  ))}
                </ul>
              </>
            )}
            {receipt.text !== undefined && (
              <details class="card">
                <summary>
                  {receipt.withheld ? 'What would have been said' : 'All that was said'}, word for word
                </summary>
                <pre>
                  <Remembered text={receipt.text} />
                </pre>
              </details>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

function Facts({ receipt }: { receipt: Told }) {
  const { timestamp, feature, taskId, run, tokens, ending } = receipt
  const iterationNumber = ending?.iterationNumber
  return (
    <p class="facts">
      <Time at={timestamp} />
      {feature !== undefined && <Remembered text={feature} />}
      {taskId !== undefined && <span>task {taskId}</span>}
      <span>
        run{' '}
        <a href={`/receipts?${new URLSearchParams({ run })}`}>
          <Remembered text={run} />
        </a>
      </span>
      <span>{tokens} tokens</span>
      {ending ? (
        <>
          <OutcomeBadge outcome={ending.outcome} />
          {ending.remark !== undefined && <Remembered text={ending.remark} />}
        </>
      ) : (
        <span>not known yet how its run ends</span>
      )}
      {feature !== undefined && iterationNumber !== undefined && (
        <a href={iterationHref(feature, iterationNumber)}>iteration {iterationNumber}</a>
      )}
    </p>
  )
}

function Items({ receipt }: { receipt: Told }) {
  const { items, feature, ending, withheld } = receipt
  const heading = withheld ? 'What was withheld' : 'What was told'
  if (items.length === 0) return <p>No memory of its own: only what was left out, or a remark.</p>
  return (
    <>
      <h2>{heading}</h2>
      <List
        items={items.map((item, at) => ({ item, at }))}
        label={heading}
        keyOf={({ at }) => String(at)}
        hrefOf={({ item }) => sourceHref(item.source, feature)}
      >
        {({ item }) => (
          <ToldItem item={item} used={withheld ? undefined : ending?.used.includes(item.source)} />
        )}
      </List>
    </>
  )
}

function ToldItem({ item, used }: { item: Item; used: boolean | undefined }) {
  const { kind, source, why, score, tokens, text } = item
  return (
    <article class="hit">
      <header>
        <strong>
          <Remembered text={source.startsWith(`${kind} `) ? source : `${kindWords(kind)} · ${source}`} />
        </strong>
        {used !== undefined &&
          (used ? (
            <Badge tone="good" title="The run shows traces of it">
              ✓ used
            </Badge>
          ) : (
            <Badge title="Nothing that the run said or touched shows a trace of it">no trace</Badge>
          ))}
      </header>
      {text !== undefined && (
        <p>
          <Remembered text={text} />
        </p>
      )}
      <footer class="dim">
        <span>
          because: <Remembered text={why} />
        </span>
        {score !== undefined && <span>score {score.toFixed(2)}</span>}
        <span>{tokens} tokens</span>
      </footer>
    </article>
  )
}
