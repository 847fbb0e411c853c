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
  type Effort,
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
  usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_read_input_tokens: z.number().nullish(),
      cache_creation_input_tokens: z.number().nullish(),
    })
    .optional()
    .catch(undefined),
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
  const thinking = new LeastThinking(options)
  const body = (request: CompletionRequest) => ({
    ...requestBody(options.model, request),
    ...(request.think === false && thinking.asked),
  })
  return {
    async complete({ request }, signal) {
      const { messages } = await client()
      return thinking.heeding(async () => toAnswer(await messages.create(body(request), { signal }), service))
    },
    async stream({ request }, parts, signal) {
      const { messages } = await client()
      return thinking.heeding(async () => {
        const stream = messages.stream(body(request), { signal })
        stream.on('text', parts.onText)
        stream.on('thinking', parts.onThinking)
        stream.on('streamEvent', parts.onPart)
        return toAnswer(await stream.finalMessage(), service)
      })
    },
    limits: async () => ({ tools: true, thinks: thinksUnlessTold(options.model) }),
    async inspect(signal) {
      await (await client()).models.retrieve(options.model, {}, { signal })
    },
  }
}

/** Until the fourth generation only where it is asked for. */
function thinksUnlessTold(model: string): boolean {
  return !/^claude-(?:3|(?:opus|sonnet|haiku)-4)/.test(model.replace(/^.*\//, ''))
}

type Thinking = Pick<Anthropic.MessageCreateParamsNonStreaming, 'thinking' | 'output_config'>

/** From none to what every model takes: which of them one knows, it says by refusing, which costs nothing. */
const LEAST: readonly Thinking[] = [
  { thinking: { type: 'disabled' } },
  { thinking: { type: 'between_tools' } },
  { output_config: { effort: 'low' } },
  {},
]

function thinkingFor(effort: Effort): readonly Thinking[] {
  return effort === 'medium' || effort === 'high' ? [{ output_config: { effort } }, {}] : LEAST
}

/** How little a model can be told to think. */
class LeastThinking {
  readonly #ways: Thinking[]

  constructor({ effort = 'low' }: ServiceOptions) {
    this.#ways = [...thinkingFor(effort)]
  }

  get asked(): Thinking {
    return this.#ways[0]!
  }

  async heeding<Result>(ask: () => Promise<Result>): Promise<Result> {
    const { asked } = this
    try {
      return await ask()
    } catch (error) {
      const isRefused = error instanceof Error && 'status' in error && error.status === 400
      if (!isRefused || this.#ways.length === 1 || !/thinking|output_config|effort/i.test(error.message))
        throw error
      // Another call may have found out meanwhile.
      if (this.asked === asked) this.#ways.shift()
      return this.heeding(ask)
    }
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
    // Retries are ours: each of them is a call that has to be counted.
    maxRetries: 0,
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
    tokens: usage && {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    },
  }
}
