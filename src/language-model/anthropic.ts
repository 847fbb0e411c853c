import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { once } from '../deferred.ts'
import { loadLibrary } from '../services/load-library.ts'
import type { Service } from '../services/service.ts'
import type { ChatMessage } from './chat-message.ts'
import type { CompletionRequest, LanguageModel } from './language-model.ts'
import { type PriceTable, priceOf } from './prices.ts'
import {
  DEFAULT_LIMITS,
  DEFAULT_RETRIES,
  type ModelAnswer,
  type ModelTransport,
  remoteModel,
  type ServiceOptions,
} from './remote.ts'
import { keyedService, readAnswer, requireKey, toolInput } from './service-answers.ts'

const KEY = 'ANTHROPIC_API_KEY'

export interface AnthropicOptions extends ServiceOptions {
  apiKey: string | undefined
  prices?: PriceTable
}

/** Only what we read; the service may add fields at any time. */
const Message = z.object({
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullish(),
  usage: z.object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    cache_read_input_tokens: z.number().nullish(),
    cache_creation_input_tokens: z.number().nullish(),
  }),
})
const TextBlock = z.object({ type: z.literal('text'), text: z.string() })
const ToolBlock = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
})

export function anthropicModel(options: AnthropicOptions): LanguageModel {
  const service = keyedService('Anthropic', KEY, options, 'https://api.anthropic.com')
  return remoteModel({
    provider: 'anthropic',
    service,
    price: priceOf(options.model, options.prices),
    transport: anthropicTransport(options, service),
    options,
  })
}

function anthropicTransport(options: AnthropicOptions, service: Service): ModelTransport {
  const client = once(() => openClient(options, service))
  return {
    async complete({ request }, signal) {
      const { messages } = await client()
      return toAnswer(await messages.create(requestBody(options.model, request), { signal }), service)
    },
    async stream({ request }, parts, signal) {
      const { messages } = await client()
      const stream = messages.stream(requestBody(options.model, request), { signal })
      stream.on('text', parts.onText)
      stream.on('thinking', parts.onThinking)
      stream.on('streamEvent', parts.onPart)
      return toAnswer(await stream.finalMessage(), service)
    },
    async inspect(signal) {
      await (await client()).models.retrieve(options.model, {}, { signal })
    },
  }
}

async function openClient(options: AnthropicOptions, service: Service): Promise<Anthropic> {
  const apiKey = requireKey(options.apiKey, service, KEY)
  const { default: Client } = await loadLibrary('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'))
  return new Client({
    apiKey,
    // Given explicitly: otherwise the library would look into the environment by itself.
    baseURL: service.url,
    timeout: options.limits?.startMs ?? DEFAULT_LIMITS.startMs,
    maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
    logLevel: 'off',
  })
}

function requestBody(model: string, request: CompletionRequest): Anthropic.MessageCreateParamsNonStreaming {
  return {
    model,
    max_tokens: request.maxTokens,
    messages: request.messages.map(toParam),
    ...(request.system && { system: request.system }),
    ...(request.tools?.length && {
      tools: request.tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        input_schema: { type: 'object' as const, ...tool.parameters },
      })),
    }),
  }
}

function toParam(message: ChatMessage): Anthropic.MessageParam {
  if (message.role === 'user') return { role: 'user', content: message.content }
  if (message.role === 'tool') {
    return {
      role: 'user',
      content: message.results.map((result) => ({
        type: 'tool_result' as const,
        tool_use_id: result.callId,
        content: result.content,
        is_error: result.isError,
      })),
    }
  }
  // Thinking blocks are signed: an answer with tool calls goes back exactly as it came.
  if (message.opaque) return { role: 'assistant', content: message.opaque as Anthropic.ContentBlockParam[] }
  const calls = (message.toolCalls ?? []).map((call) => ({
    type: 'tool_use' as const,
    id: call.id,
    name: call.name,
    input: call.input,
  }))
  const text = message.content ? [{ type: 'text' as const, text: message.content }] : []
  return { role: 'assistant', content: [...text, ...calls] }
}

function toAnswer(message: unknown, service: Service): ModelAnswer {
  const { content, stop_reason: stop, usage } = readAnswer(Message, message, service)
  return {
    text: content.flatMap((block) => TextBlock.safeParse(block).data?.text ?? []).join(''),
    toolCalls: content.flatMap((block) => {
      const call = ToolBlock.safeParse(block).data
      return call ? [{ id: call.id, name: call.name, input: toolInput(call.input) }] : []
    }),
    stop: stop === 'max_tokens' ? 'length' : stop === 'refusal' ? 'refused' : 'end',
    opaque: content,
    tokens: {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    },
  }
}
