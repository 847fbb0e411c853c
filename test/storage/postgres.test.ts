import { createServer, type Server } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { noPostgres, type PostgresServer, startPostgres } from '../stand-ins/postgres.ts'
import { skipBecause } from '../support/needs.ts'

let server: PostgresServer
beforeAll(async () => {
  if (noPostgres === undefined) server = await startPostgres()
})
beforeEach(() => skipBecause(noPostgres))
afterAll(() => server?.remove())

const put = (storage: Storage, key: string) =>
  storage.db.insertInto('settings').values({ key, value: '1', updated_at: 1 }).execute()
const keys = async (storage: Storage) =>
  (await storage.db.selectFrom('settings').select('key').orderBy('key').execute()).map((row) => row.key)

describe('a server that restarts', () => {
  for (const how of ['fast', 'immediate'] as const) {
    it(`(${how}) in the middle of a transaction: undone, said clearly, and the next one goes through`, async () => {
      const storage = await openPostgresStorage({ url: server.url })
      await storage.db.deleteFrom('settings').execute()
      await put(storage, 'acknowledged')
      const interrupted = storage.transaction(async (db) => {
        await db.insertInto('settings').values({ key: 'half', value: '1', updated_at: 1 }).execute()
        await server.stop(how)
        await db.insertInto('settings').values({ key: 'other half', value: '1', updated_at: 1 }).execute()
      })
      await expect(interrupted).rejects.toMatchObject({
        name: 'RalphError',
        code: 'unavailable',
        retryable: true,
      })
      await expect(put(storage, 'while down')).rejects.toMatchObject({ code: 'unavailable', retryable: true })
      expect(await storage.check()).toMatchObject({ ok: false, hint: expect.stringContaining('server runs') })
      await server.start()
      expect(await keys(storage)).toEqual(['acknowledged'])
      await put(storage, 'back')
      expect(await storage.check()).toMatchObject({ ok: true })
      await storage.close()
    })
  }

  it('while nobody asks anything goes unnoticed', async () => {
    const storage = await openPostgresStorage({ url: server.url })
    await storage.db.deleteFrom('settings').execute()
    await Promise.all(['a', 'b', 'c'].map((key) => put(storage, key)))
    await server.stop()
    await server.start()
    expect(await keys(storage)).toEqual(['a', 'b', 'c'])
    await storage.close()
  })
})

it('a statement that takes too long is cancelled, and the connection stays usable', async () => {
  const storage = await openPostgresStorage({ url: server.url, statementTimeoutMs: 100, poolSize: 1 })
  await expect(sql`select pg_sleep(20)`.execute(storage.db)).rejects.toMatchObject({ code: 'timeout' })
  expect(await storage.check()).toMatchObject({ ok: true })
  await storage.close()
})

describe('an address that cannot work is refused in one line with the next step', () => {
  const at = (change: (url: URL) => void) => {
    const url = new URL(server.url)
    change(url)
    return url.href
  }
  const refusal = async (url: string) => {
    const error = await openPostgresStorage({ url, connectTimeoutMs: 300 }).then(
      () => undefined,
      (reason) => reason,
    )
    expect(error).toMatchObject({ name: 'RalphError', hint: expect.any(String) })
    expect(`${error.message} ${error.hint}`).not.toContain('test-only')
    return error
  }
  const listen = async (answer: string): Promise<Server & { url: string }> => {
    const listener = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.on('data', () => answer && socket.write(answer))
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = listener.address() as { port: number }
    return Object.assign(listener, { url: at((url) => (url.port = String(port))) })
  }

  it.each(['not a url', 'mysql://localhost/x', ''])('%j is no address', async (url) => {
    expect(await refusal(url)).toMatchObject({ code: 'invalid_input' })
  })
  it('wrong password', async () => {
    const error = await refusal(at((url) => (url.password = 'wrong')))
    expect(error).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('password') })
  })
  it('no such database', async () => {
    const error = await refusal(at((url) => (url.pathname = '/nowhere')))
    expect(error).toMatchObject({ code: 'not_found', hint: 'Create it: createdb nowhere' })
  })
  it('nobody listens', async () => {
    expect(await refusal(at((url) => (url.port = '1')))).toMatchObject({
      code: 'unavailable',
      retryable: true,
    })
  })
  it('no such host', async () => {
    expect(await refusal(at((url) => (url.hostname = 'host.invalid')))).toMatchObject({ code: 'unavailable' })
  })
  it('no TLS there', async () => {
    const error = await refusal(at((url) => url.searchParams.set('sslmode', 'verify-full')))
    expect(error).toMatchObject({ code: 'unavailable', hint: expect.stringContaining('sslmode') })
  })
  it('a web server answers', async () => {
    const web = await listen('HTTP/1.1 400 Bad Request\r\n\r\n<html></html>')
    expect(await refusal(web.url)).toMatchObject({ code: 'unavailable' })
    web.close()
  })
  it('it accepts and never answers', async () => {
    const silent = await listen('')
    expect(await refusal(silent.url)).toMatchObject({ code: 'unavailable' })
    silent.close()
  })
})
