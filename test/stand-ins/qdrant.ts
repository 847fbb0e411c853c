import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { BadRequest } from './qdrant/collection.ts'
import { Refusal } from './qdrant/refusal.ts'
import { type Asked, type QdrantState, routeOf } from './qdrant/routes.ts'

export interface QdrantRequest extends Asked {
  /** As in `wait=true`. */
  query: string
}

export interface QdrantReply {
  status: number
  body: string
  headers?: Record<string, string>
}

/** What to answer instead; `undefined` lets the request through, `'never'` lets the client wait. */
export type Trouble = (request: QdrantRequest) => QdrantReply | 'never' | undefined

export interface QdrantStandIn extends QdrantState {
  url: string
  requests: QdrantRequest[]
  trouble: Trouble | undefined
  diskFull: boolean
  /** How long the making of a collection takes: meanwhile others are told that it is there, and find it empty. */
  makingMs: number
  close(): Promise<void>
  /** At the same address as before, with what it held. */
  restart(): Promise<void>
}

export interface QdrantStandInOptions {
  version?: string
  apiKey?: string
  /** Another key, which may read and not write. */
  readOnlyKey?: string
  strictMode?: QdrantState['strictMode']
  /** Larger requests are cut off in the middle. */
  mostBytes?: number
  /** Any free one by default. */
  port?: number
}

/** A Qdrant of our own: the parts of its HTTP interface that we use, each request checked against its documentation. */
export async function startQdrant({
  version = '1.18.3',
  apiKey,
  readOnlyKey,
  strictMode,
  mostBytes = 32 * 1024 * 1024,
  port = 0,
}: QdrantStandInOptions = {}): Promise<QdrantStandIn> {
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const standIn: QdrantStandIn = {
    url: '',
    requests: [],
    trouble: undefined,
    diskFull: false,
    makingMs: 0,
    mostCollections: undefined,
    collections: new Map(),
    aliases: new Map(),
    strictMode,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    restart: () => listen(Number(new URL(standIn.url).port)),
  }
  const listen = (where: number) =>
    new Promise<void>((resolve) => void server.listen(where, '127.0.0.1', () => resolve()))

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (Number(incoming.headers['content-length'] ?? 0) > mostBytes) {
      incoming.socket.destroy()
      return
    }
    const request = await read(incoming)
    standIn.requests.push(request)
    const reply = standIn.trouble?.(request) ?? respond(request, incoming.headers['api-key'])
    if (reply === 'never') return
    if (standIn.makingMs > 0) await made(request, reply)
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body)
  }

  async function made({ method, path }: QdrantRequest, { status }: QdrantReply): Promise<void> {
    const name = /^\/collections\/([^/]+)$/.exec(path)?.[1]
    const collection = name === undefined ? undefined : standIn.collections.get(decodeURIComponent(name))
    if (method !== 'PUT' || status !== 200 || !collection) return
    collection.isReady = false
    await sleep(standIn.makingMs)
    collection.isReady = true
  }

  function respond(request: QdrantRequest, key: unknown): QdrantReply {
    if (request.path === '/readyz') return { status: 200, body: 'all shards are ready' }
    if (request.path === '/') {
      const about = { title: 'qdrant - vector search engine', version, commit: 'c' }
      return { status: 200, body: JSON.stringify(about) }
    }
    // Before anything of Qdrant's own, in plain text.
    if (apiKey !== undefined && key === undefined)
      return plain(401, 'Must provide an API key or an Authorization bearer token')
    if (apiKey !== undefined && key !== apiKey && key !== readOnlyKey)
      return plain(401, 'Invalid API key or JWT')
    try {
      const { name, isWriting, answer: serve } = routeOf(request)
      if (isWriting && apiKey !== undefined && key === readOnlyKey)
        return refused(403, forbidden(request, name))
      if (isWriting && standIn.diskFull && request.method !== 'DELETE') return refused(500, DISK_FULL)
      return { status: 200, body: JSON.stringify({ result: serve(standIn), status: 'ok', time: 0.0001 }) }
    } catch (error) {
      if (error instanceof Refusal) return refused(error.status, error.message, error.headers)
      if (error instanceof BadRequest) return refused(400, error.message)
      return refused(500, `stand-in: ${error}`)
    }
  }

  await listen(port)
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
}

const DISK_FULL =
  'Service internal error: No space left on device: WAL buffer size exceeds available disk space'

/** What Qdrant answers with when something is refused. */
export function refused(status: number, error: string, headers: Record<string, string> = {}): QdrantReply {
  return { status, body: JSON.stringify({ status: { error }, time: 0.0001 }), headers }
}

/** Of those that were made for a collection that cannot do more at the moment. */
export function rateLimited(seconds: number): QdrantReply {
  const error = `Rate limiting exceeded: Read rate limit exceeded: Operation requires 1 tokens but only 0.0 were available. Retry after ${seconds}s`
  return refused(429, error, { 'retry-after': String(seconds) })
}

function plain(status: number, body: string): QdrantReply {
  return { status, body, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}

function forbidden({ path }: QdrantRequest, name: string): string {
  return path.split('/').length > 3
    ? `Forbidden: Write access to collection ${name} is required`
    : 'Forbidden: Global manage access is required'
}

async function read(incoming: IncomingMessage): Promise<QdrantRequest> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  const { pathname: path, searchParams } = new URL(incoming.url!, 'http://127.0.0.1')
  const body = text === '' ? undefined : JSON.parse(text)
  return { method: incoming.method!, path, query: searchParams.toString(), body }
}
