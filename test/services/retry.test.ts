import { describe, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { type Patience, withRetries } from '../../src/services/retry.ts'

const QUICK: Patience = { retries: 3, firstWaitMs: 2, longestWaitMs: 100 }

/** Fails with these errors, one after the other, then succeeds. */
function failing(...errors: unknown[]) {
  let calls = 0
  return {
    get calls() {
      return calls
    },
    attempt: async () => {
      const error = errors[calls++]
      if (error) throw error
      return 'done'
    },
  }
}

const busy = (retryAfterMs?: number) =>
  new RalphError('unavailable', 'busy', {
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })

describe('withRetries', () => {
  it('tries again what may succeed later', async () => {
    const { attempt } = failing(busy(), busy())
    expect(await withRetries(attempt, { patience: QUICK })).toBe('done')
  })

  it('waits longer each time, unevenly', async () => {
    const waits: number[] = []
    const { attempt } = failing(busy(), busy(), busy())
    const random = [0, 1, 0.5]
    await withRetries(attempt, {
      patience: QUICK,
      onRetry: (_, wait) => waits.push(wait),
      random: () => random.shift()!,
    })
    expect(waits).toEqual([1, 4, 6])
  })

  it('waits as long as the service asks for', async () => {
    const waits: number[] = []
    const { attempt } = failing(busy(30))
    await withRetries(attempt, { patience: QUICK, onRetry: (_, wait) => waits.push(wait) })
    expect(waits[0]).toBeGreaterThanOrEqual(30)
  })

  it('gives up when asked to wait longer than it is willing to', async () => {
    const run = failing(busy(60_000))
    await expect(withRetries(run.attempt, { patience: QUICK })).rejects.toThrow('busy')
    expect(run.calls).toBe(1)
  })

  it('gives up after so many retries', async () => {
    const run = failing(busy(), busy(), busy(), busy(), busy())
    await expect(withRetries(run.attempt, { patience: QUICK })).rejects.toThrow('busy')
    expect(run.calls).toBe(4)
  })

  it.each([new RalphError('invalid_input', 'wrong'), new Error('a mistake of ours')])(
    'does not try again what will not get better: %s',
    async (error) => {
      const run = failing(error)
      await expect(withRetries(run.attempt, { patience: QUICK })).rejects.toBe(error)
      expect(run.calls).toBe(1)
    },
  )

  it('stops waiting when cancelled', async () => {
    const cancel = new AbortController()
    const work = withRetries(failing(busy(50_000)).attempt, {
      patience: { ...QUICK, longestWaitMs: 100_000 },
      signal: cancel.signal,
      onRetry: () => cancel.abort(),
    })
    await expect(work).rejects.toMatchObject({ code: 'cancelled' })
  })
})
