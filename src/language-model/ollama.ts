import type { ChatRequest, Message } from 'ollama'
import { z } from 'zod'
import { RalphError } from '../errors.ts'
import { openOllamaClient } from '../services/ollama.ts'
import { deadline, nonsense, type Service } from '../services/service.ts'
import type { ChatMessage, CompletionRequest, LanguageModel } from './language-model.ts'
import {
  DEFAULT_TIMEOUT_MS,
  type ModelAnswer,
  type ModelTransport,
  readAnswer,
  remoteModel,
  type ServiceOptions,
  toolInput,
} from './remote.ts'

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
export function ollamaModel(options: ServiceOptions): LanguageModel {
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
  return remoteModel({
    provider: 'ollama',
    service,
    price: { input: 0, output: 0 },
    transport: ollamaTransport(options, service),
  })
}

function ollamaTransport(
  { model, timeoutMs = DEFAULT_TIMEOUT_MS }: ServiceOptions,
  service: Service,
): ModelTransport {
  const client = (signal: AbortSignal) => openOllamaClient(service, { signal: deadline(timeoutMs, signal) })
  return {
    async complete(request, signal) {
      const ollama = await client(signal)
      return toAnswer([await ollama.chat({ ...requestBody(model, request), stream: false })], service)
    },
    async stream(request, onText, signal) {
      const ollama = await client(signal)
      const parts: unknown[] = []
      for await (const part of await ollama.chat({ ...requestBody(model, request), stream: true })) {
        parts.push(part)
        const piece = part.message?.content
        if (piece) onText(piece)
      }
      return toAnswer(parts, service)
    },
    async inspect(signal) {
      const { models } = await (await client(signal)).list()
      if (!models.some(({ name }) => name === model || name === `${model}:latest`))
        throw new RalphError('not_found', `${model} not found`, { hint: service.hints.model })
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
function toAnswer(values: readonly unknown[], service: Service): ModelAnswer {
  const parts = values.map((value) => readAnswer(Part, value, service))
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
    stop: last.done_reason === 'length' ? 'length' : 'end',
    tokens: { input: last.prompt_eval_count ?? 0, output: last.eval_count ?? 0 },
  }
}
