import { z } from 'zod'
import { RalphError } from '../errors.ts'
import { openOllamaClient } from '../services/ollama.ts'
import { nonsense, type Service } from '../services/service.ts'
import { shownUrl } from '../text/shown-url.ts'
import type { Embedder } from './embedder.ts'
import { knownOllamaModel } from './models.ts'
import { type EmbeddingTransport, openRemoteEmbedder, type RemoteOptions } from './remote.ts'

export interface OllamaEmbedderOptions {
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
}: OllamaEmbedderOptions = {}): Promise<Embedder> {
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
    known: knownOllamaModel(model),
    transport: ollamaTransport(service, apiKey),
    limits: { texts: MAX_TEXTS, tokens: Number.POSITIVE_INFINITY },
    timeouts,
  })
}

function ollamaTransport(service: Service, apiKey: string | undefined): EmbeddingTransport {
  const client = (signal: AbortSignal) => openOllamaClient(service, { apiKey, signal })

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
      return `Ollama ${version.data.version} at ${shownUrl(service.url)}`
    },
  }
}
