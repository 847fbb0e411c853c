import { execFile } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { outliving } from '../../src/services/outliving.ts'
import { patientFetch } from '../../src/services/patient-fetch.ts'

/** Answers when it is told to, and knows who has hung up. */
async function loading() {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => resolve(response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const module = (name: string) => new URL(`../../src/services/${name}.ts`, import.meta.url).href

describe('a request that outlives its patience', () => {
  it('goes on when who asked has no more time, and is answered', async () => {
    const { url, asked } = await loading()
    const stop = new AbortController()
    const { promise: answered, resolve } = Promise.withResolvers<string>()
    const asking = outliving(stop.signal, 60_000, async (signal) => {
      const text = await (await patientFetch(url, { signal })).text()
      resolve(text)
      return text
    })
    const response = await asked
    stop.abort(new DOMException('late', 'TimeoutError'))
    await expect(asking).rejects.toThrow('late')
    response.end('loaded')
    expect(await answered).toBe('loaded')
  })

  it.each([
    ['who asked does not want it any more', 60_000, 'AbortError'],
    ['its own time is over', 1_500, 'TimeoutError'],
  ])('ends when %s', async (_, ownMs, name) => {
    const { url, asked } = await loading()
    const stop = new AbortController()
    const asking = outliving(stop.signal, ownMs, (signal) => patientFetch(url, { signal }))
    const failed = expect(asking).rejects.toMatchObject({ name })
    const response = await asked
    const hungUp = new Promise((resolve) => response.once('close', resolve))
    if (name === 'AbortError') stop.abort()
    await failed
    await hungUp
  })

  it('is not begun by who has given up already', async () => {
    let begun = false
    const work = async () => {
      begun = true
    }
    await expect(outliving(AbortSignal.abort(), 10, work)).rejects.toMatchObject({ name: 'AbortError' })
    expect(begun).toBe(false)
  })

  it('keeps no process from ending', async () => {
    const { url } = await loading()
    const code = `
      const { outliving } = await import(${JSON.stringify(module('outliving'))})
      const { patientFetch } = await import(${JSON.stringify(module('patient-fetch'))})
      const stop = new AbortController()
      setTimeout(() => stop.abort(new DOMException('late', 'TimeoutError')), 50)
      await outliving(stop.signal, 600_000, (signal) => patientFetch(${JSON.stringify(url)}, { signal })).catch(({ message }) => console.log(message))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    expect(stdout).toBe('late\n')
  })
})
