import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface RawRequest {
  method?: string
  /** Sent as it is: no client has made it harmless. */
  path: string
  headers?: Record<string, string>
  body?: string | undefined
  /** Sent without its length. */
  chunked?: boolean
}

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  readonly json: { error: { code: string; message: string; hint?: string } } & Record<string, unknown>
}

/** Asks as no browser would: any header, any path. */
export function rawRequest(port: number, asked: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', path, headers = {}, body, chunked = false } = asked
  const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { ...length, ...headers }, agent: false },
      async (answer) => {
        const received = await text(answer).catch(() => '') // whoever is refused may be cut off
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          text: received,
          get json() {
            return JSON.parse(received)
          },
        })
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}
