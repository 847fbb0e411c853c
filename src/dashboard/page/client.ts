import type { ClientResponse } from 'hono/client'
import { hc } from 'hono/client'
import type { Api } from '../api/api.ts'
import type { ApiError } from '../api/errors.ts'

/** Our API, with the types of the server's own routes. */
export const api = hc<Api>('/api')

/** What the server says is wrong, or that it does not answer. */
export class Trouble extends Error {
  readonly status: number
  readonly hint: string | undefined

  constructor(status: number, message: string, hint?: string) {
    super(message)
    this.status = status
    this.hint = hint
  }
}

type Answer<Response> = Response extends ClientResponse<infer Data, number, 'json'> ? Data : never

/** `await answerOf(api.session.$get())`: the data, or a `Trouble`. */
export async function answerOf<Response>(asked: Promise<Response>): Promise<Answer<Response>> {
  const response = (await asked.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Trouble(0, 'the dashboard does not answer', 'Is ralph dashboard still running? Start it again.')
  })) as globalThis.Response
  if (response.ok) return response.json()
  throw await troubleOf(response)
}

async function troubleOf(response: globalThis.Response): Promise<Trouble> {
  try {
    const { error } = (await response.json()) as ApiError
    return new Trouble(response.status, error.message, error.hint)
  } catch {
    return new Trouble(response.status, `the dashboard answered with ${response.status}`)
  }
}
