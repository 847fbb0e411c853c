import type Anthropic from '@anthropic-ai/sdk'
import { z } from 'zod'
import { RalphError, throwIfAborted } from '../errors.ts'
import { loadLibrary } from '../services/load-library.ts'
import { nonsense, type Service, serviceError } from '../services/service.ts'
import type { ChatMessage, Completion, CompletionRequest, LanguageModel } from './language-model.ts'
import { costOf, type PriceTable, priceOf, worstCostOf } from './prices.ts'
import {
  answerFault,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  modelHints,
  promptText,
  type ServiceOptions,
  toolInput,
} from './service.ts'

export interface AnthropicOptions extends ServiceOptions {
  apiKey: string | undefined
  baseUrl?: string
  prices?: PriceTable
}

const ANTHROPIC_URL = 'https://api.anthropic.com'

/** Only what we read; the service may add fields at any time. */
const Answer = z.object({
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
  const price = priceOf(options.model, options.prices)
  const service: Service = {
    name: 'Anthropic',
    url: options.baseUrl ?? ANTHROPIC_URL,
    model: options.model,
    hints: modelHints('Check ANTHROPIC_API_KEY and language_model.url, then run: ralph doctor'),
    stumbles: true,
  }
  let opened: Promise<Anthropic> | undefined

  const client = (): Promise<Anthropic> => {
    opened ??= openClient(options, service).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  const run = async (
    request: CompletionRequest,
    onText: ((piece: string) => void) | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Completion> => {
    throwIfAborted(signal)
    try {
      const anthropic = await client()
      const body = requestBody(options.model, request)
      if (!onText) {
        return toCompletion(await anthropic.messages.create(body, signal ? { signal } : {}), price, service)
      }
      const stream = anthropic.messages.stream(body, signal ? { signal } : {})
      stream.on('text', onText)
      return toCompletion(await stream.finalMessage(), price, service)
    } catch (error) {
      throw serviceError(error, service, signal)
    }
  }

  return {
    id: `anthropic:${options.model}`,
    complete: (request, signal) => run(request, undefined, signal),
    stream: run,
    worstCost: (request) => price && worstCostOf(price, promptText(request), request.maxTokens),
    async check(signal) {
      try {
        await (await client()).models.retrieve(options.model, {}, signal ? { signal } : {})
        return { ok: true, detail: `${options.model} at Anthropic` }
      } catch (error) {
        const { message, hint } = serviceError(error, service, signal)
        return { ok: false, detail: message, ...(hint && { hint }) }
      }
    },
  }
}

async function openClient(options: AnthropicOptions, { url }: Service): Promise<Anthropic> {
  if (!options.apiKey) {
    throw new RalphError('unavailable', 'no key for Anthropic is configured', {
      hint: 'Set ANTHROPIC_API_KEY, or language_model.api_key in the configuration.',
    })
  }
  const { default: Client } = await loadLibrary('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'))
  return new Client({
    apiKey: options.apiKey,
    // Given explicitly: otherwise the library would look into the environment by itself.
    baseURL: url,
    timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
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

function toCompletion(message: unknown, price: ReturnType<typeof priceOf>, service: Service): Completion {
  const parsed = Answer.safeParse(message)
  if (!parsed.success) throw nonsense(service, answerFault(parsed.error))
  const { content, stop_reason: stop, usage } = parsed.data
  const text = content.flatMap((block) => TextBlock.safeParse(block).data?.text ?? []).join('')
  const toolCalls = content.flatMap((block) => {
    const call = ToolBlock.safeParse(block).data
    return call ? [{ id: call.id, name: call.name, input: toolInput(call.input) }] : []
  })
  const cacheRead = usage.cache_read_input_tokens ?? 0
  const cacheWrite = usage.cache_creation_input_tokens ?? 0
  return {
    text,
    toolCalls,
    stop: toolCalls.length
      ? 'tools'
      : stop === 'max_tokens'
        ? 'length'
        : stop === 'refusal'
          ? 'refused'
          : 'end',
    opaque: content,
    usage: {
      inputTokens: usage.input_tokens + cacheRead + cacheWrite,
      outputTokens: usage.output_tokens,
      ...(price && {
        costUsd: costOf(price, {
          input: usage.input_tokens,
          output: usage.output_tokens,
          cacheRead,
          cacheWrite,
        }),
      }),
    },
  }
}
