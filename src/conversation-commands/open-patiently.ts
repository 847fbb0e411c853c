import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRalphError, throwIfAborted } from '../errors.ts'
import type { Notices } from '../notices.ts'

const AGAIN_AFTER_MS = 1_000
const WAITING = 'workers.start'

/** For what runs until it is ended: a storage that is down when it starts is waited for, and that is said once. */
export async function openPatiently<Service>(
  open: () => Promise<Service>,
  { notices, signal }: { notices: Notices; signal: AbortSignal },
): Promise<Service> {
  const ended = new AbortController()
  const aborted = once(signal, 'abort', { signal: ended.signal }).then(() => undefined)
  aborted.catch(() => undefined) // nobody waits for it any more
  try {
    for (;;) {
      throwIfAborted(signal)
      // Whoever ends it does not wait for an answer of the database.
      const opened = await Promise.race([opening(open), aborted])
      if (opened && 'service' in opened) {
        notices.recovered(WAITING)
        return opened.service
      }
      if (opened) {
        const { message, hint } = opened.trouble
        const said = `the workers wait and try again: ${message}`
        notices.once({ key: WAITING, message: said, ...(hint && { hint }) })
      }
      await Promise.race([sleep(AGAIN_AFTER_MS), aborted])
    }
  } finally {
    ended.abort()
  }
}

type Opening<Service> = { service: Service } | { trouble: { message: string; hint?: string | undefined } }

async function opening<Service>(open: () => Promise<Service>): Promise<Opening<Service>> {
  try {
    return { service: await open() }
  } catch (error) {
    if (!isRalphError(error) || !error.retryable) throw error
    return { trouble: error }
  }
}
