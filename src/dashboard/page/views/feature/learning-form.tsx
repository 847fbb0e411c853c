import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Action } from '../../kit/action.tsx'
import type { LearningLine } from './ask.ts'
import { careFor } from './care.ts'

const LONGEST = 500

interface FormProps {
  feature: string
  learning: LearningLine
  onEnd: () => void
}

/** A person's own words for a learning. */
export function LearningForm({ feature, learning, onEnd }: FormProps) {
  const [text, setText] = useState(learning.text)
  const [reason, setReason] = useState(learning.reason)
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => area.current?.focus(), [])
  const words = {
    ...(text !== learning.text && { text }),
    ...(reason !== learning.reason && { reason }),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onEnd()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      (event.currentTarget as Element).querySelector<HTMLButtonElement>('button.primary')?.click()
  }
  return (
    <fieldset class="learning-form" data-learning={learning.id} onKeyDown={onKeyDown}>
      <legend class="unseen-label">Edit the learning</legend>
      <label>
        What it says
        <textarea
          ref={area}
          maxLength={LONGEST}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label>
        Why it is worth knowing
        <textarea
          maxLength={LONGEST}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <p class="dim">
        It becomes yours: reviewed, with your name. What says the same or the opposite is looked for again.{' '}
        <kbd>Ctrl Enter</kbd> saves, <kbd>Esc</kbd> leaves it as it was.
      </p>
      <div class="actions">
        <Action
          kind="primary"
          run={() => careFor(feature, learning.id).edit(words)}
          changes={['board']}
          disabled={Object.keys(words).length === 0}
          onDone={onEnd}
        >
          Save
        </Action>
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </fieldset>
  )
}
