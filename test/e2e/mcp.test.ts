import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HELD_BACK } from '../../src/held-back.ts'
import { readReceipts } from '../../src/receipts/read.ts'
import { callTool } from '../mcp/support.ts'
import { needs } from '../support/needs.ts'
import { runRalph } from '../support/ralph.ts'
import { connect, HELLO, insist, learn, raw, recent, shop } from './mcp-server.ts'

describe('ralph mcp', { timeout: 120_000 }, () => {
  const WITHHELD = { RALPH_LOOP_RUN: 'run-1', RALPH_LOOP_MEMORY: 'withheld' }

  it('tells nothing in a run that goes without memory, and keeps what it learns', async () => {
    const place = await shop()
    const env = { ...place.env, ...WITHHELD }
    const client = await connect({ ...place, env })
    expect(client.getServerCapabilities()).not.toHaveProperty('resources')
    expect(client.getInstructions()).toBe(HELD_BACK)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['append_feature_learning'])
    const learning = { text: 'Zebras have to be awaited', reason: 'the test hung without' }
    for (let times = 0; times < 2; times++)
      expect(await callTool(client, 'append_feature_learning', learning)).toMatchObject({
        structured: { outcome: 'kept' },
        text: 'kept',
      })
    expect(await readFile(join(place.project, '.ralph', 'db', 'features.yaml'), 'utf8')).toContain(
      learning.text,
    )
    const reader = await connect({ ...place, env, args: (...more) => place.args(...more, '--read-only') })
    expect(reader.getServerCapabilities()).not.toHaveProperty('tools')
  })

  it('nor where the program that starts it hands on none of its environment', async () => {
    needs('environments')
    const place = await shop()
    const start = `const { PATH, HOME, RALPH_HOME, RALPH_EMBEDDER } = process.env
      require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit', env: { PATH, HOME, RALPH_HOME, RALPH_EMBEDDER } })`
    const through = {
      ...place,
      args: async (...more: string[]) => ['-e', start, ...(await place.args(...more))],
    }
    const told = await connect(through)
    expect((await told.listTools()).tools.length).toBeGreaterThan(0)
    const withheld = await connect({ ...through, env: { ...place.env, ...WITHHELD } })
    expect(withheld.getInstructions()).toBe(HELD_BACK)
  })

  it('serves all tools with schemas and annotations', async () => {
    const client = await connect(await shop())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'append_feature_learning',
      'get_failed_attempts',
      'get_feature_files',
      'get_recent_iterations',
      'remove_feature_learning',
      'search_feature_memory',
      'update_feature',
    ])
    for (const tool of tools) {
      expect(tool.description!.length).toBeLessThan(400)
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
      expect(tool.inputSchema.properties ?? {}).not.toHaveProperty('feature')
      const reads = tool.name.startsWith('get_') || tool.name.startsWith('search_')
      expect(tool.annotations).toMatchObject({ readOnlyHint: reads, openWorldHint: false })
      expect(tool.annotations!.destructiveHint).toBe(/^(remove|update)_/.test(tool.name))
    }
    expect(client.getInstructions()!.length).toBeLessThan(2_000)
    expect(client.getInstructions()).toContain('verify')
  })

  it.each([false, true])('answers both eras of the protocol (modern: %s)', async (modern) => {
    const client = await connect(await shop(), undefined, modern)
    expect(await callTool(client, 'search_feature_memory', { query: 'zebra' })).toMatchObject({
      structured: { results: [{ iteration: 1 }] },
    })
    expect((await client.listResources()).resources).toHaveLength(1)
    expect(client.getNegotiatedProtocolVersion()! >= '2026-01-01').toBe(modern)
  })

  it('takes the run from its flag, for the receipts', async () => {
    const place = await shop()
    const client = await connect(place, ['--feature=auth', '--run=iteration-9'])
    await callTool(client, 'get_recent_iterations', {})
    const { receipts } = await readReceipts(place.ralph.config.paths.receipts)
    expect(receipts).toMatchObject([{ run: 'iteration-9', surface: 'mcp' }])
  })

  it('has written what it acknowledged, also when it is killed right after', async () => {
    const place = await shop()
    const server = await raw(place)
    server.send(HELLO)
    server.send(learn(2, 'Pagination starts at page zero'))
    expect((await server.answer(2)).result.structuredContent.outcome).toBe('added')
    server.child.kill('SIGKILL')
    await server.exited
    const yaml = await readFile(join(place.ralph.config.paths.database, 'features.yaml'), 'utf8')
    expect(yaml).toContain('Pagination starts at page zero')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('goes away on %s', async (signal) => {
    needs('signals')
    const server = await raw(await shop())
    server.send(HELLO)
    await server.answer(1)
    server.child.kill(signal)
    expect(await server.exited).toBe(0)
  })

  it('goes away when its client does, and finishes the write under way', async () => {
    const place = await shop()
    const server = await raw(place)
    server.send(HELLO)
    await server.answer(1)
    server.send(learn(2, 'The cart is kept in local storage'))
    // The request has arrived once the next one is answered.
    server.send({ id: 3, method: 'ping' })
    await server.answer(3)
    server.child.stdin!.end()
    expect(await server.exited).toBe(0)
    const { learnings } = await place.ralph.board.feature('auth')
    expect(learnings).toHaveLength(1)
  })

  it('goes away when nobody reads its answers any more', async () => {
    const server = await raw(await shop())
    server.send(HELLO)
    await server.answer(1)
    server.child.stdout!.destroy()
    for (let id = 2; id < 40; id++) server.send(recent(id))
    expect(await server.exited).toBe(0)
  })
})

