import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import * as api from './qdrant/api.ts'
import { BadRequest, Collection } from './qdrant/collection.ts'

export interface QdrantRequest {
  method: string
  path: string
  body: unknown
}

/** What to answer instead; `undefined` lets the request through, `'never'` lets the client wait. */
export type Trouble = (
  request: QdrantRequest,
) => { status: number; body: string; headers?: Record<string, string> } | 'never' | undefined

export interface QdrantStandIn {
  url: string
  requests: QdrantRequest[]
  trouble: Trouble | undefined
  /** Collections as Qdrant would have them, to look at and to tamper with. */
  collections: Map<string, Collection>
  close(): Promise<void>
  /** At the same address as before, with what it held. */
  restart(): Promise<void>
}

export interface QdrantStandInOptions {
  version?: string
  apiKey?: string
  /** Any free one by default. */
  port?: number
}

type Handler = (parts: { name: string; body: never; standIn: QdrantStandIn }) => unknown
type Route = readonly [method: string, path: RegExp, body: z.ZodType, handler: Handler]

/** An error with the status Qdrant gives it. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const route = <Body>(
  method: string,
  path: RegExp,
  body: z.ZodType<Body>,
  handler: (parts: { name: string; body: Body; standIn: QdrantStandIn }) => unknown,
): Route => [method, path, body, handler as Handler]

function the(standIn: QdrantStandIn, name: string): Collection {
  const collection = standIn.collections.get(name)
  if (!collection) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`)
  return collection
}

const done = { operation_id: 1, status: 'completed' }

const ROUTES: readonly Route[] = [
  route('GET', /^\/collections$/, api.NoBody, ({ standIn }) => ({
    collections: [...standIn.collections.keys()].map((name) => ({ name })),
  })),
  route('PUT', /^\/collections\/([^/]+)$/, api.CreateCollection, ({ name, body, standIn }) => {
    if (standIn.collections.has(name)) {
      throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`)
    }
    standIn.collections.set(name, new Collection(body))
    return true
  }),
  route('DELETE', /^\/collections\/([^/]+)$/, api.NoBody, ({ name, standIn }) =>
    standIn.collections.delete(name),
  ),
  route('PUT', /^\/collections\/([^/]+)\/index$/, api.CreateIndex, ({ name, body, standIn }) => {
    the(standIn, name).indexes.set(body.field_name, body.field_schema)
    return done
  }),
  route('PUT', /^\/collections\/([^/]+)\/points$/, api.Upsert, ({ name, body, standIn }) => {
    the(standIn, name).upsert(body.points)
    return done
  }),
  route('POST', /^\/collections\/([^/]+)\/points$/, api.Retrieve, ({ name, body, standIn }) =>
    the(standIn, name).retrieve(body.ids, body.with_payload, body.with_vector),
  ),
  route('POST', /^\/collections\/([^/]+)\/points\/delete$/, api.Delete, ({ name, body, standIn }) => {
    the(standIn, name).remove(body)
    return done
  }),
  route('POST', /^\/collections\/([^/]+)\/points\/payload$/, api.SetPayload, ({ name, body, standIn }) => {
    the(standIn, name).setPayload(body.points, body.payload, body.key)
    return done
  }),
  route('POST', /^\/collections\/([^/]+)\/points\/scroll$/, api.Scroll, ({ name, body, standIn }) =>
    the(standIn, name).scroll(body),
  ),
  route('POST', /^\/collections\/([^/]+)\/points\/count$/, api.Count, ({ name, body, standIn }) => ({
    count: the(standIn, name).count(body.filter),
  })),
  route('POST', /^\/collections\/([^/]+)\/points\/query$/, api.Query, ({ name, body, standIn }) =>
    the(standIn, name).query(body),
  ),
  route('POST', /^\/collections\/([^/]+)\/points\/query\/batch$/, api.QueryBatch, ({ name, body, standIn }) =>
    body.searches.map((query) => the(standIn, name).query(query)),
  ),
  route('POST', /^\/collections\/([^/]+)\/snapshots$/, z.unknown(), ({ name, standIn }) => {
    the(standIn, name)
    return { name: `${name}-1.snapshot`, size: 1, creation_time: '2026-01-01T00:00:00', checksum: 'c' }
  }),
]

/** A Qdrant of our own: the parts of its HTTP interface that we use, each request checked against its documentation. */
export async function startQdrant({
  version = '1.15.0',
  apiKey,
  port = 0,
}: QdrantStandInOptions = {}): Promise<QdrantStandIn> {
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const standIn: QdrantStandIn = {
    url: '',
    requests: [],
    trouble: undefined,
    collections: new Map(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    restart: () => listen(Number(new URL(standIn.url).port)),
  }
  const listen = (where: number) =>
    new Promise<void>((resolve) => void server.listen(where, '127.0.0.1', () => resolve()))

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming)
    standIn.requests.push(request)
    const trouble = standIn.trouble?.(request)
    if (trouble === 'never') return
    if (trouble) {
      response.writeHead(trouble.status, trouble.headers).end(trouble.body)
      return
    }
    const { status, body } = respond(request, incoming.headers['api-key'])
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  function respond(request: QdrantRequest, key: unknown): { status: number; body: unknown } {
    const refused = (status: number, error: string) => ({ status, body: { status: { error }, time: 0 } })
    if (request.path === '/readyz') return { status: 200, body: 'all shards are ready' }
    if (apiKey !== undefined && key !== apiKey)
      return refused(401, 'Must provide an API key or an Authorization bearer token')
    if (request.path === '/') {
      return { status: 200, body: { title: 'qdrant - vector search engine', version, commit: 'c' } }
    }
    try {
      return { status: 200, body: { result: dispatch(request, standIn), status: 'ok', time: 0 } }
    } catch (error) {
      if (error instanceof Refusal) return refused(error.status, error.message)
      if (error instanceof BadRequest) return refused(400, error.message)
      return refused(500, `stand-in: ${error}`)
    }
  }

  await listen(port)
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
}

function dispatch({ method, path, body }: QdrantRequest, standIn: QdrantStandIn): unknown {
  for (const [wanted, pattern, schema, handler] of ROUTES) {
    const match = wanted === method ? pattern.exec(path) : null
    if (!match) continue
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new Refusal(400, `Format error in JSON body: ${z.prettifyError(parsed.error)}`)
    return handler({ name: decodeURIComponent(match[1] ?? ''), body: parsed.data as never, standIn })
  }
  throw new Refusal(404, `no such path: ${method} ${path}`)
}

async function read(incoming: IncomingMessage): Promise<QdrantRequest> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  const path = new URL(incoming.url!, 'http://127.0.0.1').pathname
  return { method: incoming.method!, path, body: text === '' ? undefined : JSON.parse(text) }
}
