import { answerOf, api } from '../../client.ts'
import { Action } from '../../kit/action.tsx'
import { Badge } from '../../kit/badge.tsx'
import { Remembered } from '../../kit/remembered.tsx'

interface Shareable {
  shared?: true | undefined
  from?: string | undefined
}

/** That others see it, or whose it is. */
export function SharedBadge({ of: { shared, from } }: { of: Shareable }) {
  if (from !== undefined)
    return (
      <Badge tone="accent">
        shared by <Remembered text={from} />
      </Badge>
    )
  return shared ? <Badge tone="accent">shared</Badge> : null
}

/** Lets the team read it, or takes it back. */
export function ShareAction({ conversation: { id, shared } }: { conversation: Shareable & { id: string } }) {
  const change = () => answerOf(api.conversations.sharing.$post({ json: { id, shared: !shared } }))
  return (
    <Action
      changes={['conversations']}
      confirm={shared ? undefined : 'Let everybody who uses this database read this conversation?'}
      run={change}
    >
      {shared ? 'Keep it to yourself again' : 'Share with the team'}
    </Action>
  )
}
