import type OpenAI from 'openai'
import { z } from 'zod'
import { once } from '../deferred.ts'
import { loadLibrary } from '../services/load-library.ts'
import type { Service } from '../services/service.ts'
import type { ChatMessage, CompletionRequest, LanguageModel } from './language-model.ts'
import { type PriceTable, priceOf } from './prices.ts'
import {
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  keyedService,
  type ModelAnswer,
  type ModelTransport,
  readAnswer,
  remoteModel,
  requireKey,
  type ServiceOptions,
  toolInput,
} from './remote.ts'

const KEY = 'OPENAI_API_KEY'

/** `baseUrl`: any service that speaks the chat completions protocol. */
export interface OpenAiModelOptions extends ServiceOptions {
  apiKey: string | undefined
  prices?: PriceTable
}

const Usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
})
const ChatCompletion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: Usage.nullish(),
})

export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  const service = keyedService('OpenAI', KEY, options, 'https://api.openai.com/v1')
  return remoteModel({
    provider: 'openai',
    service,
    price: priceOf(options.model, options.prices),
    transport: openAiTransport(options, service),
  })
}

function openAiTransport(options: OpenAiModelOptions, service: Service): ModelTransport {
  const client = once(() => openClient(options, service))
  return {
    async complete(request, signal) {
      const { chat } = await client()
      return toAnswer(await chat.completions.create(requestBody(options.model, request), { signal }), service)
    },
    async stream(request, onText, signal) {
      const { chat } = await client()
      const stream = chat.completions.stream(
        { ...requestBody(options.model, request), stream: true, stream_options: { include_usage: true } },
        { signal },
      )
      stream.on('content', onText)
      return toAnswer(await stream.finalChatCompletion(), service)
    },
    async inspect(signal) {
      await (await client()).models.retrieve(options.model, { signal })
    },
  }
}

async function openClient(options: OpenAiModelOptions, service: Service): Promise<OpenAI> {
  const apiKey = requireKey(options.apiKey, service, KEY)
  const { default: Client } = await loadLibrary('openai', () => import('openai'))
  return new Client({
    apiKey,
    // Given explicitly: otherwise the library would look into the environment by itself.
    organization: null,
    project: null,
    baseURL: service.url,
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
    logLevel: 'off',
  })
}

function requestBody(
  model: string,
  request: CompletionRequest,
): OpenAI.Chat.ChatCompletionCreateParamsNonStreaming {
  return {
    model,
    max_completion_tokens: request.maxTokens,
    messages: [
      ...(request.system ? [{ role: 'system' as const, content: request.system }] : []),
      ...request.messages.flatMap(toParams),
    ],
    ...(request.tools?.length && {
      tools: request.tools.map((tool) => ({
        type: 'function' as const,
        function: { name: tool.name, description: tool.description, parameters: tool.parameters },
      })),
    }),
  }
}

function toParams(message: ChatMessage): OpenAI.Chat.ChatCompletionMessageParam[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content }]
  if (message.role === 'tool') {
    return message.results.map((result) => ({
      role: 'tool',
      tool_call_id: result.callId,
      content: result.content,
    }))
  }
  return [
    {
      role: 'assistant',
      content: message.content,
      ...(message.toolCalls?.length && {
        tool_calls: message.toolCalls.map((call) => ({
          type: 'function' as const,
          id: call.id,
          function: { name: call.name, arguments: JSON.stringify(call.input) },
        })),
      }),
    },
  ]
}

function toAnswer(value: unknown, service: Service): ModelAnswer {
  const { choices, usage } = readAnswer(ChatCompletion, value, service)
  const { message, finish_reason: finish } = choices[0]!
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? 0
  return {
    text: message.content ?? message.refusal ?? '',
    toolCalls: (message.tool_calls ?? []).map((call) => ({
      id: call.id,
      name: call.function.name,
      input: toolInput(call.function.arguments),
    })),
    stop: message.refusal || finish === 'content_filter' ? 'refused' : finish === 'length' ? 'length' : 'end',
    // Compatible services may leave usage out.
    tokens: usage
      ? { input: usage.prompt_tokens - cacheRead, output: usage.completion_tokens, cacheRead }
      : undefined,
  }
}
