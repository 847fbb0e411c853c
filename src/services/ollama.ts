import type { Ollama } from 'ollama'
import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { loadLibrary } from './load-library.ts'
import { HttpError, nonsense, type Service } from './service.ts'

export interface OllamaClientOptions {
  /** For an Ollama behind a gateway that wants one. */
  apiKey?: string | undefined
  signal: AbortSignal
}

/** The library takes no signal, so each request gets a client whose fetch carries one. */
export async function openOllamaClient(
  service: Service,
  { apiKey, signal }: OllamaClientOptions,
): Promise<Ollama> {
  const { Ollama } = await loadLibrary('ollama', () => import('ollama'))
  return new Ollama({
    host: service.url,
    ...(apiKey && { headers: { Authorization: `Bearer ${apiKey}` } }),
    fetch: async (input, init) => {
      const both = init?.signal ? AbortSignal.any([signal, init.signal]) : signal
      return readable(await fetch(input, { ...init, signal: both }), service)
    },
  })
}

/** Errors are read here: the library would lose their headers and write to our standard output. */
async function readable(response: Response, service: Service): Promise<Response> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (response.ok && isJson) return response
  const body = await response.text()
  if (response.ok)
    throw nonsense(service, /<html|<!doctype/i.test(body) ? 'a web page' : 'something that is not JSON')
  throw new HttpError(response.status, response.headers, errorIn(body) ?? response.statusText)
}

function errorIn(body: string): string | undefined {
  try {
    return z.object({ error: z.string() }).parse(JSON.parse(body)).error
  } catch (error) {
    // A page of a proxy, for example: its status says enough.
    return body.trimStart().startsWith('<') ? undefined : body || messageOf(error)
  }
}
