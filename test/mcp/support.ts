import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { SettingsInput } from '../../src/config.ts'
import type { NewIteration } from '../../src/feature-memory/record.ts'
import { createMcpServer } from '../../src/mcp/server.ts'
import { McpSession, type SessionOptions } from '../../src/mcp/session.ts'
import type { Tool } from '../../src/mcp/tool.ts'
import { toolsFor } from '../../src/mcp/tools.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { makeCheckout } from '../support/checkout.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A project with memory that finds by words alone: no model is loaded. */
export async function project(
  iterations: readonly Partial<NewIteration>[] = [],
  settings: SettingsInput = {},
): Promise<Ralph> {
  const root = await temporaryFolder()
  const folder = join(root, 'shop')
  makeCheckout(folder)
  const ralph = await openRalph({
    project: folder,
    home: join(root, 'home'),
    settings: { embedder: { provider: 'none' }, ...settings },
    onNotice: () => undefined,
    env: {},
  })
  onTestFinished(() => ralph.close())
  for (const fields of iterations) await ralph.featureMemory.recordIteration(newIteration(fields))
  return ralph
}

export interface Answer {
  isError?: boolean
  text: string
  structured: Record<string, unknown>
}

export interface Connection {
  client: Client
  call: (name: string, args?: Record<string, unknown>) => Promise<Answer>
}

/** A real client connected to our server in the same process. */
export async function connect(
  ralph: Ralph,
  options: Partial<SessionOptions> & { tools?: Tool[] } = {},
): Promise<Connection> {
  const { tools, ...rest } = options
  const session = new McpSession({ open: async () => ralph, run: 'test-run', ...rest })
  const server = createMcpServer(session, tools ?? toolsFor(rest))
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1.0.0' })
  await Promise.all([server.connect(ours as never), client.connect(theirs)])
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  return { client, call: (name, args = {}) => callTool(client, name, args) }
}

export async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args })
  const [first] = result.content
  return {
    ...(result.isError === true && { isError: true }),
    text: first?.type === 'text' ? first.text : '',
    structured: (result.structuredContent ?? {}) as Record<string, unknown>,
  }
}
