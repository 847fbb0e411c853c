import { once } from 'node:events'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { dashboardWorld } from '../support/dashboard.ts'
import { rawRequest } from '../support/raw-request.ts'
import { tried } from './tried.ts'

/** Bytes at the dashboard's door that no browser sends: what one reader takes for one request, another takes for two. */
async function world() {
  const dashboard = await dashboardWorld()
  const { port, ralph, project } = dashboard
  const gate = await ralph.knowledge.gates.request({
    project,
    taskId: 1,
    gateType: 'review',
    approach: 'a form',
  })
  const isWaiting = async () => (await ralph.knowledge.gates.show(gate.id)).state === 'waiting'
  const { headers } = await rawRequest(port, { path: `/${new URL(dashboard.dashboard.address).search}` })
  const cookie = headers['set-cookie']![0]!.split(';')[0]!
  const send = (bytes: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.end(bytes)
    return textOf(socket).catch(() => '')
  }
  return { port, gate, isWaiting, cookie, send, project }
}

describe('requests in disguise', () => {
  const HIDDEN = (gate: string, port: number) =>
    `POST /api/gates/${gate}/approve HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\n\r\n`

  it('approve nothing: no second request is found in the body of a first', async () => {
    const { port, gate, isWaiting, cookie, send } = await world()
    const first = (extra: string) =>
      `GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n${extra}\r\n`
    const hidden = HIDDEN(gate.id, port)
    const tricks = [
      `${first(`Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`)}0\r\n\r\n${hidden}`,
      `${first(`Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n`)}0\r\n\r\n${hidden}`,
      `${first(`Transfer-Encoding: xchunked\r\n`)}0\r\n\r\n${hidden}`,
      `${first(`Transfer-Encoding : chunked\r\n`)}0\r\n\r\n${hidden}`,
      `${first(`Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`)}${hidden}`,
      `${first(`Content-Length: +${hidden.length}\r\n`)}${hidden}`,
      `GET /api/session HTTP/1.1\nHost: 127.0.0.1:${port}\n\n${hidden}`,
      `GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: a\r\n\tOrigin: b\r\n\r\n${hidden}`,
      `GET http://127.0.0.1:${port}/api/session HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
      `GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\n\r\n`,
      `GET /api/session HTTP/1.0\r\n\r\n`,
      `GET /api/session HTTP/2.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03`,
      `${hidden}${hidden}`,
    ]
    tried(tricks.length)
    for (const trick of tricks) {
      const answer = await send(trick)
      expect(await isWaiting(), JSON.stringify(trick)).toBe(true)
      if (!trick.includes(cookie)) expect(answer, trick).not.toMatch(/^HTTP\/1\.1 200/m)
    }
  })

  it('with headers that never end are cut off', async () => {
    const { port, send, cookie } = await world()
    const request = `GET /api/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n`
    for (const header of [
      `X: ${'a'.repeat(100_000)}`,
      `${'a'.repeat(100_000)}: x`,
      `Cookie: ${'a=b; '.repeat(20_000)}`,
    ])
      expect(await send(`${request}${header}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431|^$/)
    expect(await send(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 (?:431|414)|^$/,
    )
    expect((await rawRequest(port, { path: '/api/session', headers: { cookie } })).status).toBe(200)
  })

  it('with a cookie among strange ones get no more than its worth', async () => {
    const { port, cookie, project } = await world()
    const [name, value] = cookie.split('=') as [string, string]
    const wrong = [
      ...[
        `${name}=x; ${name}=y`,
        `${name.toUpperCase()}=${value}`,
        `${name}="${value}x"`,
        `${name}%3d${value}`,
      ],
      ...[`__Host-${name}=${value}`, ` =${value}`, `${name}=${encodeURIComponent(`${value}\0`)}`],
    ]
    tried(wrong.length)
    for (const one of wrong) {
      const answer = await rawRequest(port, { path: '/api/session', headers: { cookie: one } })
      expect(answer.status, one).toBe(403)
      expect(answer.text).not.toContain(project)
    }
  })
})

describe('a flood of listeners', () => {
  it('is refused beyond what anybody has open, keeps nobody else from the page, and is forgotten when it ends', async () => {
    const { port, cookie } = await world()
    const flood = 130
    tried(flood)
    const listen = (key: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(`GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${key}\r\n\r\n`)
      const status = once(socket, 'data').then(([chunk]) =>
        Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]),
      )
      return { socket, status }
    }
    const statuses = async (ones: { status: Promise<number> }[]) =>
      Promise.all(ones.map(({ status }) => status))
    const strangers = Array.from({ length: 20 }, () => listen('ralph=none'))
    expect(new Set(await statuses(strangers))).not.toContain(200)
    const listeners = Array.from({ length: flood }, () => listen(cookie))
    const answers = await statuses(listeners)
    expect(answers.filter((status) => status === 200)).toHaveLength(100)
    expect(answers.filter((status) => status === 409)).toHaveLength(flood - 100)
    expect((await rawRequest(port, { path: '/api/session', headers: { cookie } })).status).toBe(200)
    for (const { socket } of [...strangers, ...listeners]) socket.destroy()
    await vi.waitFor(async () => {
      const { socket, status } = listen(cookie)
      expect(await status.finally(() => socket.destroy())).toBe(200)
    })
  })
})
