import type { Ollama } from 'ollama'
import { z } from 'zod'
import { messageOf } from '../errors.ts'
import { saidWithoutSecrets } from '../text/shown-url.ts'
import { onlyJsonLines } from './json-lines.ts'
import { loadLibrary } from './load-library.ts'
import { type OllamaUse, ollamaError } from './ollama-errors.ts'
import { patientFetch } from './patient-fetch.ts'
import { HttpError, nonsense, type Service } from './service.ts'

const OLLAMA_URL = 'http://127.0.0.1:11434'

const SETTING = { embedding: 'embedder', chat: 'language_model' } as const

export function ollamaService(
  { model, url = OLLAMA_URL }: { model: string; url?: string | undefined },
  use: OllamaUse,
): Service {
  const setting = SETTING[use]
  const service: Service = {
    name: 'Ollama',
    url,
    model,
    hints: {
      hung: 'See what it is doing (ollama ps), or restart it.',
      reach: `Start it (ollama serve), or set ${setting}.url to where it runs.`,
      key: `Set ${setting}.api_key to the key that the gateway in front of Ollama wants.`,
      model: `Run: ollama pull ${model}`,
    },
    explain: (answer) => ollamaError(answer, service, use),
  }
  return service
}

/** `All-MiniLM`, `library/all-minilm` and `all-minilm:latest` are one model to Ollama. */
export function ollamaModelName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^registry\.ollama\.ai\//, '')
    .replace(/^library\//, '')
    .replace(/:latest$/, '')
}

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
      const response = await readable(await patientFetch(input, { ...init, signal: both }), service)
      return /\/api\/chat$/.test(String(input)) ? inLines(response, service) : response
    },
  })
}

/** An answer is one JSON object a line. */
function inLines({ body, headers }: Response, service: Service): Response {
  const checked = body?.pipeThrough(onlyJsonLines(() => nonsense(service, 'half an answer')))
  return new Response(checked ?? null, { headers })
}

/** What a model can do, as far as the server says: older ones say less. */
export interface OllamaModelFacts {
  /** "completion", "tools", "thinking", "embedding" and so on. */
  capabilities?: readonly string[]
  /** "llama", "gptoss" and so on. */
  family?: string
  /** Prompt and answer together, in tokens. */
  contextTokens?: number
  dimensions?: number
}

const Shown = z.object({
  capabilities: z.array(z.string()).nullish(),
  details: z.object({ family: z.string().nullish() }).nullish(),
  model_info: z.record(z.string(), z.unknown()).nullish(),
})

/** Throws where the model is not there. */
export async function showOllamaModel(client: Ollama, service: Service): Promise<OllamaModelFacts> {
  const shown = Shown.safeParse(await client.show({ model: service.model }))
  if (!shown.success) throw nonsense(service, 'something that Ollama would not say of a model')
  const { capabilities, details, model_info: info } = shown.data
  const contextTokens = numberIn(info, 'context_length')
  const dimensions = numberIn(info, 'embedding_length')
  return {
    ...(capabilities && { capabilities }),
    ...(details?.family && { family: details.family }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(dimensions !== undefined && { dimensions }),
  }
}

const Running = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().nullish() })),
})

/** The context that a model is loaded with, in tokens; undefined when it is not, or the server does not tell. */
export async function loadedContext(client: Ollama, service: Service): Promise<number | undefined> {
  const running = Running.safeParse(await client.ps())
  const wanted = ollamaModelName(service.model)
  return (
    running.data?.models.find(({ name }) => ollamaModelName(name) === wanted)?.context_length || undefined
  )
}

/** Named after the architecture: "llama.context_length". */
function numberIn(info: { [key: string]: unknown } | null | undefined, name: string): number | undefined {
  const value = info?.[`${String(info['general.architecture'])}.${name}`]
  return typeof value === 'number' && value > 0 ? value : undefined
}

const REDIRECTIONS = new Set([301, 302, 303, 307, 308])

/** Errors are read here: the library would lose their headers and write to our standard output. */
async function readable(response: Response, service: Service): Promise<Response> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (response.ok && isJson) return response
  const location = response.headers.get('location')
  if (location !== null && REDIRECTIONS.has(response.status))
    throw nonsense(service, `a redirection to ${saidWithoutSecrets(location, service.url)}`)
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
