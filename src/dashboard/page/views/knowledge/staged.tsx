import { useState } from 'preact/hooks'
import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { Badge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { More, useMore } from '../../kit/more.tsx'
import { addressOf } from '../../kit/path.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { useEntryFilters } from './entry-filters.tsx'
import { EntryRow } from './entry-row.tsx'

type Outcome = Awaited<ReturnType<typeof checkpoint>>

function checkpoint() {
  return answerOf(api.knowledge.checkpoint.$post())
}

/** What waits for a checkpoint to be found, the newest first. */
export function Staged() {
  const [filters, form] = useEntryFilters()
  const [outcome, setOutcome] = useState<Outcome>()
  const ask = (after?: string) => answerOf(api.knowledge.staged.$get({ query: { ...filters, after } }))
  const loaded = useData(`staged ${JSON.stringify(filters)}`, () => ask(), ['knowledge'])
  const { items, more, trouble } = useMore(loaded, ask)
  return (
    <>
      {form}
      <div class="actions">
        <Action
          shortcut={{ keys: 'c', does: 'run a checkpoint' }}
          changes={['knowledge']}
          run={async () => setOutcome(await checkpoint())}
        >
          Run a checkpoint
        </Action>
        {outcome && <OutcomeWords outcome={outcome} />}
      </div>
      <Shown loaded={loaded}>
        {() =>
          items.length === 0 ? (
            <Empty command="ralph knowledge list --staged">Nothing is staged. From the shell:</Empty>
          ) : (
            <List
              items={items}
              label="Staged entries"
              keyOf={({ id }) => id}
              hrefOf={({ id }) => addressOf('/knowledge', id)}
            >
              {(entry) => (
                <EntryRow entry={entry}>
                  {entry.verified ? (
                    <span>waits for a checkpoint</span>
                  ) : (
                    <Badge tone="warn">waits to be verified</Badge>
                  )}
                </EntryRow>
              )}
            </List>
          )
        }
      </Shown>
      <More more={more} trouble={trouble} />
    </>
  )
}

function OutcomeWords({ outcome }: { outcome: Outcome }) {
  const { embedded, merged, reembedded, stopped } = outcome
  return (
    <span role="status">
      {embedded} embedded, {merged} counted for entries that say the same, {reembedded} embedded again.
      {stopped && (
        <strong>
          {' '}
          Stopped: {stopped.message} {stopped.hint && `→ ${stopped.hint}`}
        </strong>
      )}
    </span>
  )
}