describe('many at once', { timeout: 240_000 }, () => {
  it('twenty clients on one project all read and write, and nothing is lost', async () => {
    const place = await shop()
    const animals =
      'ant bear cat dog eel fox goat hen ibex jay koala lynx mole newt owl pig quail rat seal toad'.split(' ')
    const outcomes = await Promise.all(
      animals.map(async (animal, at) => {
        const server = await raw(place, at % 2 ? ['--feature=auth'] : ['--feature=auth', `--run=run-${at}`])
        server.send(HELLO)
        const text = `The ${animal} module keeps its own ${animals[(at + 7) % 20]} queue`
        const [read, written] = await Promise.all([
          insist(server, 100, recent),
          insist(server, 200, (id) => learn(id, text)),
        ])
        server.child.stdin!.end()
        await server.exited
        return {
          read: read.answer.iterations.length,
          // What was not confirmed in time may be stored all the same.
          written:
            written.attempts > 1 && written.answer.outcome === 'known' ? 'added' : written.answer.outcome,
        }
      }),
    )
    expect(outcomes).toEqual(animals.map(() => ({ read: 1, written: 'added' })))
    expect((await place.ralph.board.feature('auth')).learnings).toHaveLength(20)
  })
})

describe('a backend that does not answer', { timeout: 120_000 }, () => {
  it('costs a line in the answer, not the answer', async () => {
    // Accepts, and never says a word.
    const silent = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as { port: number }
    const place = await shop({ RALPH_EMBEDDER: 'ollama', RALPH_EMBEDDER_URL: `http://127.0.0.1:${port}` })
    const client = await connect(place)
    const search = await callTool(client, 'search_feature_memory', { query: 'zebra' })
    expect(search.isError).toBeUndefined()
    expect(search.structured['problem']).toBeTruthy()
    expect((await callTool(client, 'get_recent_iterations', {})).structured['iterations']).toHaveLength(1)
  })
})

describe('ralph mcp config', { timeout: 120_000 }, () => {
  it('writes a config that starts the very server', async () => {
    const place = await shop()
    const command = (...args: string[]) =>
      runRalph(['mcp', 'config', ...args], { cwd: place.project, home: place.home })
    expect(await command('--feature', 'auth', '--write')).toMatchObject({ code: 0 })
    const { ralph } = JSON.parse(await readFile(join(place.project, '.mcp.json'), 'utf8')).mcpServers
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({
        command: ralph.command,
        args: ralph.args,
        env: place.env,
        stderr: 'ignore',
      }),
    )
    onTestFinished(() => client.close())
    expect((await callTool(client, 'get_recent_iterations', {})).structured['iterations']).toHaveLength(1)
    expect(await command('--remove')).toMatchObject({ code: 0, stdout: expect.stringContaining('Removed') })
    const printed = await command('--client', 'codex')
    expect(printed.stdout).toContain('[mcp_servers.ralph]')
    expect(printed.stderr).toContain('config.toml')
    expect(await command('--client', 'emacs')).toMatchObject({ code: 2 })
  })
})
