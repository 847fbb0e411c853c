import { join } from 'node:path'
import { startMcpServer } from '../../support/mcp-server.ts'
import { programOf } from '../load.ts'
import type { Document, Peer } from '../peer.ts'

export const peer: Peer = {
  name: 'agentmemory',
  title: 'agentmemory, standalone',
  searches: 'parts of words',
  durable: 'not flushed, and every insert writes everything again',
  how: 'its standalone MCP server, which it falls back to where its engine cannot be fetched: no vectors, one memory a call; finds what has all words of the question in it',
  folder: 'agentmemory',
  batch: 1_000,
  open: async (folder) => {
    const program = programOf('agentmemory', '@agentmemory/agentmemory', 'dist/standalone.mjs')
    const server = await startMcpServer([program], {
      ...process.env,
      HOME: folder,
      STANDALONE_PERSIST_PATH: join(folder, 'standalone.json'),
    })
    const insert = async ({ at, title, body }: Document) => {
      await server.call('memory_save', {
        content: `${title}\n${body}`,
        concepts: `document ${at}`,
        type: 'fact',
      })
    }
    return {
      pid: server.pid,
      insertMany: async (documents) => {
        for (const document of documents) await insert(document)
      },
      insertOne: insert,
      search: async ({ text }, limit) => {
        const { results } = JSON.parse(await server.call('memory_smart_search', { query: text, limit })) as {
          results: { concepts: string[] }[]
        }
        return results.map(({ concepts }) => Number(concepts[0]?.split(' ')[1]))
      },
      close: () => server.close(),
    }
  },
}
