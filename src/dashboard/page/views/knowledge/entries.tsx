import { answerOf, api } from '../../client.ts'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { More, useMore } from '../../kit/more.tsx'
import { addressOf } from '../../kit/path.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { useEntryFilters } from './entry-filters.tsx'
import { EntryRow } from './entry-row.tsx'

/** Everything that can be found, the newest first. */
export function Entries() {
  const [filters, form] = useEntryFilters()
  const ask = (after?: string) => answerOf(api.knowledge.entries.$get({ query: { ...filters, after } }))
  const loaded = useData(`entries ${JSON.stringify(filters)}`, () => ask(), ['knowledge'])
  const { items, more, trouble } = useMore(loaded, ask)
  return (
    <>
      {form}
      <Shown loaded={loaded}>
        {() =>
          items.length === 0 ? (
            <Empty command="ralph knowledge capture --help">
              No such entry. The loop captures what solved a failure, gates what people say; by hand:
            </Empty>
          ) : (
            <List
              items={items}
              label="Entries"
              keyOf={({ id }) => id}
              hrefOf={({ id }) => addressOf('/knowledge', id)}
            >
              {(entry) => (
                <EntryRow entry={entry}>
                  <span>
                    {entry.successCount} {entry.successCount === 1 ? 'success' : 'successes'}, helped{' '}
                    {entry.helped}, misled {entry.misled}
                  </span>
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
