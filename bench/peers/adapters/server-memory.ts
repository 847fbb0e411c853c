import { join } from 'node:path'
import { startMcpServer } from '../../support/mcp-server.ts'
import { programOf } from '../load.ts'
import type { Document, Peer } from '../peer.ts'

export const peer: Peer = {
  name: 'server-memory',
  title: 'server-memory',
  searches: 'parts of words',
  durable: 'not flushed, and every insert reads and writes everything again',
  how: 'the reference memory server over MCP, the only way in: an entity with one observation for each document; finds what has the question in it letter by letter',
  folder: 'server-memory',
  batch: 1_000,
  open: async (folder) => {
    const program = programOf('server-memory', '@modelcontextprotocol/server-memory', 'dist/index.js')
    const server = await startMcpServer([program], {
      ...process.env,
      MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
    })
    const insert = async (documents: readonly Document[]) => {
      const entities = documents.map(({ at, title, body }) => ({
        name: `document ${at}`,
        entityType: 'iteration',
        observations: [`${title}\n${body}`],
      }))
      await server.call('create_entities', { entities })
    }
    return {
      pid: server.pid,
      insertMany: insert,
      insertOne: (document) => insert([document]),
      search: async ({ text }, limit) => {
        const { entities } = JSON.parse(await server.call('search_nodes', { query: text })) as {
          entities: { name: string }[]
        }
        return entities.slice(0, limit).map(({ name }) => Number(name.split(' ')[1]))
      },
      close: () => server.close(),
    }
  },
}
