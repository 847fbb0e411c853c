import type OpenAI from 'openai'
import { z } from 'zod'
import { RalphError } from '../errors.ts'
import { Refused } from '../services/compatible.ts'
import { loadLibrary } from '../services/load-library.ts'
import { wrongOpenAiAddress } from '../services/openai-address.ts'
import { nonsense, type Service } from '../services/service.ts'
import { shownUrl } from '../text/shown-url.ts'
import type { Embedder } from './embedder.ts'
import { knownOpenAiModel } from './models.ts'
import { openRemoteEmbedder, type RemoteOptions } from './remote.ts'
import type { EmbeddingTransport } from './remote-client.ts'

export interface OpenAiEmbedderOptions
  extends Pick<RemoteOptions, 'timeouts' | 'silent' | 'measured' | 'calls'> {
  model?: string
  /** Any service that speaks the same protocol. */
  url?: string
  /** Services on the own machine usually want none. */
  apiKey?: string
  /** Dollars per million tokens, where somebody has said so. */
  price?: number | undefined
}

const OPENAI_URL = 'https://api.openai.com/v1'
/** OpenAI takes 2,048 texts and 300,000 tokens at once; what we count as tokens is an estimate. */
const OPENAI_LIMITS = { texts: 2_048, tokens: 250_000, msPerToken: 0.2 }
/** Servers that imitate it often take far fewer, and may run on a machine like this one. */
const OTHER_LIMITS = { texts: 32, tokens: 8_192, msPerToken: 20 }

const Answer = z.object({
  data: z.array(z.object({ index: z.number().nullish(), embedding: z.unknown() })),
  // Compatible services may leave it out, or call it otherwise.
  usage: z
    .object({ total_tokens: z.number().positive().nullish(), prompt_tokens: z.number().positive().nullish() })
    .nullish()
    .catch(undefined),
})

export async function openOpenAiEmbedder({
  model = 'text-embedding-3-small',
  url = OPENAI_URL,
  apiKey,
  price,
  ...options
}: OpenAiEmbedderOptions): Promise<Embedder> {
  const isOpenAi = url === OPENAI_URL
  if (isOpenAi && !apiKey) {
    throw new RalphError('unavailable', 'no key for OpenAI is configured', {
      hint: 'Set OPENAI_API_KEY, or embedder.api_key in the settings.',
    })
  }
  const service: Service = {
    name: isOpenAi ? 'OpenAI' : 'the OpenAI-compatible service',
    url,
    model,
    hints: {
      reach: 'Check the network and embedder.url, then run: ralph doctor',
      key: 'Check OPENAI_API_KEY or embedder.api_key.',
      model: `Set embedder.model to an embedding model that ${shownUrl(url)} offers, or correct embedder.url.`,
      credit: 'Top it up, or set embedder.provider to "local".',
    },
    explain: (answer) => wrongOpenAiAddress(answer, service, 'embedder.url'),
  }
  return openRemoteEmbedder({
    ...options,
    provider: 'openai',
    service,
    known: { ...knownOpenAiModel(model), ...(price !== undefined && { price }) },
    transport: openAiTransport(await openClient(url, apiKey), service),
    limits: isOpenAi ? OPENAI_LIMITS : OTHER_LIMITS,
  })
}

function openAiTransport(client: OpenAI, service: Service): EmbeddingTransport {
  const refused = new Refused()
  return {
    async embed(texts, signal) {
      const asking = () => ask(client, service, texts, { refused, signal })
      const { data, usage } = await refused.heeding(asking)
      const inOrder = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
      return {
        vectors: inOrder.map(({ embedding }) => embedding),
        tokens: usage?.total_tokens ?? usage?.prompt_tokens ?? undefined,
      }
    },
    async inspect(signal) {
      // Not all of them list their models; whatever they say, they answer.
      await client.models.list({ signal }).catch((error: unknown) => {
        if (!(error instanceof Error && 'status' in error && typeof error.status === 'number')) throw error
      })
      return `${service.model} at ${shownUrl(service.url)}`
    },
  }
}

async function ask(
  client: OpenAI,
  service: Service,
  texts: readonly string[],
  { refused, signal }: { refused: Refused; signal: AbortSignal },
) {
  let answer: unknown
  try {
    const asked = { model: service.model, input: [...texts] }
    // Packed numbers, the library's own choice, are not known everywhere, and some do not even know the word.
    const format = refused.has('encoding_format') ? {} : { encoding_format: 'float' as const }
    answer =
      service.url === OPENAI_URL
        ? await client.embeddings.create(asked, { signal })
        : await client.post('/embeddings', { body: { ...asked, ...format }, signal })
  } catch (error) {
    // The library trips over answers of the wrong shape while decoding them.
    if (error instanceof TypeError) throw nonsense(service, 'something other than embeddings')
    throw error
  }
  const parsed = Answer.safeParse(answer)
  if (parsed.success) return parsed.data
  const isPage = typeof answer === 'string' && /<html|<!doctype/i.test(answer)
  throw nonsense(service, isPage ? 'a web page' : 'something other than embeddings')
}

async function openClient(url: string, apiKey: string | undefined): Promise<OpenAI> {
  const { default: Client } = await loadLibrary('openai', () => import('openai'))
  return new Client({
    baseURL: url,
    apiKey: apiKey ?? 'none',
    // Given explicitly: otherwise the library would look into the environment by itself.
    organization: null,
    project: null,
    // Retries are ours: only we know whether somebody is waiting.
    maxRetries: 0,
    logLevel: 'off',
  })
}
