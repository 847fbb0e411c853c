import type OpenAI from 'openai'
import { z } from 'zod'
import { RalphError, throwIfAborted } from '../errors.ts'
import { loadLibrary } from '../services/load-library.ts'
import { nonsense, type Service, serviceError } from '../services/service.ts'
import type { ChatMessage, Completion, CompletionRequest, LanguageModel, ToolCall } from './language-model.ts'
import { costOf, type Price, type PriceTable, priceOf, worstCostOf } from './prices.ts'
import {
  answerFault,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  modelHints,
  promptText,
  type ServiceOptions,
  toolInput,
} from './service.ts'

export interface OpenAiOptions extends ServiceOptions {
  apiKey: string | undefined
  /** Any service that speaks the chat completions protocol. */
  baseUrl?: string
  prices?: PriceTable
}

const OPENAI_URL = 'https://api.openai.com/v1'

const Usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
})
const Answer = z.object({
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
type Answer = z.infer<typeof Answer>

export function openAiModel(options: OpenAiOptions): LanguageModel {
  const price = priceOf(options.model, options.prices)
  const service: Service = {
    name: 'OpenAI',
    url: options.baseUrl ?? OPENAI_URL,
    model: options.model,
    hints: modelHints('Check OPENAI_API_KEY and language_model.url, then run: ralph doctor'),
    stumbles: true,
  }
  let opened: Promise<OpenAI> | undefined

  const client = (): Promise<OpenAI> => {
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
      const openai = await client()
      const body = requestBody(options.model, request)
      if (!onText) {
        return toCompletion(
          await openai.chat.completions.create(body, signal ? { signal } : {}),
          price,
          service,
        )
      }
      const stream = openai.chat.completions.stream(
        { ...body, stream: true, stream_options: { include_usage: true } },
        signal ? { signal } : {},
      )
      stream.on('content', onText)
      return toCompletion(await stream.finalChatCompletion(), price, service)
    } catch (error) {
      throw serviceError(error, service, signal)
    }
  }

  return {
    id: `openai:${options.model}`,
    complete: (request, signal) => run(request, undefined, signal),
    stream: run,
    worstCost: (request) => price && worstCostOf(price, promptText(request), request.maxTokens),
    async check(signal) {
      try {
        await (await client()).models.retrieve(options.model, signal ? { signal } : {})
        return { ok: true, detail: `${options.model} at OpenAI` }
      } catch (error) {
        const { message, hint } = serviceError(error, service, signal)
        return { ok: false, detail: message, ...(hint && { hint }) }
      }
    },
  }
}

async function openClient(options: OpenAiOptions, { url }: Service): Promise<OpenAI> {
  if (!options.apiKey) {
    throw new RalphError('unavailable', 'no key for OpenAI is configured', {
      hint: 'Set OPENAI_API_KEY, or language_model.api_key in the configuration.',
    })
  }
  const { default: Client } = await loadLibrary('openai', () => import('openai'))
  return new Client({
    apiKey: options.apiKey,
    // Given explicitly: otherwise the library would look into the environment by itself.
    organization: null,
    project: null,
    baseURL: url,
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

function toCompletion(value: unknown, price: Price | undefined, service: Service): Completion {
  const parsed = Answer.safeParse(value)
  if (!parsed.success) throw nonsense(service, answerFault(parsed.error))
  const { message, finish_reason: finish } = parsed.data.choices[0]!
  const toolCalls: ToolCall[] = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    input: toolInput(call.function.arguments),
  }))
  return {
    text: message.content ?? message.refusal ?? '',
    toolCalls,
    stop: toolCalls.length
      ? 'tools'
      : message.refusal || finish === 'content_filter'
        ? 'refused'
        : finish === 'length'
          ? 'length'
          : 'end',
    usage: toUsage(parsed.data.usage, price),
  }
}

function toUsage(usage: Answer['usage'], price: Price | undefined): Completion['usage'] {
  // Compatible services may leave usage out: then neither tokens nor cost are known.
  if (!usage) return { inputTokens: 0, outputTokens: 0 }
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0
  return {
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    ...(price && {
      costUsd: costOf(price, {
        input: usage.prompt_tokens - cacheRead,
        output: usage.completion_tokens,
        cacheRead,
      }),
    }),
  }
}
