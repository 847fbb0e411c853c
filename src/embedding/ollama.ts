import { z } from 'zod'
import { ollamaModelName, ollamaService, openOllamaClient, showOllamaModel } from '../services/ollama.ts'
import { nonsense, type Service } from '../services/service.ts'
import { shownUrl } from '../text/shown-url.ts'
import type { Embedder } from './embedder.ts'
import { knownOllamaModel } from './models.ts'
import { openRemoteEmbedder, type RemoteOptions } from './remote.ts'
import type { EmbeddingTransport } from './remote-client.ts'

export interface OllamaEmbedderOptions extends Pick<RemoteOptions, 'timeouts' | 'silent' | 'measured'> {
  model?: string
  url?: string
  /** For an Ollama behind a gateway that wants one. */
  apiKey?: string
}

/**
 * A machine without a graphics card has been seen to take 38 ms for a token. So few at once, whatever their number, are
 * done within two and a half minutes there, and a search in between does not wait for long.
 */
const LIMITS = { texts: 16, tokens: 2_048, msPerToken: 75 }

const Answer = z.object({ embeddings: z.array(z.unknown()), prompt_eval_count: z.number().nullish() })
const Tags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string().nullish() })) })
const Version = z.object({ version: z.string() })

export function openOllamaEmbedder({
  model = 'nomic-embed-text',
  url,
  apiKey,
  ...options
}: OllamaEmbedderOptions = {}): Promise<Embedder> {
  const service = ollamaService({ model, url }, 'embedding')
  return openRemoteEmbedder({
    ...options,
    provider: 'ollama',
    service,
    name: ollamaModelName(model),
    known: knownOllamaModel(model),
    transport: ollamaTransport(service, apiKey),
    limits: LIMITS,
  })
}

function ollamaTransport(service: Service, apiKey: string | undefined): EmbeddingTransport {
  const client = (signal: AbortSignal) => openOllamaClient(service, { apiKey, signal })

  return {
    loadsModels: true,
    async embed(texts, signal) {
      const ollama = await client(signal)
      const answer = Answer.safeParse(
        await ollama.embed({ model: service.model, input: [...texts], truncate: true }),
      )
      if (!answer.success) throw nonsense(service, 'something other than embeddings')
      return { vectors: answer.data.embeddings, tokens: answer.data.prompt_eval_count ?? undefined }
    },
    async inspect(signal) {
      const ollama = await client(signal)
      const version = Version.safeParse(await ollama.version())
      if (!version.success) throw nonsense(service, 'something that Ollama would not say')
      await showOllamaModel(ollama, service)
      return `Ollama ${version.data.version} at ${shownUrl(service.url)}`
    },
    async version(signal) {
      const tags = Tags.safeParse(await (await client(signal)).list())
      const wanted = ollamaModelName(service.model)
      return tags.data?.models.find(({ name }) => ollamaModelName(name) === wanted)?.digest ?? undefined
    },
  }
}
