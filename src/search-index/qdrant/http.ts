import { isAscii } from 'node:buffer'
import {
  type IncomingMessage,
  Agent as PlainAgent,
  request as plainRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { buffer as bytesOf } from 'node:stream/consumers'

const DEFAULT_PORT = 6333
/** More at once would only wait in the server. */
const MOST_CONNECTIONS = 16

/** The server answered with an error status. */
export class QdrantRefusal extends Error {
  readonly status: number
  /** What it says is wrong; empty when it does not say so in Qdrant's way. */
  readonly detail: string
  readonly body: string
  readonly retryAfterMs: number | undefined

  constructor({
    status,
    body,
    retryAfter,
  }: { status: number; body: string; retryAfter: string | undefined }) {
    super(`status ${status}`)
    this.status = status
    this.body = body
    this.detail = errorIn(body)
    const seconds = Number(retryAfter ?? Number.NaN)
    this.retryAfterMs = seconds >= 0 ? seconds * 1_000 : undefined
  }
}

/** An answer came, with a good status, and is not what Qdrant says. */
export class Nonsense extends Error {}

export interface HttpRequest {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH'
  /** Begins with a slash. */
  path: string
  body?: unknown
  signal: AbortSignal
}

/**
 * Qdrant's interface over HTTP, as it is documented, on connections that stay open. Its own client would do the same at
 * five times the cost of a request, could not stop one, and loses what an error says.
 */
export class QdrantHttp {
  readonly #secure: boolean
  readonly #target: RequestOptions
  readonly #prefix: string
  readonly #agent: PlainAgent

  constructor({ url, apiKey }: { url: string; apiKey?: string | undefined }) {
    const { protocol, hostname, pathname } = new URL(url)
    this.#secure = protocol === 'https:'
    this.#prefix = pathname.replace(/\/$/, '')
    const options = { keepAlive: true, maxSockets: MOST_CONNECTIONS }
    this.#agent = this.#secure ? new SecureAgent(options) : new PlainAgent(options)
    this.#target = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: portOf(url),
      agent: this.#agent,
      headers: { accept: 'application/json', ...(apiKey && { 'api-key': apiKey }) },
    }
  }

  /** What the server calls the result; the whole answer where it has none. */
  async send(request: HttpRequest): Promise<unknown> {
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body))
    const { status, text, retryAfter } = await this.#exchange(request, body)
    if (status < 200 || status > 299) throw new QdrantRefusal({ status, body: text, retryAfter })
    const answer = parsed(text)
    return answer instanceof Object && 'result' in answer ? answer.result : answer
  }

  close(): void {
    this.#agent.destroy()
  }

  /** A connection that the server closed while nobody used it is no news: once more on another. */
  async #exchange(request: HttpRequest, body: Buffer | undefined) {
    const used = { again: false }
    try {
      return await this.#attempt(request, body, used)
    } catch (error) {
      if (!used.again || request.signal.aborted) throw error
      return this.#attempt(request, body, used)
    }
  }

  #attempt({ method, path, signal }: HttpRequest, body: Buffer | undefined, used: { again: boolean }) {
    return new Promise<{ status: number; text: string; retryAfter: string | undefined }>(
      (resolve, reject) => {
        const options: RequestOptions = {
          ...this.#target,
          method,
          path: this.#prefix + path,
          signal,
          headers: {
            ...(this.#target.headers as Record<string, string>),
            ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
          },
        }
        const answered = (incoming: IncomingMessage) => {
          const { statusCode: status = 0, headers } = incoming
          bytesOf(incoming).then(
            (bytes) => resolve({ status, text: decoded(bytes), retryAfter: headers['retry-after'] }),
            reject,
          )
        }
        const sent = (this.#secure ? secureRequest : plainRequest)(options, answered)
        sent.on('error', (error) => {
          used.again = sent.reusedSocket
          reject(error)
        })
        sent.end(body)
      },
    )
  }
}

/** URL drops a port that is the scheme's default, but Qdrant's default is another one. */
export function portOf(url: string): number {
  const written = /^[a-z]+:\/\/[^/]*?:(\d+)(?:\/|$)/i.exec(url)?.[1]
  return written === undefined ? DEFAULT_PORT : Number(written)
}

/** Mostly numbers: what has no letter beyond ASCII need not be looked at byte by byte. */
function decoded(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Nonsense(text.slice(0, 200).split('\n', 1)[0] || 'nothing', { cause: error })
  }
}

/** `{"status": {"error": "…"}}` */
function errorIn(body: string): string {
  try {
    const { status } = JSON.parse(body)
    return typeof status?.error === 'string' ? status.error : ''
  } catch {
    return ''
  }
}
