import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onlyJsonLines } from '../../src/services/json-lines.ts'
import { patientFetch } from '../../src/services/patient-fetch.ts'

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a patient fetch', () => {
  it('sends what it is given and tells what came', async () => {
    const url = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (body) => {
        response.writeHead(418, 'Short and stout', {
          'x-seen': `${request.method} ${request.headers['x-mine']}`,
        })
        response.end(`${request.url} ${body}`)
      })
    })
    const headers = { 'X-Mine': 'yes' }
    const response = await patientFetch(new URL('/api/chat?a=1', url), {
      method: 'POST',
      headers,
      body: '{"ü":1}',
    })
    expect(response).toMatchObject({ status: 418, statusText: 'Short and stout', ok: false })
    expect(response.headers.get('x-seen')).toBe('POST yes')
    expect(await response.text()).toBe('/api/chat?a=1 {"ü":1}')
  })

  it('sends the name and the password of an address', async () => {
    const url = await serve((request, response) => void response.end(request.headers.authorization))
    const secret = url.replace('http://', 'http://me:se%20cret@')
    expect(await (await patientFetch(secret)).text()).toBe(`Basic ${btoa('me:se cret')}`)
  })

  it.each(['before it begins', 'before the answer', 'in the middle of it'])(
    'stops when told to: %s',
    async (when) => {
      const stop = new AbortController()
      const url = await serve((_, response) => {
        if (when === 'in the middle of it') response.write('half')
        else stop.abort(new Error('enough'))
      })
      if (when === 'before it begins') stop.abort(new Error('enough'))
      const asking = patientFetch(url, { signal: stop.signal })
      if (when !== 'in the middle of it') return expect(asking).rejects.toThrow('enough')
      const reader = (await asking).body!.getReader()
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('half')
      stop.abort(new Error('enough'))
      await expect(reader.read()).rejects.toThrow('enough')
    },
  )

  it('tells of a connection that is lost in the middle', async () => {
    const url = await serve((_, response) => {
      response.write('half', () => response.destroy())
    })
    await expect((await patientFetch(url)).text()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})

describe('lines of JSON', () => {
  const through = (...chunks: string[]) =>
    new Response(
      new Response(new Blob(chunks).stream()).body!.pipeThrough(onlyJsonLines(() => new Error('no JSON'))),
    ).text()

  it('pass as they are, wherever they are cut', async () => {
    for (const lines of ['{"a":1}\n{"b":"ü"}\n', '{"a":1}\n\n{"b":2}', ''])
      expect(await through(...lines)).toBe(lines)
  })

  it.each(['{"a":1}\n{"b', '{"a":1}\n<html>\n{"b":2}\n', '{"a"'])('end at %j', async (lines) => {
    await expect(through(lines)).rejects.toThrow('no JSON')
  })
})
