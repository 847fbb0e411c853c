import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the service does with the next request for embeddings, instead of what it should. */
export type Misbehaviour =
  | { status: number; message?: string; code?: string; headers?: Record<string, string> }
  | { page: number }
  | { text: string }
  | { body: unknown }
  | { cut: true }
  | { hang: true }
  | { delayMs: number }
  | { dimensions: number }
  | { vectors: (vectors: number[][]) => unknown[] }

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

/** What distinguishes one service from another. Answers are status and body. */
export interface Dialect {
  embedPath: string
  answer(request: SeenRequest, embed: (texts: string[]) => unknown[]): { status: number; body: unknown }
  /** `text`: the body goes out as it is, not as JSON. */
  other(request: SeenRequest): { status: number; body: unknown; text?: true } | undefined
  error(status: number, message: string, code?: string): unknown
}

export interface EmbeddingService {
  url: string
  requests: SeenRequest[]
  next(...misbehaviours: Misbehaviour[]): void
  /** Requests that are not answered yet, and whose sender has not hung up. */
  waiting(): number
  /** Accepts connections and says nothing to anybody, as a stopped process does, until told otherwise. */
  hang(on: boolean): void
  close(): Promise<void>
  /** At the same address as before. */
  restart(): Promise<void>
}

/** A server on this machine that speaks a service's protocol and can be told to misbehave. */
export async function startEmbeddingService(dialect: Dialect, dimensions: number): Promise<EmbeddingService> {
  const queue: Misbehaviour[] = []
  const requests: SeenRequest[] = []
  let hanging = false
  let waiting = 0
  const server = createServer((incoming, response) => {
    waiting++
    response.once('close', () => waiting--)
    handle(incoming, response).catch((error: Error) => response.destroy(error))
  })

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: SeenRequest = {
      method: incoming.method ?? '',
      path: new URL(incoming.url ?? '/', 'http://stand-in').pathname,
      headers: incoming.headers,
      body: await readJson(incoming),
    }
    requests.push(request)
    if (request.path !== dialect.embedPath) {
      if (hanging) return
      const other = dialect.other(request) ?? { status: 404, body: dialect.error(404, 'page not found') }
      return 'text' in other ? plain(response, other) : json(response, other.status, other.body)
    }
    if (hanging) return
    const misbehaviour = queue.shift()
    if (misbehaviour) return misbehave(misbehaviour, request, response)
    const { status, body } = dialect.answer(request, (texts) =>
      texts.map((text) => wordVector(text, dimensions)),
    )
    json(response, status, body)
  }

  async function misbehave(how: Misbehaviour, request: SeenRequest, response: ServerResponse): Promise<void> {
    const honest = (size = dimensions, change = (vectors: number[][]): unknown[] => vectors) => {
      const { status, body } = dialect.answer(request, (texts) =>
        change(texts.map((text) => wordVector(text, size))),
      )
      json(response, status, body)
    }
    if ('hang' in how) return
    if ('delayMs' in how) await sleep(how.delayMs)
    if ('delayMs' in how) return honest()
    if ('dimensions' in how) return honest(how.dimensions)
    if ('vectors' in how) return honest(dimensions, how.vectors)
    if ('body' in how) return json(response, 200, how.body)
    if ('cut' in how) {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end('{"embeddings": [[0.1, 0.')
    }
    if ('text' in how) {
      response.writeHead(200, { 'content-type': 'text/plain' })
      return void response.end(how.text)
    }
    if ('page' in how) {
      response.writeHead(how.page, { 'content-type': 'text/html' })
      return void response.end('<!DOCTYPE html><html><body>Please sign in</body></html>')
    }
    const message = how.message ?? `status ${how.status}`
    json(response, how.status, dialect.error(how.status, message, how.code), how.headers)
  }

  const listen = (port: number) =>
    new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', () => resolve()))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    next: (...misbehaviours) => void queue.push(...misbehaviours),
    waiting: () => waiting,
    hang: (on) => {
      hanging = on
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
    restart: () => listen(port),
  }
}

/** Texts with common words get similar vectors; the length is arbitrary, as with services that do not normalise. */
function wordVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+|\S/gu) ?? ['']) {
    const digest = createHash('sha256').update(word).digest()
    for (let hash = 0; hash < 4; hash++) vector[1 + (digest.readUInt32LE(hash * 4) % (dimensions - 1))]! += 3
  }
  return vector
}

function plain(response: ServerResponse, { status, body }: { status: number; body: unknown }): void {
  response.writeHead(status, { 'content-type': 'text/plain' })
  response.end(String(body))
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function readJson(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return JSON.parse(text || '{}')
}
