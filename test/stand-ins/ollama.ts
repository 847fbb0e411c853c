import { z } from 'zod'
import { type EmbeddingService, startEmbeddingService } from './embedding-service.ts'
import { answerAbout, modelNamed, type OllamaModel, refusedName } from './ollama-models.ts'

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
  models?: readonly (string | OllamaModel)[]
  dimensions?: number
  /** In characters; longer input is refused even with `truncate`, as some versions do. */
  refuses?: number
}

const CONTEXT = 2_048

export function startOllama({
  models = ['nomic-embed-text'],
  dimensions = 768,
  refuses = Number.POSITIVE_INFINITY,
}: OllamaStandInOptions = {}): Promise<EmbeddingService> {
  const all = models.map((model): OllamaModel => (typeof model === 'string' ? embedding(model) : model))
  return startEmbeddingService(
    {
      embedPath: '/api/embed',
      error: (_status, message) => ({ error: message }),
      other: (request) => answerAbout(all, request),
      answer({ method, body }, embed) {
        const request = EmbedRequest.safeParse(body)
        if (method !== 'POST' || !request.success)
          return { status: 400, body: { error: 'invalid input type' } }
        const { model, input, truncate = true } = request.data
        const invalid = refusedName(model)
        if (invalid) return invalid
        const found = modelNamed(all, model)
        if (!found) return { status: 404, body: { error: `model '${model}' not found` } }
        // As the runner says it of a model that was not made for this.
        if (!found.capabilities?.includes('embedding'))
          return {
            status: 501,
            body: { error: 'This server does not support embeddings. Start it with `--embeddings`' },
          }
        const texts = (typeof input === 'string' ? [input] : input).map((text) => text.split(/(?<=\s)/))
        const { context = CONTEXT } = found
        const isLong = (words: readonly string[]) => !truncate && words.length > context
        if (texts.some((words) => isLong(words) || words.join('').length > refuses))
          return { status: 400, body: { error: 'the input length exceeds the context length' } }
        const read = texts.map((words) => words.slice(0, context))
        return {
          status: 200,
          body: {
            model,
            embeddings: embed(read.map((words) => words.join(''))),
            total_duration: 1,
            load_duration: 1,
            prompt_eval_count: read.reduce((sum, words) => sum + words.length, 0),
          },
        }
      },
    },
    dimensions,
  )
}

function embedding(name: string): OllamaModel {
  return { name, capabilities: ['embedding'] }
}
