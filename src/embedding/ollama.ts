import type { Ollama } from 'ollama'
import { z } from 'zod'
import { messageOf, RalphError } from '../errors.ts'
import type { Embedder } from './embedder.ts'
import { ollamaModel } from './models.ts'
import { openRemoteEmbedder, type RemoteOptions, type Transport } from './remote.ts'
import { HttpError, nonsense, type Service } from './service.ts'

export interface OllamaOptions {
  model?: string
  url?: string
  /** For an Ollama behind a gateway that wants one. */
  apiKey?: string
  timeouts?: RemoteOptions['timeouts']
}

/** On a machine without a graphics card, more long texts than this may take longer than the time limit. */
const MAX_TEXTS = 16

const Answer = z.object({ embeddings: z.array(z.unknown()), prompt_eval_count: z.number().nullish() })
const Tags = z.object({ models: z.array(z.object({ name: z.string() })) })
const Version = z.object({ version: z.string() })

export function openOllamaEmbedder({
  model = 'nomic-embed-text',
  url = 'http://127.0.0.1:11434',
  apiKey,
  timeouts,
}: OllamaOptions = {}): Promise<Embedder> {
  const service: Service = {
    name: 'Ollama',
    url,
    model,
    hints: {
      reach: `Start it (ollama serve), or set embedder.url to where it runs.`,
      key: 'Set embedder.api_key to the key that the gateway in front of Ollama wants.',
      model: `Run: ollama pull ${model}`,
    },
  }
  return openRemoteEmbedder({
    provider: 'ollama',
    service,
    known: ollamaModel(model),
    transport: ollamaTransport(service, apiKey),
    limits: { texts: MAX_TEXTS, tokens: Number.POSITIVE_INFINITY },
    timeouts,
  })
}

function ollamaTransport(service: Service, apiKey: string | undefined): Transport {
  const client = (signal: AbortSignal) => openClient(service, apiKey, signal)

  return {
    async embed(texts, signal) {
      const ollama = await client(signal)
      const answer = Answer.safeParse(
        await ollama.embed({ model: service.model, input: [...texts], truncate: true }),
      )
      if (!answer.success) throw nonsense(service, 'something other than embeddings')
      return { vectors: answer.data.embeddings, tokens: answer.data.prompt_eval_count ?? 0 }
    },
    async inspect(signal) {
      const ollama = await client(signal)
      const version = Version.safeParse(await ollama.version())
      if (!version.success) throw nonsense(service, 'something that Ollama would not say')
      const tags = Tags.safeParse(await ollama.list())
      if (!tags.success) throw nonsense(service, 'no list of models')
      const { model } = service
      const wanted = model.includes(':') ? model : `${model}:latest`
      if (!tags.data.models.some(({ name }) => name === model || name === wanted))
        throw new RalphError('not_found', `${model} not found`, { hint: service.hints.model })
      return `Ollama ${version.data.version} at ${service.url}`
    },
  }
}

/** The library takes no signal, so each request gets a client whose fetch carries one. */
async function openClient(
  service: Service,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<Ollama> {
  const { Ollama } = await import('ollama')
  return new Ollama({
    host: service.url,
    ...(apiKey && { headers: { Authorization: `Bearer ${apiKey}` } }),
    fetch: async (input, init) => readable(await fetch(input, { ...init, signal }), service),
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
