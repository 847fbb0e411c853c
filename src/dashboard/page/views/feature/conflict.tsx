import { Action } from '../../kit/action.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { session } from '../../session.ts'
import type { LearningLine } from './ask.ts'
import { careFor } from './care.ts'
import { Provenance } from './learning-card.tsx'

export type Pair = readonly [LearningLine, LearningLine]

/** Each two that contradict each other, once. */
export function conflictsIn(learnings: readonly LearningLine[]): Pair[] {
  return learnings.flatMap((one, at) =>
    learnings
      .slice(at + 1)
      .filter((other) => one.conflictsWith.includes(other.id) || other.conflictsWith.includes(one.id))
      .map((other): Pair => [one, other]),
  )
}

/** Two sides, and a person's decision between them. */
export function Conflict({ feature, pair }: { feature: string; pair: Pair }) {
  const [first] = pair
  return (
    <div class="sides">
      {pair.map((learning, at) => (
        <div key={learning.id} class="card">
          <p class="words">
            <Remembered text={learning.text} />
          </p>
          <Provenance feature={feature} learning={{ ...learning, remarks: [] }} />
          {!session.value?.readOnly && (
            <span data-key={at + 1}>
              <Action
                run={() => careFor(feature, learning.id).settle('keep_this')}
                changes={['board']}
                confirm={removalWords(learning)}
              >
                Keep this
              </Action>
            </span>
          )}
        </div>
      ))}
      {!session.value?.readOnly && (
        <p class="both" data-key="b">
          <Action run={() => careFor(feature, first.id).settle('keep_both')} changes={['board']}>
            Both stand
          </Action>{' '}
          <span class="dim">they only seem to contradict each other</span>
        </p>
      )}
    </div>
  )
}

/** It may contradict more than the one beside it: all of them would go. */
function removalWords({ conflictsWith }: LearningLine): string {
  return conflictsWith.length > 1
    ? `Delete the ${conflictsWith.length} others that it contradicts?`
    : 'Delete the other one?'
}
