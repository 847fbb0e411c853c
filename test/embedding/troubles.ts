import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Embedder } from '../../src/embedding/embedder.ts'
import type { EmbeddingService, Misbehaviour } from '../stand-ins/embedding-service.ts'

type Open = (
  service: EmbeddingService,
  options: { timeouts?: { embedMs?: number; checkMs?: number } },
) => Promise<Embedder>

/** Everything a service on a network can do to us, with what we make of it. */
export function describeTroubles(name: string, start: () => Promise<EmbeddingService>, open: Open): void {
  describe(`${name} in trouble`, () => {
    let service: EmbeddingService
    let embedder: Embedder

    beforeEach(async () => {
      service = await start()
      embedder = await open(service, { timeouts: { embedMs: 1_500, checkMs: 1_500 } })
    })
    afterEach(() => service.close())

    const asked = (kind: 'query' | 'document' = 'query') => embedder.embed(['a text', 'another'], kind)

    it.each<[string, Misbehaviour, RegExp]>([
      ['a web page', { page: 200 }, /web page/],
      ['plain text', { text: 'hello' }, /answered with/],
      ['half an answer', { cut: true }, /not JSON|answered with/],
      ['another shape', { body: { result: 'ok' } }, /answered with/],
      ['null', { body: null }, /answered with/],
      ['too few vectors', { vectors: (vectors) => vectors.slice(1) }, /1 vectors for 2 texts/],
      ['too many vectors', { vectors: (vectors) => [...vectors, vectors[0]] }, /3 vectors for 2 texts/],
      ['other dimensions', { dimensions: 10 }, /10 dimensions where \d+ belong/],
      ['vectors of nothing', { vectors: (vectors) => vectors.map(() => null) }, /answered with/],
      [
        'numbers that are none',
        {
          vectors: (vectors) =>
            vectors.map((vector) => vector.map((value, index) => (index === 5 ? null : value))),
        },
        /answered with/,
      ],
      [
        'vectors of zeros',
        { vectors: (vectors) => vectors.map((vector) => vector.map(() => 0)) },
        /without length/,
      ],
    ])('refuses %s, and says where to look', async (_, misbehaviour, message) => {
      service.next(misbehaviour)
      const error = await asked().catch((reason) => reason)
      expect(error).toMatchObject({ name: 'RalphError', code: 'unavailable', retryable: false })
      expect(error.message).toMatch(message)
      expect(error.hint).toContain(service.url)
      expect(await asked()).toHaveLength(2)
    })

    it.each<[number, string, boolean]>([
      [422, 'invalid_input', false],
      [401, 'unavailable', false],
      [403, 'unavailable', false],
      [404, 'not_found', false],
      [429, 'unavailable', true],
      [500, 'unavailable', true],
      [503, 'unavailable', true],
    ])('makes a clear error of status %i', async (status, code, retryable) => {
      const message = status === 404 ? 'model "x" not found, try pulling it first' : `status ${status}`
      service.next({ status, message }, { status, message })
      const error = await asked().catch((reason) => reason)
      expect(error).toMatchObject({ name: 'RalphError', code, retryable })
      expect(error.message).not.toContain('\n')
      if (status !== 422) expect(error.hint).toBeTruthy()
    })

    it('tries again once for a question', async () => {
      service.next({ status: 500 })
      expect(await asked()).toHaveLength(2)
      expect(service.requests).toHaveLength(2)
    })

    it('tries again more often for documents', async () => {
      service.next(
        { status: 503, headers: { 'retry-after': '0' } },
        { status: 429, headers: { 'retry-after-ms': '1' } },
      )
      expect(await asked('document')).toHaveLength(2)
      expect(service.requests).toHaveLength(3)
    })

    it('does not let a question wait for a rate limit to pass', async () => {
      service.next({ status: 429, headers: { 'retry-after': '30' } })
      await expect(asked()).rejects.toMatchObject({ retryable: true, retryAfterMs: 30_000 })
      expect(service.requests).toHaveLength(1)
    })

    it('understands a date to wait for', async () => {
      const inAMinute = new Date(Date.now() + 60_000).toUTCString()
      service.next({ status: 429, headers: { 'retry-after': inAMinute } })
      const { retryAfterMs } = await asked().catch((reason) => reason)
      expect(retryAfterMs).toBeGreaterThan(50_000)
      expect(retryAfterMs).toBeLessThanOrEqual(60_000)
    })

    it('does not wait for ever for a server that accepts and never answers', async () => {
      service.next({ hang: true }, { hang: true })
      await expect(asked()).rejects.toMatchObject({ code: 'timeout', retryable: true })
      service.next({ hang: true })
      expect(await embedder.check()).toMatchObject({ ok: false, detail: expect.stringContaining('in time') })
      service.hang(true)
      expect(await embedder.check()).toMatchObject({ ok: false, detail: expect.stringContaining('in time') })
    })

    it('lets only the first wait for a server that never answers, and hears it again when it does', async () => {
      service.next({ hang: true })
      await expect(asked()).rejects.toMatchObject({ code: 'timeout' })
      const before = service.requests.length
      await expect(asked()).rejects.toMatchObject({ code: 'timeout' })
      expect(service.requests).toHaveLength(before)
      expect(await embedder.check()).toMatchObject({ ok: true })
      expect(await asked()).toHaveLength(2)
    })

    it('can be cancelled while it waits', async () => {
      service.next({ delayMs: 200 })
      const cancel = new AbortController()
      const work = embedder.embed(['x'], 'query', cancel.signal)
      setTimeout(() => cancel.abort(), 20)
      await expect(work).rejects.toMatchObject({ code: 'cancelled' })
    })

    it('says that nobody is there, and works again when somebody is', async () => {
      const { url } = service
      await service.close()
      const error = await asked().catch((reason) => reason)
      expect(error).toMatchObject({ code: 'unavailable', retryable: true })
      expect(error.message).toMatch(/cannot be reached.*ECONNREFUSED/)
      expect(error.message).toContain(url)
      expect(await embedder.check()).toMatchObject({ ok: false, hint: expect.any(String) })
      await service.restart()
      expect(await asked()).toHaveLength(2)
      expect(await embedder.check()).toMatchObject({ ok: true })
    })
  })
}
