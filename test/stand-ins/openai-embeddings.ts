import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base'
import { z } from 'zod'
import { type EmbeddingService, startEmbeddingService } from './embedding-service.ts'

/** POST /v1/embeddings as documented; anything else in the request is a mistake of ours. */
const EmbeddingsRequest = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.string().min(1)).min(1).max(2048),
  encoding_format: z.enum(['float', 'base64']).default('float'),
  dimensions: z.int().positive().optional(),
  user: z.string().optional(),
})
const MOST_TOKENS = 300_000
const MOST_TOKENS_PER_TEXT = 8_192
const AS_TEXT = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

export interface OpenAiStandInOptions {
  key?: string
  models?: string[]
  dimensions?: number
  /** Refuses requests with that in them. */
  refuses?: 'encoding_format'
  /** As the least of the servers that imitate it: hardly any usage, plain numbers only, in order and without saying so. */
  bare?: boolean
}

export const OPENAI_TEST_KEY = 'sk-for-the-stand-in'

export function startOpenAi({
  key = OPENAI_TEST_KEY,
  models = ['text-embedding-3-small'],
  dimensions = 1536,
  bare = false,
  refuses,
}: OpenAiStandInOptions = {}): Promise<EmbeddingService> {
  const error = (_status: number, message: string, code: string | null = null) => ({
    error: { message, type: 'invalid_request_error', param: null, code },
  })
  return startEmbeddingService(
    {
      embedPath: '/v1/embeddings',
      error,
      other: ({ path }) =>
        path === '/v1/models' && !bare
          ? { status: 200, body: { object: 'list', data: models.map((id) => ({ id, object: 'model' })) } }
          : undefined,
      answer({ method, headers, body }, embed) {
        if (headers.authorization !== `Bearer ${key}`)
          return { status: 401, body: error(401, 'Incorrect API key provided', 'invalid_api_key') }
        if (refuses && refuses in body)
          return { status: 400, body: error(400, `Unrecognized request argument supplied: ${refuses}`) }
        const request = EmbeddingsRequest.safeParse(body)
        if (method !== 'POST' || !request.success)
          return { status: 400, body: error(400, request.error?.issues[0]?.message ?? 'not a POST') }
        const { model, input, encoding_format: format } = request.data
        if (!models.includes(model))
          return { status: 404, body: error(404, `The model ${model} does not exist`, 'model_not_found') }
        const counts = input.map((text) => countTokens(text, AS_TEXT))
        const tokens = counts.reduce((sum, count) => sum + count, 0)
        if (tokens > MOST_TOKENS || counts.some((count) => count > MOST_TOKENS_PER_TEXT))
          return { status: 400, body: error(400, 'maximum context length exceeded') }
        if (bare && 'dimensions' in request.data)
          return { status: 400, body: error(400, 'dimensions is not supported') }
        if (bare && format !== 'float')
          return { status: 400, body: error(400, 'encoding_format must be float') }
        const data = embed(input).map((embedding, index) => ({
          object: 'embedding',
          index,
          embedding: format === 'base64' && isVector(embedding) ? base64(embedding) : embedding,
        }))
        const plain = data.map(({ embedding }) => ({ embedding }))
        if (bare) return { status: 200, body: { data: plain, usage: { prompt_tokens: tokens } } }
        // The documentation promises an index, not an order.
        const usage = { prompt_tokens: tokens, total_tokens: tokens }
        return { status: 200, body: { object: 'list', model, data: data.toReversed(), usage } }
      },
    },
    dimensions,
  )
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((component) => typeof component === 'number')
}

function base64(vector: number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64')
}
