import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOllamaEmbedder } from '../../src/embedding/ollama.ts'
import { RalphError } from '../../src/errors.ts'
import { LEFT_ALONE_MS, SilentServices } from '../../src/services/silent-services.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { temporaryFolder } from '../support/temporary.ts'

const service = { name: 'Example', url: 'http://127.0.0.1:9/x' }
const silence = () => Promise.reject(new RalphError('timeout', 'did not answer in time', { retryable: true }))

/** Two processes of a user: nothing in common but the folder and the time of day. */
async function twoProcesses() {
  const folder = join(await temporaryFolder(), 'silent')
  const time = { now: 1_000_000 }
  const open = () => new SilentServices({ folder, clock: () => time.now })
  return { folder, time, one: open(), other: open() }
}

describe('services that hang', () => {
  it('are waited for once by all processes, for half a minute from the last time', async () => {
    const { time, one, other } = await twoProcesses()
    await expect(one.ask(service, silence)).rejects.toThrow('did not answer in time')
    time.now += LEFT_ALONE_MS - 1_000
    for (const process of [one, other]) {
      let asked = false
      const work = async () => {
        asked = true
      }
      await expect(process.ask(service, work)).rejects.toMatchObject({
        code: 'timeout',
        message: 'Example at http://127.0.0.1:9/x did not answer in time and is left alone for another 1 s',
        retryable: true,
        retryAfterMs: 1_000,
      })
      expect(asked).toBe(false)
    }
    expect(other.leftAloneMs('http://127.0.0.1:9/y')).toBe(0)
    time.now += 1_000
    await expect(other.ask(service, silence)).rejects.toThrow('did not answer in time')
    time.now += LEFT_ALONE_MS - 1
    expect(one.leftAloneMs(service.url)).toBe(1)
  })

  it.each([
    ['answers', () => Promise.resolve('here'), 0],
    ['refuses', () => Promise.reject(new RalphError('unavailable', 'refused the key')), 0],
    [
      'is not waited for to the end',
      () => Promise.reject(new RalphError('cancelled', 'cancelled')),
      LEFT_ALONE_MS,
    ],
  ])('one that %s when it is checked', async (_, answer, left) => {
    const { folder, one, other } = await twoProcesses()
    one.fellSilent(service.url)
    await other.heard(service.url, answer as () => Promise<unknown>).catch(() => undefined)
    expect(one.leftAloneMs(service.url)).toBe(left)
    expect(readdirSync(folder)).toHaveLength(left === 0 ? 0 : 1)
  })

  it('leave no heap of old files behind, and none that another writes', async () => {
    const { folder, time, one } = await twoProcesses()
    for (let at = 0; at < 5; at++) one.fellSilent(`http://127.0.0.1:${at}`)
    writeFileSync(join(folder, 'being-written.tmp'), '')
    time.now += LEFT_ALONE_MS + 1
    one.fellSilent(service.url)
    expect(readdirSync(folder)).toHaveLength(2)
    expect(readFileSync(join(folder, 'being-written.tmp'), 'utf8')).toBe('')
  })

  it.each(['', 'nonsense', '-5', String(Number.MAX_SAFE_INTEGER)])(
    'are asked when what was written down is damaged (%j)',
    async (content) => {
      const { folder, one, other } = await twoProcesses()
      one.fellSilent(service.url)
      writeFileSync(join(folder, readdirSync(folder)[0]!), content)
      expect(other.leftAloneMs(service.url)).toBe(0)
    },
  )

  it('are remembered by the process itself where nothing can be written', async () => {
    const inTheWay = join(await temporaryFolder(), 'a-file')
    writeFileSync(inTheWay, '')
    const readOnly = join(await temporaryFolder(), 'read-only')
    mkdirSync(readOnly)
    chmodSync(readOnly, 0o500)
    for (const folder of [undefined, join(inTheWay, 'silent'), join(readOnly, 'silent')]) {
      const silent = new SilentServices({ folder, clock: () => 5 })
      await expect(silent.ask(service, silence)).rejects.toThrow()
      expect(silent.leftAloneMs(service.url), String(folder)).toBe(LEFT_ALONE_MS)
      silent.answered(service.url)
      expect(silent.leftAloneMs(service.url)).toBe(0)
    }
  })

  it('keep no second embedder waiting', async () => {
    const folder = await temporaryFolder()
    const ollama = await startOllama()
    const open = () =>
      openOllamaEmbedder({
        url: ollama.url,
        timeouts: { embedMs: 1_000 },
        silent: new SilentServices({ folder }),
      })
    const [one, other] = [await open(), await open()]
    await one.embed(['the first loads the library'], 'query')
    ollama.next({ hang: true })
    await expect(one.embed(['x'], 'query')).rejects.toMatchObject({ code: 'timeout' })
    await expect(other.embed(['x'], 'query')).rejects.toThrow(/left alone/)
    expect(ollama.requests).toHaveLength(2)
    expect(await other.check()).toMatchObject({ ok: true })
    expect(await one.embed(['x'], 'query')).toHaveLength(1)
    await ollama.close()
  })

  it('are remembered when somebody has no more time to wait, not when he does not want to', async () => {
    const ollama = await startOllama()
    for (const { reason, left } of [
      { reason: new DOMException('no more time', 'TimeoutError'), left: true },
      { reason: undefined, left: false },
    ]) {
      const silent = new SilentServices()
      const embedder = await openOllamaEmbedder({ url: ollama.url, silent })
      ollama.next({ hang: true })
      const stop = new AbortController()
      const asked = ollama.requests.length
      const embedding = embedder.embed(['x'], 'query', stop.signal).catch(() => undefined)
      while (ollama.requests.length === asked) await new Promise(setImmediate)
      stop.abort(reason)
      await embedding
      const again = await embedder.embed(['x'], 'query').catch((error: RalphError) => error.message)
      expect(typeof again === 'string' && again.includes('left alone')).toBe(left)
      // The server itself was not asked whether it is there: its other models may be.
      expect(silent.leftAloneMs(ollama.url)).toBe(0)
    }
    await ollama.close()
  })
})
