import { setTimeout as sleep } from 'node:timers/promises'
import { isRalphError, RalphError } from '../errors.ts'

/** How long somebody is willing to wait for a service in trouble. */
export interface Patience {
  retries: number
  /** The first wait; each further one is twice as long. */
  firstWaitMs: number
  /** Asked to wait longer than this, we give up at once. */
  longestWaitMs: number
}

export interface RetryOptions {
  patience: Patience
  signal?: AbortSignal | undefined
  onRetry?: (error: RalphError, waitMs: number) => void
  /** Whether to try again after this error, which may succeed later; always unless told. */
  isWorthwhile?: (error: RalphError) => boolean
  /** Between 0 and 1; spreads the retries of many clients. */
  random?: () => number
}

/** Tries again what may succeed later, after the time the service asked for, or else with growing, uneven waits. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { patience, signal, onRetry, isWorthwhile = () => true, random = Math.random }: RetryOptions,
): Promise<Result> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRalphError(error) || !error.retryable || retry >= patience.retries || signal?.aborted)
        throw error
      if (!isWorthwhile(error)) throw error
      // From half to the whole of the step, on top of whatever the service asked for.
      const step = patience.firstWaitMs * 2 ** retry * (0.5 + random() / 2)
      const waitMs = error.retryAfterMs === undefined ? step : error.retryAfterMs + step
      if (waitMs > patience.longestWaitMs) throw error
      onRetry?.(error, waitMs)
      await wait(waitMs, signal)
    }
  }
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {})
  } catch (error) {
    throw new RalphError('cancelled', 'cancelled', { cause: error })
  }
}
