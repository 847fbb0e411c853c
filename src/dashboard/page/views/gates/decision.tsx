import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { answerOf, api } from '../../client.ts'
import { offer } from '../../keyboard.ts'
import { Action } from '../../kit/action.tsx'
import { session } from '../../session.ts'

/** Approve, or send back with words: in sight wherever one has read to. */
export function Decision({ id }: { id: string }) {
  const [isRejecting, setRejecting] = useState(false)
  const param = { id: encodeURIComponent(id) }
  const changes = ['gates', 'knowledge', 'board'] as const
  useLayoutEffect(() => offer({ keys: 'r', does: 'send this work back', run: () => setRejecting(true) }), [])
  if (session.value?.readOnly) return null
  return (
    <section class="decision card" aria-label="Decide">
      {isRejecting ? (
        <Rejection
          reject={(feedback) => answerOf(api.gates[':id'].reject.$post({ param, json: { feedback } }))}
          cancel={() => setRejecting(false)}
        />
      ) : (
        <div class="actions">
          <Action
            kind="primary"
            shortcut={{ keys: 'a', does: 'approve this work' }}
            confirm="Approve this work? It cannot be taken back."
            changes={changes}
            run={() => answerOf(api.gates[':id'].approve.$post({ param }))}
          >
            Approve
          </Action>
          <button type="button" class="danger" onClick={() => setRejecting(true)}>
            Send back <kbd>r</kbd>
          </button>
          <span class="dim">Kept as decided by your account, on the dashboard.</span>
        </div>
      )}
    </section>
  )
}

function Rejection(props: { reject: (feedback: string) => Promise<unknown>; cancel: () => void }) {
  const { reject, cancel } = props
  const [feedback, setFeedback] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <form ref={form} onSubmit={(event) => event.preventDefault()}>
      <label>
        What has to be different? It stands in the task's next prompt.
        <textarea
          ref={field}
          required
          value={feedback}
          maxLength={2_000}
          onInput={(event) => setFeedback(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') cancel()
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              form.current?.querySelector<HTMLButtonElement>('.action button')?.click()
          }}
        />
      </label>
      <div class="actions">
        <Action
          kind="danger"
          disabled={feedback.trim() === ''}
          changes={['gates', 'knowledge', 'board']}
          run={() => reject(feedback)}
        >
          Send back <kbd>ctrl enter</kbd>
        </Action>
        <button type="button" onClick={cancel}>
          Cancel <kbd>esc</kbd>
        </button>
      </div>
    </form>
  )
}
