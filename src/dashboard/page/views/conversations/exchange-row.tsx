import type { InferResponseType } from 'hono/client'
import type { api } from '../../client.ts'
import { Badge } from '../../kit/badge.tsx'
import { exchangeHref } from '../../kit/memory-address.ts'
import { Remembered } from '../../kit/remembered.tsx'
import { Time } from '../../kit/time.tsx'
import { Votes } from './votes.tsx'

export type Exchange = InferResponseType<typeof api.conversations.conversation.$get, 200>['exchanges'][number]

/** A message, its answer, and the way to all that happened in between. */
export function ExchangeRow({ exchange }: { exchange: Exchange }) {
  const { id, position, status, startedAt, completedAt, userMessage, assistantMessage, steps, isCut } =
    exchange
  return (
    <div class="exchange">
      <div class="dim line">
        <span>{position + 1}</span>
        {(startedAt ?? completedAt) && <Time at={startedAt ?? completedAt} />}
        {status !== 'completed' && <Badge tone="warn">{status}</Badge>}
        <a class="grow" href={exchangeHref(id)}>
          {steps > 0 ? `${steps} ${steps === 1 ? 'step' : 'steps'} in between` : 'open'}
        </a>
        <Votes id={id} votes={exchange.votes} of="exchange" />
      </div>
      <Said by="user" text={userMessage} />
      <Said by="assistant" text={assistantMessage} />
      {isCut && (
        <p>
          <a href={exchangeHref(id)}>A text is cut here: read it in full</a>
        </p>
      )}
    </div>
  )
}

/** Who said what. */
export function Said({ by, text }: { by: 'user' | 'assistant'; text: string }) {
  return (
    <div class={`said ${by}`}>
      <span class="who">{by}</span>
      {text === '' ? <span class="dim">(no answer)</span> : <Remembered text={text} />}
    </div>
  )
}
