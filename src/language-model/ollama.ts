import type { ChatRequest, Message, Ollama } from 'ollama'
import { z } from 'zod'
import { errnoOf, isRalphError, messageOf, type RalphError } from '../errors.ts'
import { loadedContext, ollamaService, openOllamaClient, showOllamaModel } from '../services/ollama.ts'
import { brokenOff, HttpError, nonsense, type Service, serviceError } from '../services/service.ts'
import type { ChatMessage } from './chat-message.ts'
import type { CompletionRequest, LanguageModel, ModelLimits } from './language-model.ts'
import { ContextSize } from './ollama-context.ts'
import {
  type AnswerParts,
  type ModelAnswer,
  type ModelTransport,
  remoteModel,
  type ServiceOptions,
} from './remote.ts'
import { readAnswer, toolInput } from './service-answers.ts'

export interface OllamaModelOptions extends ServiceOptions {
  /** For an Ollama behind a gateway that wants one. */
  apiKey?: string | undefined
}

const Part = z.object({
  message: z.object({
    content: z.string(),
    thinking: z.string().nullish(),
    tool_calls: z
      .array(
        z.object({
          id: z.string().nullish(),
          function: z.object({ name: z.string(), arguments: z.unknown() }),
        }),
      )
      .nullish(),
  }),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
})
type Part = z.infer<typeof Part>

/** Runs on the user's own machine: every answer costs nothing. */
export function ollamaModel(options: OllamaModelOptions): LanguageModel {
  const { model, baseUrl: url } = options
  const service = { ...ollamaService({ model, url }, 'chat'), stumbles: true }
  return remoteModel({
    provider: 'ollama',
    service,
    price: { input: 0, output: 0 },
    transport: ollamaTransport(options, service),
    // A server of one's own is there or it is not.
    options: { ...options, maxRetries: 0 },
  })
}

/** Without `complete`: only part by part it can be seen that a slow answer goes on. */
function ollamaTransport({ apiKey, effort = 'low' }: OllamaModelOptions, service: Service): ModelTransport {
  const client = (signal: AbortSignal) => openOllamaClient(service, { apiKey, signal })
  const context = new ContextSize()
  /** Found out by asking, where the server does not tell. */
  let refusesTools = false
  /** The least that a model can be told to think. */
  let thinking: false | 'low' = false
  return {
    async stream(asked, heard, signal) {
      for (let size = context.for(asked, service); ; ) {
        const tools = asked.limits.tools && !refusesTools
        try {
          const least = effort === 'medium' || effort === 'high' ? undefined : thinking
          const body = requestBody(service.model, asked.request, { size, tools, thinking: least })
          return await readStream(await client(signal), body, heard, { service, signal })
        } catch (error) {
          const refused = tools && said(error, /not support tools/i)
          refusesTools ||= refused
          // It counts otherwise than we do.
          const larger = said(error, /exceeds? the available context/i)
            ? context.larger(size, asked)
            : undefined
          if (!refused && larger === undefined) throw error
          size = larger ?? size
        }
      }
    },
    async inspect(signal) {
      const { capabilities } = await showOllamaModel(await client(signal), service)
      if (capabilities && !capabilities.includes('completion'))
        throw new HttpError(400, new Headers(), `${service.model} does not support chat`)
    },
    async limits(signal) {
      try {
        const ollama = await client(signal)
        const [{ capabilities, contextTokens, family = '' }, loaded] = await Promise.all([
          showOllamaModel(ollama, service),
          // Not every server tells, and the answer does not depend on it.
          loadedContext(ollama, service).catch(() => undefined),
        ])
        context.loaded = loaded
        // gpt-oss cannot be told not to.
        thinking = /^gpt-?oss/.test(family) ? 'low' : false
        return {
          tools: capabilities?.includes('tools') ?? !refusesTools,
          ...(capabilities && { thinks: capabilities.includes('thinking') }),
          ...(contextTokens !== undefined && { contextTokens }),
        }
      } catch (error) {
        return unlessSilent(serviceError(error, service, signal))
      }
    },
  }
}

