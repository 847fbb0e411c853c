import { answerOf, api } from '../../client.ts'
import { useAddress } from '../../kit/address.ts'
import { OutcomeBadge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { More, useMore } from '../../kit/more.tsx'
import { addressOf } from '../../kit/path.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { kindWords, surfaceName } from './kind-words.ts'
import { ReceiptFilters, type ReceiptsAsked, receiptsAsked } from './receipt-filters.tsx'
import { askTotals, Totals } from './totals.tsx'
import './receipts.css'

const ask = (asked: ReceiptsAsked, after?: string) =>
  answerOf(api.receipts.$get({ query: { ...asked, ...(after !== undefined && { after }) } }))
type Row = Awaited<ReturnType<typeof ask>>['items'][number]

/** What memory told to which run, what of it left a trace, and how the run came out. */
export default function Receipts() {
  const [parts, change] = useAddress()
  const asked = receiptsAsked(parts)
  const key = JSON.stringify(asked)
  const first = useData(`receipts?${key}`, () => ask(asked), ['receipts'])
  const totals = useData(`receipts/totals?${key}`, () => askTotals(asked), ['receipts'])
  const { items, more, trouble } = useMore<Row>(first, (after) => ask(asked, after))
  return (
    <>
      <h1>Receipts</h1>
      <p class="dim">What agents were told by memory, whether they used it, and how their runs ended.</p>
      <ReceiptFilters asked={asked} choices={totals.data} change={change} />
      <Shown loaded={totals}>{(data) => <Totals totals={data} />}</Shown>
      <h2>One by one</h2>
      <Shown loaded={first}>
        {({ damagedLines }) => (
          <>
            {items.length === 0 ? (
              <Nothing isFiltered={Object.keys(asked).length > 0} />
            ) : (
              <List
                items={items}
                label="Receipts, the newest first"
                keyOf={({ id }) => id}
                hrefOf={({ id }) => addressOf('/receipts', id)}
              >
                {(row) => <ReceiptRow row={row} />}
              </List>
            )}
            <More more={more} trouble={trouble} />
            {damagedLines > 0 && (
              <p class="dim">{damagedLines} lines of the log could not be read and were skipped.</p>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

function ReceiptRow({ row }: { row: Row }) {
  const { surface, event, timestamp, feature, taskId, tokens, told, used, kinds, outcome, withheld } = row
  return (
    <div class="receipt-row">
      <span class="dim">
        <Time at={timestamp} />
      </span>
      <span>
        <strong>{surfaceName(surface)}</strong> <Remembered text={event} />
        {feature !== undefined && (
          <span class="dim">
            {' · '}
            <Remembered text={feature} />
            {taskId !== undefined && ` · task ${taskId}`}
          </span>
        )}
      </span>
      <span>
        {withheld ? 'withheld' : 'told'} {told === 0 ? 'nothing' : told}{' '}
        {tokens > 0 && <span class="dim">({tokens} tokens)</span>}
        <span class="dim receipt-kinds">
          <Remembered text={kinds.map(({ kind, count }) => `${kindWords(kind)} × ${count}`).join(', ')} />
        </span>
      </span>
      <span>
        {withheld ? (
          <span class="dim" title="The run was drawn to go without memory, to compare">
            hold-out
          </span>
        ) : outcome === undefined ? (
          <span class="dim">not judged yet</span>
        ) : (
          told > 0 && `used ${used} of ${told}`
        )}
      </span>
      <span>
        {outcome === undefined ? <span class="dim">still open</span> : <OutcomeBadge outcome={outcome} />}
      </span>
    </div>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty>No receipt fits these filters.</Empty>
  return (
    <Empty command="ralph hooks install">
      No receipts yet: nothing has been handed to an agent here. The loop, the hooks and the MCP server leave
      one whenever they tell something.
    </Empty>
  )
}
