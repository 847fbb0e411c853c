import { useLayoutEffect } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { agentLabel } from '../../../../transcripts/agents.ts'
import { dollars, wholeNumber } from '../../charts/numbers.ts'
import { offer } from '../../keyboard.ts'
import { useAddressPart } from '../../kit/address.ts'
import { OutcomeBadge } from '../../kit/badge.tsx'
import { useData } from '../../kit/data.ts'
import { durationWords } from '../../kit/duration.ts'
import { featureHref, iterationHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Shown } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { useTitle } from '../../kit/title.ts'
import { journalOf } from '../feature/ask.ts'
import '../feature/feature.css'
import { askIteration, type IterationAnswer } from './ask.ts'
import { Did } from './did.tsx'
import { Left } from './left.tsx'
import { ToldToRun } from './told.tsx'
import './iteration.css'

/** One iteration: what it was told, what it did, what it left. */
export default function Iteration() {
  const { feature = '', number = '' } = useRoute().params
  useTitle(`Iteration ${number} · ${feature}`)
  const [id] = useAddressPart('id')
  const which = { feature, number, ...(id && { id }) }
  const loaded = useData(
    JSON.stringify(['iteration', which]),
    (signal) => askIteration(which).record(signal),
    [journalOf(feature)],
  )
  return (
    <Shown loaded={loaded} heading="Iteration">
      {(answer) => (
        <>
          <Head feature={feature} answer={answer} />
          <section aria-labelledby="told">
            <h2 id="told">What it was told</h2>
            <ToldToRun which={which} />
          </section>
          <section aria-labelledby="did">
            <h2 id="did">What it did</h2>
            <Did feature={feature} record={answer.record} />
          </section>
          <section aria-labelledby="left">
            <h2 id="left">What it left</h2>
            <Left which={which} answer={answer} />
          </section>
        </>
      )}
    </Shown>
  )
}

function Head({ feature, answer }: { feature: string; answer: IterationAnswer }) {
  const { record, ending, twins, withoutMemory } = answer
  const { iterationNumber, taskId, taskTitle, kind, outcome, timestamp, agent, modelTier } = record
  return (
    <>
      <p class="crumbs">
        <a href={featureHref(feature)}>
          <Remembered text={feature} />
        </a>
      </p>
      <h1>
        Iteration {iterationNumber} <OutcomeBadge outcome={outcome} />
      </h1>
      <p class="words">
        <Remembered text={taskTitle} />{' '}
        {kind === 'task' ? (
          <a href={featureHref(feature, { task: `${taskId}` })}>task {taskId}</a>
        ) : (
          <span class="dim">{kind}</span>
        )}
      </p>
      <p class="facts">
        <span>
          <Time at={timestamp} />, it <Remembered text={ending} />
        </span>
        {record.durationMs !== undefined && <span>{durationWords(record.durationMs)}</span>}
        {record.costUsd !== undefined && <span>{dollars(record.costUsd)}</span>}
        {record.tokensUsed !== undefined && <span>{wholeNumber(record.tokensUsed)} tokens</span>}
        <span>
          <Remembered text={[agent && agentLabel(agent), modelTier].filter(Boolean).join(', ')} />
        </span>
        {withoutMemory !== undefined && <span>{withoutMemory}</span>}
      </p>
      {twins.length > 0 && (
        <p class="dim">
          The journal holds {twins.length + 1} records of this number, as after a merge. The others:{' '}
          {twins.map((twin) => (
            <a key={twin.id} href={iterationHref(feature, iterationNumber, twin.id)}>
              {twin.id} <Remembered text={twin.taskTitle} />
            </a>
          ))}
        </p>
      )}
      <Neighbours feature={feature} answer={answer} />
    </>
  )
}

function Neighbours({ feature, answer }: { feature: string; answer: IterationAnswer }) {
  const { route } = useLocation()
  const { previous, next, previousOnTask, nextOnTask } = answer
  useLayoutEffect(() => {
    const go = (number: number | undefined) => () => {
      if (number !== undefined) route(iterationHref(feature, number))
    }
    const ends = [
      offer({ keys: 'p', does: 'the iteration before', run: go(previous) }),
      offer({ keys: 'n', does: 'the iteration after', run: go(next) }),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [feature, previous, next])
  const link = (number: number | undefined, words: string, key?: string) =>
    number !== undefined && (
      <a href={iterationHref(feature, number)}>
        {words} ({number}) {key && <kbd>{key}</kbd>}
      </a>
    )
  return (
    <nav class="line" aria-label="Other iterations">
      {link(previous, 'the one before', 'p')}
      {link(next, 'the one after', 'n')}
      {previousOnTask !== previous && link(previousOnTask, 'before on this task')}
      {nextOnTask !== next && link(nextOnTask, 'next on this task')}
    </nav>
  )
}
