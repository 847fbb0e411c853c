import { setTimeout as sleep } from 'node:timers/promises'
import type { RateLimitFacts } from '../transcripts/agent-run.ts'

export interface BackOffLimits {
  firstMs: number
  longestMs: number
  /** A reset time further away than this is not believed. */
  longestResetMs: number
}

const BACK_OFF: BackOffLimits = {
  firstMs: 30_000,
  longestMs: 15 * 60_000,
  longestResetMs: 8 * 24 * 3_600_000, // a weekly quota, and a day
}

/** A little later than promised: clocks differ, and so many others wait for the same moment. */
const MARGIN_MS = 5_000
const JITTER = 0.2

/** When to try again after the `attempt`th rate limit in a row (from 1): when the quota is renewed, else ever later. */
export function retryAt(
  facts: RateLimitFacts,
  attempt: number,
  now: number,
  limits: BackOffLimits = BACK_OFF,
  random: () => number = Math.random,
): Date {
  const reset = facts.resetsAt === undefined ? Number.NaN : Date.parse(facts.resetsAt)
  if (reset > now && reset - now <= limits.longestResetMs) {
    return new Date(reset + Math.min(MARGIN_MS, limits.firstMs))
  }
  const wait = Math.min(limits.longestMs, limits.firstMs * 2 ** (attempt - 1))
  return new Date(now + wait * (1 + JITTER * random()))
}

export async function waitUntil(time: Date, signal: AbortSignal | undefined): Promise<void> {
  // In slices: a single timer would be wrong after the machine has slept, and cannot hold more than 24 days.
  while (Date.now() < time.getTime() && !signal?.aborted) {
    const slice = Math.min(time.getTime() - Date.now(), 30_000)
    await sleep(slice, undefined, signal && { signal }).catch(() => undefined) // aborted
  }
}
