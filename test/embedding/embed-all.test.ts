import { describe, expect, it } from 'vitest'
import { embedAll, embedInBatches } from '../../src/embedding/embed-all.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { RalphError } from '../../src/errors.ts'

const QUICK = { retries: 3, firstWaitMs: 1, longestWaitMs: 50 }

/** Encodes a text as its number, and remembers what it was asked. */
class NumberEmbedder implements Embedder {
  readonly id = 'numbers'
  readonly model = 'numbers'
  readonly dimensions = 1
  readonly calibration = [
    [0, 0],
    [1, 1],
  ] as const
  readonly usage = { requests: 0, texts: 0, tokens: 0, costUsd: 0 }
  readonly maxBatch: number
  readonly batches: string[][] = []
  readonly failures: unknown[]

  constructor(maxBatch: number, ...failures: unknown[]) {
    this.maxBatch = maxBatch
    this.failures = failures
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.batches.push([...texts])
    const failure = this.failures.shift()
    if (failure) throw failure
    return texts.map((text) => Float32Array.of(Number(text)))
  }
  check = () => Promise.resolve({ ok: true, detail: '' })
  close = () => Promise.resolve()
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))
const busy = () => new RalphError('unavailable', 'busy', { retryable: true })

describe('embedAll', () => {
  it('hands over as many texts as the embedder takes, and keeps their order', async () => {
    const embedder = new NumberEmbedder(4)
    const progress: string[] = []
    const vectors = await embedAll(embedder, numbers(10), {
      onProgress: (done, total) => progress.push(`${done}/${total}`),
    })
    expect(vectors.map(([value]) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(embedder.batches.map((batch) => batch.length)).toEqual([4, 4, 2])
    expect(progress).toEqual(['4/10', '8/10', '10/10'])
  })

  it('asks nothing for nothing', async () => {
    const embedder = new NumberEmbedder(4)
    expect(await embedAll(embedder, [])).toEqual([])
    expect(embedder.batches).toEqual([])
  })

  it('repeats only the batch that failed', async () => {
    const embedder = new NumberEmbedder(2, undefined, busy(), busy())
    const retries: string[] = []
    const vectors = await embedAll(embedder, numbers(4), {
      patience: QUICK,
      onRetry: ({ message }) => retries.push(message),
    })
    expect(vectors).toHaveLength(4)
    expect(embedder.batches.map(([first]) => first)).toEqual(['0', '2', '2', '2'])
    expect(retries).toEqual(['busy', 'busy'])
  })

  it('stops between batches when cancelled', async () => {
    const embedder = new NumberEmbedder(1)
    const cancel = new AbortController()
    const work = embedAll(embedder, numbers(5), {
      signal: cancel.signal,
      onProgress: (done) => done === 2 && cancel.abort(),
    })
    await expect(work).rejects.toMatchObject({ code: 'cancelled' })
    expect(embedder.batches).toHaveLength(2)
  })
})

describe('embedInBatches', () => {
  it('gives each batch as soon as it is done, so that it can be kept before the next fails', async () => {
    const embedder = new NumberEmbedder(2, undefined, new RalphError('invalid_input', 'no'))
    const kept: number[] = []
    const work = async () => {
      for await (const { start, vectors } of embedInBatches(embedder, numbers(4))) {
        kept.push(...vectors.map((_, index) => start + index))
      }
    }
    await expect(work()).rejects.toThrow('no')
    expect(kept).toEqual([0, 1])
  })
})
