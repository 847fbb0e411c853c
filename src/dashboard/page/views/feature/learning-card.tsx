import { useState } from 'preact/hooks'
import { Action } from '../../kit/action.tsx'
import { useAddressPart } from '../../kit/address.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { featureHref, iterationHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Time } from '../../kit/time.tsx'
import { session } from '../../session.ts'
import type { LearningLine } from './ask.ts'
import { careFor } from './care.ts'
import { LearningForm } from './learning-form.tsx'

const SOURCES: Record<LearningLine['source'], { tone: Tone; words: string; title: string }> = {
  human: { tone: 'accent', words: 'a person', title: 'Put into words by a person on this machine' },
  opus_reviewed: {
    tone: 'accent',
    words: 'a reviewer',
    title: 'Written or confirmed by a review of the loop',
  },
  agent: { tone: 'plain', words: 'an agent', title: 'An agent noted it; nobody has checked that' },
  auto: { tone: 'plain', words: 'seen by itself', title: 'Worked out from what checks reported' },
  repository: {
    tone: 'warn',
    words: 'the repository',
    title: 'It came with the files of the project: nobody here has said or seen it',
  },
}

/** One learning with where it comes from, and what a person can do with it. */
/** What a person has said needs nobody to look at it again. */
export function awaitsReview({ source, reviewed }: LearningLine): boolean {
  return !reviewed && source !== 'human'
}

export function LearningCard({ feature, learning }: { feature: string; learning: LearningLine }) {
  const [editing, setEditing] = useState(false)
  const care = careFor(feature, learning.id)
  const { id } = learning
  if (editing) return <LearningForm feature={feature} learning={learning} onEnd={() => setEditing(false)} />
  return (
    <div data-learning={id}>
      <p class="words">
        <Remembered text={learning.text} />
      </p>
      <Provenance feature={feature} learning={learning} />
      {!session.value?.readOnly && (
        <div class="actions">
          {awaitsReview(learning) && (
            <span data-key="a">
              <Action run={care.approve} changes={['board']} kind="primary">
                Approve
              </Action>
            </span>
          )}
          <span data-key="e">
            <button type="button" onClick={() => setEditing(true)}>
              Edit
            </button>
          </span>
          <span data-key="x">
            <Action run={care.remove} changes={['board']} confirm="Delete it for good?">
              Delete
            </Action>
          </span>
        </div>
      )}
    </div>
  )
}

export function Provenance({ feature, learning }: { feature: string; learning: LearningLine }) {
  const { source, reviewed, hitCount, remarks, reason, iteration, taskId, created, decided, edited, error } =
    learning
  const [chosen] = useAddressPart('learning')
  const { tone, words, title } = SOURCES[source]
  return (
    <>
      <p class="line">
        <Badge tone={tone} title={title}>
          {words}
        </Badge>
        {reviewed && <Badge tone="good">✓ reviewed</Badge>}
        {awaitsReview(learning) && <Badge tone="warn">not reviewed</Badge>}
        {hitCount > 1 && <Badge>seen {hitCount} times</Badge>}
        {taskId !== undefined && <Badge>task {taskId} only</Badge>}
        {remarks.map((remark) => (
          <Badge key={remark} tone="warn">
            <Remembered text={remark} />
          </Badge>
        ))}
        {chosen === learning.id && <Badge tone="accent">the one you came for</Badge>}
        <span class="end dim">{learning.id}</span>
      </p>
      <p class="dim">
        because: <Remembered text={reason} />
      </p>
      <p class="dim line">
        {iteration !== undefined && (
          <span>
            from <a href={iterationHref(feature, iteration)}>iteration {iteration}</a>
          </span>
        )}
        {error !== undefined && (
          <span>
            tells of <a href={featureHref(feature, { tab: 'errors', error })}>error {error}</a>
          </span>
        )}
        {created && (
          <span>
            noted <Time at={created} />
          </span>
        )}
        {edited && (
          <span>
            put into other words by <Decider {...edited} />; before that {SOURCES[edited.formerly].words}
          </span>
        )}
        {decided && !edited && (
          <span>
            decided by <Decider {...decided} />
          </span>
        )}
      </p>
    </>
  )
}

const WAYS: Record<string, string> = {
  terminal: 'at a terminal',
  command: 'by a command',
  library: 'through a program',
  page: 'on the dashboard',
  review: 'in a review',
}

interface DeciderProps {
  account: string
  saidToBe?: string | undefined
  how: string
  at: string
}

function Decider({ account, saidToBe, how, at }: DeciderProps) {
  return (
    <>
      <Remembered text={saidToBe ? `${account} (said to be ${saidToBe})` : account} /> {WAYS[how]},{' '}
      <Time at={at} />
    </>
  )
}
