import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'

const HEARTBEAT_MS = 15_000

/** Server-sent events: which parts have changed, in whatever process. */
export function liveApi() {
  return new Hono().get('/', (c) =>
    streamSSE(c, async (stream) => {
      while (!stream.aborted) {
        await stream.writeSSE({ event: 'alive', data: '' })
        await stream.sleep(HEARTBEAT_MS)
      }
    }),
  )
}
