import { differingAgents } from '../../../../transcripts/agents.ts'
import { wholeNumber } from '../../charts/numbers.ts'
import { useAddress } from '../../kit/address.ts'
import { useAgain } from '../../kit/again.ts'
import { OUTCOMES } from '../../kit/badge.tsx'
import { Choices } from '../../kit/choices.tsx'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { iterationHref } from '../../kit/memory-address.ts'
import { More, useMore } from '../../kit/more.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { askAbout, journalOf } from './ask.ts'
import { IterationFacts } from './iteration-line.tsx'
import { Trend } from './trend.tsx'

/** What was done, the newest first. */
export function Timeline({ feature }: { feature: string }) {
  const [address, change] = useAddress()
  const { outcome, kind, task, file } = address
  const query = { outcome, kind, task, file }
  const key = JSON.stringify(['iterations', feature, query])
  const first = useData(key, (signal) => askAbout(feature).iterations(query, signal), [journalOf(feature)])
  const { items, more, trouble } = useMore(first, (after) =>
    askAbout(feature).iterations({ ...query, after }),
  )
  const agents = differingAgents(items.map(({ agent }) => agent))
  const counting = first.data?.counting ?? false
  useAgain(counting, first)
  const filtered = Object.values(query).some((part) => part !== undefined)
  return (
    <>
      {!filtered && <Trend feature={feature} />}
      <div class="filters">
        <Choices
          label="Outcome"
          choices={Object.entries(OUTCOMES).map(([id, { sign, word }]) => ({ id, name: `${sign} ${word}` }))}
          chosen={outcome?.split(',') ?? []}
          choose={(chosen) => change({ outcome: chosen.join(',') })}
        />
        <label>
          <span class="unseen-label">Kind</span>
          <select value={kind ?? ''} onChange={(event) => change({ kind: event.currentTarget.value })}>
            <option value="">every kind</option>
            <option value="task">on a task</option>
            <option value="review">reviews</option>
            <option value="session">sessions by hand</option>
          </select>
        </label>
        {task !== undefined && <Taken name={`task ${task}`} drop={() => change({ task: '' })} />}
        {file !== undefined && <Taken name={file} drop={() => change({ file: '' })} />}
      </div>
      <Shown loaded={first}>
        {({ matching, all }) =>
          items.length === 0 ? (
            <Nothing feature={feature} filtered={filtered} />
          ) : (
            <>
              {filtered && (
                <p class="dim" role="status">
                  {wholeNumber(matching ?? 0)} of {wholeNumber(all ?? 0)} iterations
                </p>
              )}
              <List
                items={items.map((line, at) => ({ line, agent: agents[at] }))}
                label="Iterations"
                keyOf={({ line }) => `${line.iterationNumber} ${line.timestamp}`}
                hrefOf={({ line }) => iterationHref(feature, line.iterationNumber)}
              >
                {({ line, agent }) => <IterationFacts line={line} agent={agent} />}
              </List>
              {counting && (
                <p class="dim" role="status">
                  The older ones are being counted…
                </p>
              )}
              <More more={more} trouble={trouble} />
            </>
          )
        }
      </Shown>
    </>
  )
}

/** A filter that was chosen elsewhere, and how to be rid of it. */
function Taken({ name, drop }: { name: string; drop: () => void }) {
  return (
    <button type="button" class="taken" onClick={drop} aria-label={`Show not only ${name}`}>
      <Remembered text={name} /> <span aria-hidden="true">×</span>
    </button>
  )
}

function Nothing({ feature, filtered }: { feature: string; filtered: boolean }) {
  if (filtered) return <Empty>No iteration is like that. Take a filter away to see more.</Empty>
  return (
    <Empty command="ralph loop">
      Nobody has worked on <Remembered text={feature} /> yet. The loop records what it does here, and so do
      the hooks of your own sessions (<code>ralph hooks install</code>).
    </Empty>
  )
}