async function readStream(
  ollama: Ollama,
  body: Omit<ChatRequest, 'stream'>,
  heard: AnswerParts,
  { service, signal }: { service: Service; signal: AbortSignal },
): Promise<ModelAnswer> {
  const parts: Part[] = []
  try {
    for await (const value of await ollama.chat({ ...body, stream: true })) {
      const part = readAnswer(Part, value, service)
      parts.push(part)
      heard.onPart()
      if (part.message.thinking) heard.onThinking()
      if (part.message.content) heard.onText(part.message.content)
    }
  } catch (error) {
    if (NO_END.test(messageOf(error)) && repeats(parts)) return toAnswer(parts, 'repetition')
    const midway = parts.length > 0
    const isLost = midway && !signal.aborted && errnoOf(error) === 'ECONNRESET'
    throw isLost ? brokenOff(service, error) : withStatus(error, midway)
  }
  if (!parts.at(-1)?.done) throw nonsense(service, 'half an answer')
  return toAnswer(parts, parts.at(-1)!.done_reason === 'length' ? 'length' : 'end')
}

/** As the library words it. */
const NO_END = /^Did not receive done/
/** After thirty times the same token the server itself ends an answer, without a word or a last part. */
const SAME_TOKENS = 30

function repeats(parts: readonly Part[]): boolean {
  const last = parts
    .slice(-SAME_TOKENS)
    .map(({ message }) => (message.content || message.thinking || '').trim())
  return last.length === SAME_TOKENS && new Set(last).size === 1
}

/** What stands in front of Ollama may not know the question; then the answer itself has to tell. */
function unlessSilent(error: RalphError): ModelLimits {
  if (error.retryable || error.code === 'not_found' || error.code === 'cancelled') throw error
  return { tools: true }
}

/** The library makes an error without a status of a line that tells of one, and of an answer without an end. */
function withStatus(error: unknown, midway: boolean): unknown {
  const isOurs = isRalphError(error) || error instanceof HttpError
  const isLine =
    error instanceof Error &&
    error.name === 'Error' &&
    error.cause === undefined &&
    errnoOf(error) === undefined
  if (isOurs || !isLine) return error
  const said = NO_END.test(error.message) ? 'unexpected EOF' : error.message
  return new HttpError(500, new Headers(), said, midway)
}

function said(error: unknown, what: RegExp): boolean {
  return error instanceof HttpError && what.test(error.message)
}

/** Newer than the library's types: say so instead of dropping the beginning of a prompt, or of an answer. */
interface WithoutDropping {
  truncate: false
  shift: false
}

function requestBody(
  model: string,
  request: CompletionRequest,
  { size, tools, thinking }: { size: number; tools: boolean; thinking: false | 'low' | undefined },
): Omit<ChatRequest, 'stream'> & WithoutDropping {
  return {
    model,
    messages: [
      ...(request.system ? [{ role: 'system', content: request.system }] : []),
      ...request.messages.flatMap(toMessages),
    ],
    options: { num_predict: request.maxTokens, num_ctx: size },
    truncate: false,
    shift: false,
    ...(request.think === false && thinking !== undefined && { think: thinking }),
    ...(tools && request.tools?.length && { tools: toTools(request.tools) }),
  }
}

function toTools(tools: NonNullable<CompletionRequest['tools']>) {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
}

function toMessages(message: ChatMessage): Message[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content }]
  if (message.role === 'tool') {
    return message.results.map((result) => ({
      role: 'tool',
      content: result.content,
      tool_name: result.name,
      tool_call_id: result.callId,
    }))
  }
  return [
    {
      role: 'assistant',
      content: message.content,
      ...(typeof message.opaque === 'string' && { thinking: message.opaque }),
      ...(message.toolCalls?.length && {
        tool_calls: message.toolCalls.map((call) => ({
          id: call.id,
          function: { name: call.name, arguments: call.input },
        })),
      }),
    },
  ]
}

/** One answer from all its parts. */
function toAnswer(parts: readonly Part[], stop: ModelAnswer['stop']): ModelAnswer {
  const last = parts.at(-1)
  const calls = parts.flatMap(({ message }) => message.tool_calls ?? [])
  const thinking = parts.map(({ message }) => message.thinking ?? '').join('')
  return {
    text: parts.map(({ message }) => message.content).join(''),
    // Older servers give calls no ids; they are answered in order.
    toolCalls: calls.map((call, index) => ({
      id: call.id || `call_${index + 1}`,
      name: call.function.name,
      input: toolInput(call.function.arguments),
    })),
    // Why it calls them: it goes on better when it sees that again.
    ...(calls.length > 0 && thinking !== '' && { opaque: thinking }),
    stop,
    tokens: { input: last?.prompt_eval_count ?? 0, output: last?.eval_count ?? 0 },
  }
}
