import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HELD_BACK } from '../../src/held-back.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { readReceipts } from '../../src/receipts/read.ts'
import { callTool } from '../mcp/support.ts'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
import { needs } from '../support/needs.ts'
import { runRalph } from '../support/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

interface Shop {
  project: string
  home: string
  ralph: Ralph
  env: Record<string, string>
  args: (...more: string[]) => Promise<string[]>
}

/** A project with one iteration in memory. Searches go by words: no test here is about meaning. */
async function shop(env: Record<string, string> = { RALPH_EMBEDDER: 'none' }): Promise<Shop> {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  const home = join(root, 'home')
  makeCheckout(project)
  await mkdir(home)
  const ralph = await openRalph({ project, home, onNotice: () => undefined, env })
  onTestFinished(() => ralph.close())
  await ralph.featureMemory.recordIteration(
    newIteration({ feature: 'auth', summary: 'The zebra validator fails.' }),
  )
  const args = async (...more: string[]) => [await builtCommand(), 'mcp', `--project=${project}`, ...more]
  return {
    project,
    home,
    ralph,
    args,
    env: { PATH: process.env['PATH']!, HOME: home, RALPH_HOME: home, ...env },
  }
}

async function connect(
  { args, env }: Shop,
  more: string[] = ['--feature=auth'],
  modern = false,
): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: await args(...more),
    env,
    stderr: 'ignore',
  })
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    modern ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

interface Message {
  id: number
  result: {
    isError?: boolean
    structuredContent: { iterations: unknown[]; results: unknown[]; outcome: string }
  }
  error?: { code: number; message: string }
}

interface Raw {
  child: ChildProcess
  send: (message: unknown) => void
  sendText: (text: string) => void
  /** The answer to a request, by its id. */
  answer: (id: number) => Promise<Message>
  /** Every line on standard output so far, each of which must be JSON-RPC. */
  lines: string[]
  stderr: () => string
  exited: Promise<number | null>
}

/** The server with nothing between us and its pipes. */
async function raw({ args, env }: Shop, more: string[] = ['--feature=auth']): Promise<Raw> {
  const child = spawn(process.execPath, await args(...more), { env, stdio: 'pipe' })
  const lines: string[] = []
  const waiting = new Map<number, (message: Message) => void>()
  const known = new Map<number, Message>()
  let stderr = ''
  child.stderr!.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin!.on('error', () => undefined)
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line)
    const message: Message = JSON.parse(line)
    known.set(message.id, message)
    waiting.get(message.id)?.(message)
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const sendText = (text: string) => void child.stdin!.write(text)
  return {
    child,
    lines,
    stderr: () => stderr,
    sendText,
    send: (message) => sendText(`${JSON.stringify({ jsonrpc: '2.0', ...(message as object) })}\n`),
    answer: (id) =>
      known.has(id) ? Promise.resolve(known.get(id)!) : new Promise((resolve) => waiting.set(id, resolve)),
    exited: once(child, 'exit').then(([code]) => code as number | null),
  }
}

const HELLO = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const recent = (id: number) => ({
  id,
  method: 'tools/call',
  params: { name: 'get_recent_iterations', arguments: {} },
})
const learn = (id: number, text: string) => ({
  id,
  method: 'tools/call',
  params: { name: 'append_feature_learning', arguments: { text, reason: 'seen in a test' } },
})

/** Asks again when the time of a call runs out: on a busy machine that is no failure of the server. */
async function insist(server: Raw, from: number, request: (id: number) => unknown) {
  for (let attempts = 1; ; attempts++) {
    server.send(request(from + attempts))
    const { result } = await server.answer(from + attempts)
    if (!result.isError) return { attempts, answer: result.structuredContent }
    expect(JSON.stringify(result)).toMatch(/within \d+ s/)
  }
}

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
