import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished } from 'vitest'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
export interface Shop {
  project: string
  home: string
  ralph: Ralph
  env: Record<string, string>
  args: (...more: string[]) => Promise<string[]>
}

/** A project with one iteration in memory. Searches go by words: no test here is about meaning. */
export async function shop(env: Record<string, string> = { RALPH_EMBEDDER: 'none' }): Promise<Shop> {
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

export async function connect(
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

export interface Raw {
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
export async function raw({ args, env }: Shop, more: string[] = ['--feature=auth']): Promise<Raw> {
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

export const HELLO = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
export const recent = (id: number) => ({
  id,
  method: 'tools/call',
  params: { name: 'get_recent_iterations', arguments: {} },
})
export const learn = (id: number, text: string) => ({
  id,
  method: 'tools/call',
  params: { name: 'append_feature_learning', arguments: { text, reason: 'seen in a test' } },
})

/** Asks again when the time of a call runs out: on a busy machine that is no failure of the server. */
export async function insist(server: Raw, from: number, request: (id: number) => unknown) {
  for (let attempts = 1; ; attempts++) {
    server.send(request(from + attempts))
    const { result } = await server.answer(from + attempts)
    if (!result.isError) return { attempts, answer: result.structuredContent }
    expect(JSON.stringify(result)).toMatch(/within \d+ s/)
  }
}
