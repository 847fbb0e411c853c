import { flushCompileCache } from 'node:module'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { once } from '../deferred.ts'
import type { Caretaker } from '../learnings/care.ts'
import type { Ralph } from '../ralph.ts'
import { type HookAnswerer, HookCalls } from './hook-calls.ts'
import { createMcpServer, createSilentServer } from './server.ts'
import { McpSession } from './session.ts'
import { openWire } from './stdio.ts'
import { toolsFor } from './tools.ts'

export interface ServeOptions {
  /** Called on the first request that needs memory. */
  open: () => Promise<Ralph>
  feature?: string | undefined
  run: string
  caretaker?: Caretaker | undefined
  /** The agent may change nothing: then no tool that would is offered. */
  readOnly?: boolean | undefined
  /** The run goes without memory: nothing that tells of it is offered, and hooks that come this way hear nothing. */
  withheld?: boolean | undefined
  /** Answers the hooks of Claude Code, where they come this way. Loaded by the first of them. */
  hooks?: (() => Promise<HookAnswerer>) | undefined
  log: (line: string) => void
}

/** How long calls under way may take to finish once the client has gone. */
const FAREWELL_MS = 3_000

/** By then the first call is answered. */
const FIRST_ANSWER_MS = 2_000

/** Serves MCP on stdin and stdout until the client goes away or a signal comes. */
export async function serveMcp({ open, log, hooks, ...options }: ServeOptions): Promise<void> {
  const calls = hooks && new HookCalls(once(hooks), (answer) => output.write(answer))
  const { input, output } = openWire((line) => calls?.take(line) ?? false)
  let opened: Ralph | undefined
  // A failure is not kept: mended settings work without a restart.
  const openOnce = once(async () => {
    opened = await open()
    return opened
  })
  const session = new McpSession({ open: openOnce, log, ...options })
  const create = options.withheld ? createSilentServer : createMcpServer
  const createServer = () => create(session, toolsFor(options))
  const transport = new StdioServerTransport(input, output)
  const closed = new Promise<void>((resolve) => {
    const handle = serveStdio(() => createServer(), {
      transport,
      onerror: (error) => log(error.message.split('\n')[0]!),
    })
    const stop = () => void handle.close().finally(resolve)
    const wasClosed = transport.onclose
    transport.onclose = () => {
      wasClosed?.()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
    // The client may vanish without closing stdin properly: then nothing we write arrives any more.
    output.once('error', stop)
  })
  // What Node has compiled it keeps for the next start when it ends, but some clients end us without a warning.
  setTimeout(flushCompileCache, FIRST_ANSWER_MS).unref()
  await closed
  await Promise.race([
    session.settled().then(() => opened?.close()),
    new Promise((resolve) => setTimeout(resolve, FAREWELL_MS)),
  ])
}
