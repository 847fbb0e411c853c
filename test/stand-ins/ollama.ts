import { z } from 'zod'
import { type EmbeddingService, startEmbeddingService } from './embedding-service.ts'

/** POST /api/embed as documented; anything else in the request is a mistake of ours. */
const EmbedRequest = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string())]),
  truncate: z.boolean().optional(),
  dimensions: z.int().positive().optional(),
  keep_alive: z.union([z.string(), z.number()]).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
})

export interface OllamaStandInOptions {
  models?: string[]
  dimensions?: number
  /** In characters; longer input is refused even with `truncate`, as some versions do. */
  context?: number
}

export function startOllama({
  models = ['nomic-embed-text:latest'],
  dimensions = 768,
  context = Number.POSITIVE_INFINITY,
}: OllamaStandInOptions = {}): Promise<EmbeddingService> {
  return startEmbeddingService(
    {
      embedPath: '/api/embed',
      error: (_status, message) => ({ error: message }),
      other({ method, path }) {
        if (method === 'GET' && path === '/api/version') return { status: 200, body: { version: '0.12.3' } }
        if (method === 'GET' && path === '/api/tags')
          return {
            status: 200,
            body: { models: models.map((name) => ({ name, model: name, size: 1, digest: 'd' })) },
          }
        return undefined
      },
      answer({ method, body }, embed) {
        const request = EmbedRequest.safeParse(body)
        if (method !== 'POST' || !request.success) return { status: 400, body: { error: 'invalid request' } }
        const { model, input } = request.data
        if (!models.includes(model) && !models.includes(`${model}:latest`))
          return { status: 404, body: { error: `model "${model}" not found, try pulling it first` } }
        const texts = typeof input === 'string' ? [input] : input
        if (texts.some((text) => text.length > context))
          return { status: 400, body: { error: 'the input length exceeds the context length' } }
        const tokens = texts.join(' ').split(/\s+/).length
        return {
          status: 200,
          body: {
            model,
            embeddings: embed(texts),
            total_duration: 1,
            load_duration: 1,
            prompt_eval_count: tokens,
          },
        }
      },
    },
    dimensions,
  )
}
