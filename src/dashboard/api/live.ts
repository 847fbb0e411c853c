import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { RalphError } from '../../errors.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'

/** So that both sides notice a connection that is gone. */
const HEARTBEAT_MS = 15_000
/** How soon a browser connects again. */
const RETRY_MS = 2_000

/** Pages that listen at once. Nobody has so many open: what asks for more would keep all of us busy. */
const MOST_LISTENERS = 100

const Since = z.object({ after: z.string().max(100).optional() })

/**
 * Server-sent events: `changed` with the parts that have changed, in whatever process, and `alive` in between. Each has an
 * id to go on from: a browser that connects again hears what has changed meanwhile.
 */
export function liveApi({ changes }: DashboardContext) {
  let listeners = 0
  return new Hono().get('/', checked('query', Since), (c) => {
    const after = c.req.header('last-event-id') ?? c.req.valid('query').after
    if (listeners >= MOST_LISTENERS)
      throw new RalphError('limit_reached', `${MOST_LISTENERS} pages listen already`, {
        hint: 'Close some of them; this one shows what is new when it is loaded again.',
      })
    listeners++
    return streamSSE(c, async (stream) => {
      const gone = new AbortController()
      stream.onAbort(() => gone.abort())
      let position = ''
      const heartbeat = setInterval(
        () => void stream.writeSSE({ event: 'alive', data: '', id: position }),
        HEARTBEAT_MS,
      )
      try {
        for await (const change of changes.after(after, gone.signal)) {
          position = change.position
          const parts = change.parts ?? ['everything']
          const event = parts.length > 0 ? 'changed' : 'alive'
          await stream.writeSSE({ event, data: JSON.stringify(parts), id: position, retry: RETRY_MS })
        }
      } finally {
        listeners--
        clearInterval(heartbeat)
      }
    })
  })
}
