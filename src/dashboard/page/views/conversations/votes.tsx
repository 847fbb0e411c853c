import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { balance } from './conversation-words.ts'

/** For or against: it ranks higher or lower when it is looked for. */
export function Votes({ id, votes, of }: { id: string; votes: number; of: 'conversation' | 'exchange' }) {
  const cast = (vote: 'up' | 'down') => () => answerOf(api.conversations.votes.$post({ json: { id, vote } }))
  return (
    <span class="votes">
      <Action changes={['conversations']} run={cast('up')}>
        <span aria-hidden="true">▲</span>
        <span class="unseen-label">this {of} helped</span>
      </Action>
      <span title="votes for it less votes against it">
        <span class="unseen-label">votes </span>
        {balance(votes)}
      </span>
      <Action changes={['conversations']} run={cast('down')}>
        <span aria-hidden="true">▼</span>
        <span class="unseen-label">this {of} did not help</span>
      </Action>
    </span>
  )
}
