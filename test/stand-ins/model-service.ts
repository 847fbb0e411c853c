import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the model does with the next request. */
export type Behaviour =
  | {
      say: string
      tokens?: { input: number; output: number }
      stop?: 'length' | 'refused'
      /** What it thinks before it writes, where it is a model that does and nobody has told it not to. */
      think?: string
      live?: Live
    }
  | { call: { name: string; input: { [key: string]: unknown } }; say?: string }
  | { status: number; retryAfter?: number }
  | { slow: number; afterwards?: Behaviour }
  | { broken: 'json' | 'shape' | 'half' }

/** How an answer comes: with pauses, ending after so many pieces in silence or with the connection, or with an error. */
export interface Live {
  everyMs?: number
  silentAfter?: number
  lostAfter?: number
  error?: string
}

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: { [key: string]: unknown }
}

/** The part of a service that differs: its addresses, what it insists on, how it words answers. */
export interface Dialect {
  /** Refuses what the documentation of the service forbids; undefined when the request is fine. */
  validate(request: SeenRequest): string | undefined
  isChat(path: string): boolean
  /** What it tells of its models, or of an address that it does not know. `text`: as it is, not as JSON. */
  models(request: SeenRequest, known: readonly string[]): Reply | undefined
  /** Refuses what this model cannot do. */
  refuse?(request: SeenRequest): Reply | undefined
  answer(response: ServerResponse, request: SeenRequest, behaviour: Answered): void | Promise<void>
  error(status: number, message: string): unknown
}

export interface Reply {
  status: number
  body: unknown
  text?: true
}

export interface Answered {
  text: string
  think: string
  live: Live | undefined
  call: { name: string; input: { [key: string]: unknown } } | undefined
  tokens: { input: number; output: number }
  /** The tokens were not given but made up. */
  uncounted: boolean
  stop: 'length' | 'refused' | undefined
  broken: 'shape' | 'half' | undefined
}

export interface ModelService {
  url: string
  requests: SeenRequest[]
  /** Behaviours for the coming requests, in order; when they run out, `fallback` answers. */
  next(...behaviours: Behaviour[]): void
  fallback: Behaviour | ((request: SeenRequest) => Behaviour)
  /** Most requests for an answer that were there at once. */
  mostAtOnce: number
  /** Requests that a service would have charged for: all that it did not refuse. */
  billed: number
  /** Accepts connections and says nothing to anybody, as a stopped process does, until told otherwise. */
  hang(on: boolean): void
  close(): Promise<void>
}

export async function startModelService(
  dialect: Dialect,
  { models = ['test-model'], fallback = { say: 'Understood.' } as ModelService['fallback'] } = {},
): Promise<ModelService> {
  const queue: Behaviour[] = []
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })

  let hanging = false
  let underWay = 0

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', 'http://stand-in').pathname
    const { method = '', headers } = incoming
    const request: SeenRequest = { method, path, headers, body: await readJson(incoming) }
    if (hanging) return
    if (!dialect.isChat(path)) {
      const about = dialect.models(request, models)
      return reply(response, about ?? { status: 404, body: dialect.error(404, `no such path: ${path}`) })
    }
    service.requests.push(request)
    service.mostAtOnce = Math.max(service.mostAtOnce, ++underWay)
    response.on('close', () => underWay--)
    const complaint = dialect.validate(request)
    if (complaint) return json(response, 400, dialect.error(400, complaint))
    if (!dialect.refuse && !models.includes(String(request.body['model']))) {
      return json(response, 404, dialect.error(404, `model: ${request.body['model']}`))
    }
    const refusal = dialect.refuse?.(request)
    if (refusal) return reply(response, refusal)
    service.billed++
    const fall = service.fallback
    await behave(response, request, queue.shift() ?? (typeof fall === 'function' ? fall(request) : fall))
  }

  async function behave(response: ServerResponse, request: SeenRequest, behaviour: Behaviour): Promise<void> {
    if ('slow' in behaviour) {
      await sleep(behaviour.slow)
      return behave(response, request, behaviour.afterwards ?? { say: 'Sorry for the wait.' })
    }
    if ('status' in behaviour) {
      if (behaviour.status < 500) service.billed--
      if (behaviour.retryAfter !== undefined) response.setHeader('retry-after', String(behaviour.retryAfter))
      return json(response, behaviour.status, dialect.error(behaviour.status, `status ${behaviour.status}`))
    }
    if ('broken' in behaviour && behaviour.broken === 'json') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"content": [{"type": "te')
      return
    }
    await dialect.answer(response, request, {
      think: ('think' in behaviour && behaviour.think) || '',
      live: 'live' in behaviour ? behaviour.live : undefined,
      uncounted: !('tokens' in behaviour && behaviour.tokens),
      text: 'say' in behaviour ? (behaviour.say ?? '') : '',
      call: 'call' in behaviour ? behaviour.call : undefined,
      tokens: ('tokens' in behaviour && behaviour.tokens) || { input: 100, output: 20 },
      stop: 'stop' in behaviour ? behaviour.stop : undefined,
      broken: 'broken' in behaviour ? (behaviour.broken as 'shape' | 'half') : undefined,
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: ModelService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    next: (...behaviours) => void queue.push(...behaviours),
    fallback,
    mostAtOnce: 0,
    billed: 0,
    hang: (on) => {
      hanging = on
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return service
}

function reply(response: ServerResponse, { status, body, text }: Reply): void {
  response.writeHead(status, { 'content-type': text ? 'text/plain' : 'application/json' })
  response.end(text ? String(body) : JSON.stringify(body))
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

export function pieces(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

async function readJson(incoming: IncomingMessage): Promise<{ [key: string]: unknown }> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return JSON.parse(text || '{}') as { [key: string]: unknown }
}
