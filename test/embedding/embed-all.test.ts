import { describe, expect, it } from 'vitest'
import { embedAll } from '../../src/embedding/embed-all.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'

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
  onBatch: () => unknown = () => undefined

  constructor(maxBatch: number, ...failures: unknown[]) {
    this.maxBatch = maxBatch
    this.failures = failures
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.batches.push([...texts])
    this.onBatch()
    const failure = this.failures.shift()
    if (failure) throw failure
    return texts.map((text) => Float32Array.of(Number(text)))
  }
  check = () => Promise.resolve({ ok: true, detail: '' })
  close = () => Promise.resolve()
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe('embedAll', () => {
  it('hands over as many texts as the embedder takes, and keeps their order', async () => {
    const embedder = new NumberEmbedder(4)
    const vectors = await embedAll(embedder, numbers(10))
    expect(vectors.map(([value]) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(embedder.batches.map((batch) => batch.length)).toEqual([4, 4, 2])
  })

  it('asks nothing for nothing', async () => {
    const embedder = new NumberEmbedder(4)
    expect(await embedAll(embedder, [])).toEqual([])
    expect(embedder.batches).toEqual([])
  })

  it('leaves trying again to the embedder, who knows how long to wait', async () => {
    const embedder = new NumberEmbedder(2, undefined, new Error('busy'))
    await expect(embedAll(embedder, numbers(4))).rejects.toThrow('busy')
    expect(embedder.batches.map(([first]) => first)).toEqual(['0', '2'])
  })

  it('stops between batches when cancelled', async () => {
    const cancel = new AbortController()
    const embedder = new NumberEmbedder(1)
    embedder.onBatch = () => embedder.batches.length === 2 && cancel.abort()
    const work = embedAll(embedder, numbers(5), { signal: cancel.signal })
    await expect(work).rejects.toMatchObject({ code: 'cancelled' })
    expect(embedder.batches).toHaveLength(2)
  })
})
