import { describe, expect, it } from 'vitest'
import { HELLO, raw, recent, shop } from './mcp-server.ts'

describe('a rude client', { timeout: 120_000 }, () => {
  it('gets answers or silence, never a crash, and never a stray byte', async () => {
    const server = await raw(await shop())
    server.send(HELLO)
    await server.answer(1)
    for (const text of [
      'not json\n',
      '{"jsonrpc":"2.0","id":\n',
      '\n\n\r\n',
      '{}\n[]\nnull\n5\n"x"\n',
      '[{"jsonrpc":"2.0","id":90,"method":"ping"}]\n',
      '{"jsonrpc":"1.0","id":91,"method":"ping"}\n',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n',
      '{"jsonrpc":"2.0","id":92}\n',
      '{"jsonrpc":"2.0","method":"notifications/nonsense","params":{"x":1}}\n',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}\n',
      '{"jsonrpc":"2.0","id":93,"result":{}}\n',
      '\u0000\u0001\ufffe\n',
      `{"jsonrpc":"2.0","id":94,"method":"ping","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`,
    ]) {
      server.sendText(text)
    }
    server.send({ id: 10, method: 'no/such/method' })
    server.send({ id: 11, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } })
    server.send({
      id: 12,
      method: 'tools/call',
      params: { name: 'search_feature_memory', arguments: 'zebra' },
    })
    server.send({ id: 13, method: 'tools/call', params: {} })
    server.send({ id: 14, method: 'tools/call', params: { name: '__proto__', arguments: {} } })
    server.send({ id: 15, method: 'resources/read', params: { uri: 5 } })
    server.send({ id: 16, method: 'tools/call', params: { name: 'constructor', arguments: {} } })
    for (let id = 10; id <= 16; id++) {
      const { error, result } = await server.answer(id)
      expect(error ?? (result.isError === true ? result : undefined), `request ${id}`).toBeDefined()
    }
    server.send(recent(20))
    expect((await server.answer(20)).result.structuredContent.iterations).toHaveLength(1)
    for (const line of server.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })

  it('may send a line of twelve megabytes, with and without an end', async () => {
    const server = await raw(await shop())
    server.send(HELLO)
    await server.answer(1)
    const long = 'a'.repeat(12_000_000)
    server.sendText(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"${long}","id":9}}\n`)
    server.sendText(`{"method":"ping","params":{"x":"${long}","id":9},"jsonrpc":"2.0","id":4}\n`)
    server.send(recent(3))
    expect((await server.answer(3)).result.isError).toBeUndefined()
    for (const id of [2, 4]) {
      const error = { code: -32_600, message: expect.stringContaining('longer than 8000000 bytes') }
      expect(await server.answer(id)).toMatchObject({ error })
    }
    server.sendText('x'.repeat(12_000_000))
    server.child.stdin!.end()
    expect(await server.exited).toBe(0)
  })

  it('may cancel, repeat and shuffle', async () => {
    const server = await raw(await shop())
    server.send(HELLO)
    await server.answer(1)
    for (let id = 100; id < 150; id++) {
      server.send({
        id,
        method: 'tools/call',
        params: { name: 'search_feature_memory', arguments: { query: 'zebra' } },
      })
      if (id % 2)
        server.send({
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'changed my mind' },
        })
    }
    server.send(HELLO)
    server.send(recent(200))
    expect((await server.answer(200)).result.structuredContent.iterations).toHaveLength(1)
    for (let id = 100; id < 150; id += 2)
      expect((await server.answer(id)).result.structuredContent.results).toHaveLength(1)
  })
})
