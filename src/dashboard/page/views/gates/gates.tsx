import { answerOf, api } from '../../client.ts'
import { useAddressPart } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { List } from '../../kit/list.tsx'
import { More, useMore } from '../../kit/more.tsx'
import { addressOf } from '../../kit/path.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { Time } from '../../kit/time.tsx'
import { GateState } from './gate-state.tsx'
import './gates.css'

const STATES = ['waiting', 'decided'] as const

/** Work that waits for a person, the longest first, and what was decided. */
export default function Gates() {
  const [tab] = useAddressPart('tab', 'waiting')
  const state = STATES.find((one) => one === tab) ?? 'waiting'
  const ask = (after?: string) => answerOf(api.gates.$get({ query: { state, after } }))
  const loaded = useData(`gates ${state}`, () => ask(), ['gates'])
  const { items, more, trouble } = useMore(loaded, ask)
  return (
    <>
      <h1>Gates</h1>
      <Tabs
        label="Gates"
        tabs={[
          { id: 'waiting', title: 'Waiting', count: loaded.data?.waiting },
          { id: 'decided', title: 'Decided' },
        ]}
      />
      <Shown loaded={loaded}>
        {() =>
          items.length === 0 ? (
            <NoGates state={state} />
          ) : (
            <List
              items={items}
              label={state === 'waiting' ? 'Work that waits for you' : 'What was decided'}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => addressOf('/gates', id)}
            >
              {(gate) => (
                <>
                  <div class="line">
                    <strong class="grow">
                      <Remembered text={`${gate.taskId} ${gate.taskTitle}`} />
                    </strong>
                    {gate.state !== 'waiting' && <GateState state={gate.state} />}
                    <span class="dim">
                      <Time at={gate.decidedAt ?? gate.createdAt} />
                    </span>
                  </div>
                  <div class="dim line">
                    <span>
                      <Remembered text={gate.gateType} />, attempt {gate.attempt}
                    </span>
                    <span>
                      <Remembered text={gate.feature} />
                    </span>
                  </div>
                  <p class="clamped">
                    <Remembered text={gate.feedback || gate.approach} />
                  </p>
                </>
              )}
            </List>
          )
        }
      </Shown>
      <More more={more} trouble={trouble} />
    </>
  )
}

function NoGates({ state }: { state: (typeof STATES)[number] }) {
  return state === 'waiting' ? (
    <Empty command="ralph gate request TASK --gate-type review">
      Nothing waits for you. A loop puts finished tasks here when the setting loop.gate names a gate; by hand:
    </Empty>
  ) : (
    <Empty command="ralph gate">
      Nothing has been decided in this project yet. What waits, from the shell:
    </Empty>
  )
}
