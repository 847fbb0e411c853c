import { useLayoutEffect } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { answerOf, api } from '../../client.ts'
import { offer } from '../../keyboard.ts'
import { useAddressPart } from '../../kit/address.ts'
import { useData } from '../../kit/data.ts'
import { addressOf } from '../../kit/path.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { Change } from './change.tsx'
import { Decision } from './decision.tsx'
import { GateState } from './gate-state.tsx'
import './gates.css'

type ShownGate = Awaited<ReturnType<typeof askForGate>>

function askForGate(id: string, whole: string) {
  const query = whole === 'yes' ? { whole: 'yes' as const } : {}
  return answerOf(api.gates[':id'].$get({ param: { id: encodeURIComponent(id) }, query }))
}

/** One piece of work, all that is needed to judge it, and the judgement. */
export default function Gate() {
  const { id = '' } = useRoute().params
  const [whole, setWhole] = useAddressPart('whole')
  const loaded = useData(`gate ${id} ${whole}`, () => askForGate(id, whole), ['gates'])
  return (
    <Shown loaded={loaded} heading="Gate">
      {(shown) => (
        <article class="gate">
          <Head shown={shown} />
          <Work shown={shown} />
          <Change
            change={shown.change}
            isWhole={whole === 'yes'}
            setWhole={(all) => setWhole(all ? 'yes' : '')}
          />
          {shown.gate.state === 'waiting' && <Decision key={id} id={id} />}
        </article>
      )}
    </Shown>
  )
}

/** Where to go on, without a look at the list in between. */
function Next({ id }: { id: string | undefined }) {
  const { route } = useLocation()
  const address = id === undefined ? '/gates' : addressOf('/gates', id)
  const does = id === undefined ? 'back to the list' : 'the next that waits'
  useLayoutEffect(() => offer({ keys: 'n', does, run: () => route(address) }), [address, route])
  return (
    <a href={address}>
      {id === undefined ? 'Nothing else waits' : 'Next that waits'} <kbd>n</kbd>
    </a>
  )
}

function Head({ shown: { gate, decision, next } }: { shown: ShownGate }) {
  const { taskId, taskTitle, gateType, attempt, feature, agentType, technology, createdAt, state } = gate
  return (
    <>
      <p class="line dim">
        <a class="grow" href="/gates">
          Gates
        </a>
        <Next id={next} />
      </p>
      <h1>
        <Remembered text={taskTitle || `Task ${taskId}`} />
      </h1>
      <p class="facts">
        <GateState state={state} />
        <span>
          <Remembered text={gateType} /> gate, attempt <strong>{attempt}</strong>
        </span>
        <span>
          task <Remembered text={taskId} />
          {feature && (
            <>
              {' of '}
              <a href={addressOf('/features', feature)}>
                <Remembered text={feature} />
              </a>
            </>
          )}
        </span>
        {[agentType, technology].filter(Boolean).map((name) => (
          <Remembered key={name} text={name} />
        ))}
        <span>
          asked <Time at={createdAt} />
        </span>
      </p>
      {decision && (
        <p class="card decided" role="status">
          <Remembered text={decision} />
        </p>
      )}
    </>
  )
}

function Work({ shown: { gate, earlier } }: { shown: ShownGate }) {
  return (
    <>
      {gate.feedback && (
        <section aria-label="Feedback">
          <h2>What has to be different</h2>
          <Remembered text={gate.feedback} />
        </section>
      )}
      {earlier.length > 0 && (
        <section aria-label="Said before">
          <h2>Asked for before</h2>
          <ul>
            {earlier.map(({ id, feedback, gateType, attempt }) => (
              <li key={id}>
                <a href={addressOf('/gates', id)}>
                  <Remembered text={gateType} />, attempt {attempt}
                </a>
                {': '}
                <Remembered text={feedback} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {gate.taskDescription && (
        <section aria-label="Task">
          <h2>The task</h2>
          <Remembered text={gate.taskDescription} />
        </section>
      )}
      <section aria-label="Approach">
        <h2>What was done</h2>
        <Remembered text={gate.approach} />
      </section>
    </>
  )
}
