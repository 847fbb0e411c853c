import type { ChatRequest, Message } from 'ollama'
import { z } from 'zod'
import { RalphError, throwIfAborted } from '../errors.ts'
import { openOllamaClient } from '../services/ollama.ts'
import { deadline, nonsense, type Service, serviceError } from '../services/service.ts'
import type { ChatMessage, Completion, CompletionRequest, LanguageModel } from './language-model.ts'
import { answerFault, DEFAULT_TIMEOUT_MS, type ServiceOptions, toolInput } from './service.ts'

export interface OllamaOptions extends ServiceOptions {
  baseUrl?: string
}

const Part = z.object({
  message: z.object({
    content: z.string(),
    tool_calls: z
      .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) }))
      .nullish(),
  }),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
})

/** Runs on the user's own machine: every answer costs nothing. */
export function ollamaModel(options: OllamaOptions): LanguageModel {
  const service: Service = {
    name: 'Ollama',
    url: options.baseUrl ?? 'http://127.0.0.1:11434',
    model: options.model,
    hints: {
      reach: 'Start Ollama (ollama serve) or check language_model.url.',
      key: 'Ollama itself wants no key: check what answers at language_model.url.',
      model: `Run: ollama pull ${options.model}`,
    },
    stumbles: true,
  }
  const client = (signal: AbortSignal | undefined) =>
    openOllamaClient(service, { signal: deadline(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal) })

  const run = async (
    request: CompletionRequest,
    onText: ((piece: string) => void) | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Completion> => {
    throwIfAborted(signal)
    try {
      const ollama = await client(signal)
      const body = requestBody(options.model, request)
      if (!onText) return collect([await ollama.chat({ ...body, stream: false })], service)
      const parts: unknown[] = []
      for await (const part of await ollama.chat({ ...body, stream: true })) {
        parts.push(part)
        const piece = part.message?.content
        if (piece) onText(piece)
      }
      return collect(parts, service)
    } catch (error) {
      throw serviceError(error, service, signal)
    }
  }

  return {
    id: `ollama:${options.model}`,
    complete: (request, signal) => run(request, undefined, signal),
    stream: run,
    worstCost: () => 0,
    async check(signal) {
      try {
        const { models } = await (await client(signal)).list()
        const present = models.some(
          ({ name }) => name === options.model || name === `${options.model}:latest`,
        )
        if (!present)
          throw new RalphError('not_found', `${options.model} not found`, { hint: service.hints.model })
        return { ok: true, detail: `${options.model} in Ollama at ${service.url}` }
      } catch (error) {
        const { message, hint } = serviceError(error, service, signal)
        return { ok: false, detail: message, ...(hint && { hint }) }
      }
    },
  }
}

function requestBody(model: string, request: CompletionRequest): Omit<ChatRequest, 'stream'> {
  return {
    model,
    messages: [
      ...(request.system ? [{ role: 'system', content: request.system }] : []),
      ...request.messages.flatMap(toMessages),
    ],
    options: { num_predict: request.maxTokens },
    ...(request.tools?.length && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
    }),
  }
}

function toMessages(message: ChatMessage): Message[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content }]
  if (message.role === 'tool') {
    return message.results.map((result) => ({
      role: 'tool',
      content: result.content,
      tool_name: result.name,
    }))
  }
  return [
    {
      role: 'assistant',
      content: message.content,
      ...(message.toolCalls?.length && {
        tool_calls: message.toolCalls.map((call) => ({
          function: { name: call.name, arguments: call.input },
        })),
      }),
    },
  ]
}

/** One answer from all its parts; a stream that ends before its last part was cut off. */
function collect(values: readonly unknown[], service: Service): Completion {
  const parts = values.map((value) => {
    const parsed = Part.safeParse(value)
    if (!parsed.success) throw nonsense(service, answerFault(parsed.error))
    return parsed.data
  })
  const last = parts.at(-1)
  if (!last?.done) throw nonsense(service, 'half an answer')
  const calls = parts.flatMap(({ message }) => message.tool_calls ?? [])
  return {
    text: parts.map(({ message }) => message.content).join(''),
    // Ollama gives its calls no ids; they are answered in order.
    toolCalls: calls.map((call, index) => ({
      id: `call_${index + 1}`,
      name: call.function.name,
      input: toolInput(call.function.arguments),
    })),
    stop: calls.length ? 'tools' : last.done_reason === 'length' ? 'length' : 'end',
    usage: { inputTokens: last.prompt_eval_count ?? 0, outputTokens: last.eval_count ?? 0, costUsd: 0 },
  }
}
