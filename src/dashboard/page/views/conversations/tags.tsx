import { useState } from 'preact/hooks'
import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { Remembered } from '../../kit/remembered.tsx'
import { session } from '../../session.ts'

/** What a conversation is filed under. */
export function Tags({ id, tags, isOwn }: { id: string; tags: readonly string[]; isOwn: boolean }) {
  const [tag, setTag] = useState('')
  const add = () => answerOf(api.conversations.tags.$post({ json: { id, tag } }))
  const remove = (name: string) => () =>
    answerOf(api.conversations.tags.$delete({ query: { id, tag: name } }))
  return (
    <div class="tags">
      {tags.length > 0 && (
        <ul aria-label="Tags">
          {tags.map((name) => (
            <li key={name} class="badge accent">
              <a href={`/conversations?${new URLSearchParams({ tag: name })}`}>
                <Remembered text={name} />
              </a>
              {isOwn && (
                <Action changes={['conversations']} run={remove(name)}>
                  <span aria-hidden="true">×</span>
                  <span class="unseen-label">take the tag {name} away</span>
                </Action>
              )}
            </li>
          ))}
        </ul>
      )}
      {isOwn && !session.value?.readOnly && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            event.currentTarget.querySelector<HTMLButtonElement>('.action button')?.click()
          }}
        >
          <label>
            <span class="unseen-label">New tag</span>
            <input
              type="text"
              placeholder="new tag"
              maxLength={60}
              value={tag}
              onInput={(event) => setTag(event.currentTarget.value)}
            />
          </label>{' '}
          <Action
            changes={['conversations']}
            disabled={tag.trim() === ''}
            run={add}
            onDone={() => setTag('')}
          >
            Add tag
          </Action>
        </form>
      )}
    </div>
  )
}
