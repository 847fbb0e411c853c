import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { Readable } from 'node:stream'

/** Requests by what stops them, until they are answered in full. */
const underWay = new WeakMap<AbortSignal, ClientRequest>()

/** Lets the process end although the request with this signal has not: nobody waits for it any more. */
export function letGo(signal: AbortSignal): void {
  const request = underWay.get(signal)
  if (request?.socket) request.socket.unref()
  else request?.once('socket', (socket) => socket.unref())
}

/** Answers that come without a body. */
const EMPTY = new Set([204, 205, 304])

/**
 * As `fetch`, but waiting is up to the caller's signal alone: Node's own gives up after five minutes without a word,
 * which a model that reads a long prompt on a slow machine may well take. Follows no redirections.
 */
export async function patientFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = urlOf(input)
  const again = { isWorthwhile: false }
  try {
    return await attempt(url, init, again)
  } catch (error) {
    // A connection that the server closed while nobody used it is no news: once more on another.
    if (!again.isWorthwhile || init.signal?.aborted) throw error
    return attempt(url, init, again)
  }
}

/** Each call gets a connection of its own. */
const UNSHARED = { http: new Agent({ keepAlive: false }), https: new SecureAgent({ keepAlive: false }) }

/**
 * The same for calls that cost money, which are never made a second time behind anybody's back: a connection that went
 * stale could not be told from a service that has charged and hung up, so none is used twice.
 */
export function paidFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = urlOf(input)
  return attempt(url, init, undefined, url.protocol === 'https:' ? UNSHARED.https : UNSHARED.http)
}

function urlOf(input: string | URL | Request): URL {
  return new URL(input instanceof Request ? input.url : input)
}

function attempt(
  url: URL,
  init: RequestInit,
  again?: { isWorthwhile: boolean },
  agent?: Agent,
): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = url.protocol === 'https:' ? secureRequest : plainRequest
    let incoming: IncomingMessage | undefined
    const sent = request(url, { method, headers: headersOf(headers), ...(agent && { agent }) }, (answer) => {
      incoming = answer
      answer.once('close', () => signal?.removeEventListener('abort', stop))
      resolve(toResponse(answer))
    })
    const stop = () => (incoming ?? sent).destroy(signal!.reason)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal) underWay.set(signal, sent)
    sent.on('error', (error) => {
      if (again) again.isWorthwhile = sent.reusedSocket && incoming === undefined
      reject(error)
    })
    sent.end(typeof body === 'string' ? body : undefined)
  })
}

function headersOf(headers: RequestInit['headers']): NonNullable<RequestOptions['headers']> {
  return Object.fromEntries(new Headers(headers))
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage = '', headersDistinct } = answer
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  if (EMPTY.has(status)) answer.resume()
  const body = EMPTY.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
  return new Response(body, { status, statusText: statusMessage, headers })
}
