import type OpenAI from 'openai'
import { once } from '../deferred.ts'
import { Refused } from '../services/compatible.ts'
import { loadLibrary } from '../services/load-library.ts'
import { wrongOpenAiAddress } from '../services/openai-address.ts'
import { paidFetch } from '../services/patient-fetch.ts'
import type { Service } from '../services/service.ts'
import type { ChatMessage } from './chat-message.ts'
import type { CompletionRequest, LanguageModel } from './language-model.ts'
import { type OpenAiAnswer, readChat, readChatStream, requireWhole } from './openai-answer.ts'
import { type PriceTable, priceOf } from './prices.ts'
import { LONGEST_TIMER } from './pulse.ts'
import { type ModelAnswer, type ModelTransport, remoteModel, type ServiceOptions } from './remote.ts'
import { keyedService, requireKey } from './service-answers.ts'

const KEY = 'OPENAI_API_KEY'
const OPENAI_URL = 'https://api.openai.com/v1'

/** `baseUrl`: any service that speaks the chat completions protocol. */
export interface OpenAiModelOptions extends ServiceOptions {
  apiKey: string | undefined
  prices?: PriceTable
}

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
  const body = (request: CompletionRequest) => requestBody(options, request, refused)
  let thinks = thinksByName(options.model)
  /** Some never say why an answer ends; of the others one without it is half an answer. */
  let saysEnd = isOpenAi
  const learn = (answer: OpenAiAnswer): ModelAnswer => {
    saysEnd ||= answer.saysEnd
    if (answer.thought) thinks = true
    const { saysEnd: _, thought: __, ...rest } = answer
    return rest
  }
  const transport: ModelTransport = {
    async stream({ request }, parts, signal) {
      const { chat } = await client()
      return refused.heeding(async () => {
        const usage = refused.has('stream_options') ? {} : { stream_options: { include_usage: true } }
        const asked = { ...body(request), ...usage, stream: true as const }
        const pieces = await chat.completions.create(asked, { signal })
        const answer = await readChatStream(pieces, parts, service)
        // The library ends a stream that is not wanted any more without a word.
        signal.throwIfAborted()
        return learn(requireWhole(answer, service, saysEnd))
      })
    },
    inspect: async (signal) => inspect(await client(), options.model, signal),
    limits: async () => ({ tools: !refused.has('tools'), ...(thinks !== undefined && { thinks }) }),
  }
  if (!isOpenAi) return transport
  return {
    ...transport,
    // Only a service that is never slow: elsewhere it can be seen only part by part that an answer goes on.
    async complete({ request }, signal) {
      const { chat } = await client()
      return refused.heeding(async () =>
        learn(readChat(await chat.completions.create(body(request), { signal }), service)),
      )
    },
  }
}

/** Of OpenAI's own models and those whose names say it; undefined of any other, which may. */
function thinksByName(model: string): boolean | undefined {
  const name = model.toLowerCase().replace(/^.*\//, '')
  if (/^(?:gpt-[34]|chatgpt-4)/.test(name)) return false
  return /^(?:o\d|gpt-[5-9]|gpt-oss)|think|reason|qwq|-r1\b/.test(name) || undefined
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
    await client.post('/chat/completions', { body: {}, signal })
  } catch (error) {
    const status = statusOf(error)
    if (status === undefined || status === 404) throw error
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error ? (error.status as number | undefined) : undefined
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
    fetch: paidFetch,
    // Retries are ours: each of them is a call that has to be counted.
    maxRetries: 0,
    logLevel: 'off',
  })
}

function requestBody(
  { model, effort = 'low' }: OpenAiModelOptions,
  request: CompletionRequest,
  refused: Refused,
): OpenAI.Chat.ChatCompletionCreateParamsNonStreaming {
  return {
    model,
    // The old name is the one that all others know; an unknown name would be passed over, and the answer endless.
    [refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']: request.maxTokens,
    ...(request.think === false &&
      thinksByName(model) !== false &&
      !refused.has('reasoning_effort') && { reasoning_effort: effort }),
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
