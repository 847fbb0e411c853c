import type OpenAI from 'openai'
import { z } from 'zod'
import { once } from '../deferred.ts'
import { loadLibrary } from '../services/load-library.ts'
import { wrongOpenAiAddress } from '../services/openai-address.ts'
import { patientFetch } from '../services/patient-fetch.ts'
import { nonsense, type Service } from '../services/service.ts'
import type { ChatMessage } from './chat-message.ts'
import { Refused } from './compatible.ts'
import type { CompletionRequest, LanguageModel } from './language-model.ts'
import { type PriceTable, priceOf } from './prices.ts'
import { LONGEST_TIMER } from './pulse.ts'
import {
  DEFAULT_RETRIES,
  type ModelAnswer,
  type ModelTransport,
  remoteModel,
  type ServiceOptions,
} from './remote.ts'
import { keyedService, readAnswer, requireKey, toolInput } from './service-answers.ts'

const KEY = 'OPENAI_API_KEY'
const OPENAI_URL = 'https://api.openai.com/v1'

/** `baseUrl`: any service that speaks the chat completions protocol. */
export interface OpenAiModelOptions extends ServiceOptions {
  apiKey: string | undefined
  prices?: PriceTable
}

/** Compatible services may leave it out, or parts of it. */
const Usage = z
  .object({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  })
  .optional()
  .catch(undefined)
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
              z.object({
                id: z.string().nullish(),
                function: z.object({ name: z.string(), arguments: z.unknown() }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: Usage,
})

export function openAiModel(options: OpenAiModelOptions): LanguageModel {
  const isOpenAi = (options.baseUrl ?? OPENAI_URL) === OPENAI_URL
  const service: Service = {
    ...keyedService(isOpenAi ? 'OpenAI' : 'the OpenAI-compatible service', KEY, options, OPENAI_URL),
    explain: (answer) => wrongOpenAiAddress(answer, service, 'language_model.url'),
  }
  return remoteModel({
    provider: 'openai',
    service,
    price: priceOf(options.model, options.prices),
    transport: openAiTransport(options, service),
    options,
  })
}

function openAiTransport(options: OpenAiModelOptions, service: Service): ModelTransport {
  const client = once(() => openClient(options, service))
  const isOpenAi = service.url === OPENAI_URL
  const refused = new Refused(...(isOpenAi ? (['max_tokens'] as const) : []))
  const body = (request: CompletionRequest) => requestBody(options.model, request, refused)
  const transport: ModelTransport = {
    async stream({ request }, parts, signal) {
      const { chat } = await client()
      return refused.heeding(async () => {
        const usage = refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }
        const stream = chat.completions.stream({ ...body(request), stream: true, ...usage }, { signal })
        stream.on('content', parts.onText)
        stream.on('chunk', (chunk) => (isThinking(chunk) ? parts.onThinking() : parts.onPart()))
        return toAnswer(await stream.finalChatCompletion().catch(asHalf(service)), service)
      })
    },
    inspect: async (signal) => inspect(await client(), options.model, signal),
    limits: () => Promise.resolve({ tools: !refused.has('tools') }),
  }
  if (!isOpenAi) return transport
  return {
    ...transport,
    // Only a service that is never slow: elsewhere it can be seen only part by part that an answer goes on.
    async complete({ request }, signal) {
      const { chat } = await client()
      return toAnswer(await chat.completions.create(body(request), { signal }), service)
    },
  }
}

/** How the library words that a stream ended before its answer did. */
const HALF = /^(?:missing |request ended without|stream ended without|stream has ended)/

function asHalf(service: Service): (error: unknown) => never {
  return (error) => {
    throw error instanceof Error && HALF.test(error.message) ? nonsense(service, 'half an answer') : error
  }
}

/** Compatible services may only list their models, or not even that; one with a single model takes any name for it. */
async function inspect(client: OpenAI, model: string, signal: AbortSignal): Promise<void> {
  try {
    await client.models.retrieve(model, { signal })
  } catch (error) {
    if (statusOf(error) !== 404) throw error
    const listed = await client.models.list({ signal }).catch((reason: unknown) => {
      if (statusOf(reason) === undefined) throw reason
      return undefined
    })
    if (!listed) await requireChat(client, signal)
    else if (listed.data.length > 1 && !listed.data.some(({ id }) => id === model)) throw error
  }
}

/** Refuses what asks for nothing, if only it is the right address: any other does not even have the page. */
async function requireChat(client: OpenAI, signal: AbortSignal): Promise<void> {
  try {
    await client.post('/chat/completions', { body: {}, signal, maxRetries: 0 })
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined || status === 404) throw error
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error ? (error.status as number | undefined) : undefined
}

/** Compatible services send what a model thinks under names of their own. */
const Thinking = z.object({
  choices: z.tuple([
    z.object({
      delta: z.union([
        z.object({ reasoning_content: z.string().min(1) }),
        z.object({ reasoning: z.string().min(1) }),
      ]),
    }),
  ]),
})

function isThinking(chunk: unknown): boolean {
  return Thinking.safeParse(chunk).success
}

async function openClient(options: OpenAiModelOptions, service: Service): Promise<OpenAI> {
  // Services of one's own usually want none.
  const apiKey = service.url === OPENAI_URL ? requireKey(options.apiKey, service, KEY) : options.apiKey
  const { default: Client } = await loadLibrary('openai', () => import('openai'))
  return new Client({
    apiKey: apiKey || 'none',
    // Given explicitly: otherwise the library would look into the environment by itself.
    organization: null,
    project: null,
    baseURL: service.url,
    // Silence is noticed outside; the fetch of Node would give up after five minutes, whatever is set.
    timeout: LONGEST_TIMER,
    fetch: patientFetch,
    maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
    logLevel: 'off',
  })
}

function requestBody(
  model: string,
  request: CompletionRequest,
  refused: Refused,
): OpenAI.Chat.ChatCompletionCreateParamsNonStreaming {
  return {
    model,
    // The old name is the one that all others know; an unknown name would be passed over, and the answer endless.
    [refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: request.maxTokens,
    messages: [
      ...(request.system ? [{ role: 'system' as const, content: request.system }] : []),
      ...request.messages.flatMap(toParams),
    ],
    ...(!refused.has('tools') &&
      request.tools?.length && {
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
    toolCalls: (message.tool_calls ?? []).map((call, index) => ({
      id: call.id || `call_${index + 1}`,
      name: call.function.name,
      input: toolInput(call.function.arguments),
    })),
    stop: message.refusal || finish === 'content_filter' ? 'refused' : finish === 'length' ? 'length' : 'end',
    tokens: usage
      ? { input: usage.prompt_tokens - cacheRead, output: usage.completion_tokens, cacheRead }
      : undefined,
  }
}
