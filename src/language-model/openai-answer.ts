import { z } from 'zod'
import { nonsense, type Service } from '../services/service.ts'
import type { AnswerParts, ModelAnswer } from './remote.ts'
import { readAnswer, toolInput } from './service-answers.ts'

/** Compatible services may leave it out, or parts of it, or write zeros. */
const Usage = z
  .object({
    prompt_tokens: z.number().positive(),
    completion_tokens: z.number().nonnegative(),
    prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish().catch(undefined),
    completion_tokens_details: z
      .object({ reasoning_tokens: z.number().nullish() })
      .nullish()
      .catch(undefined),
  })
  .nullish()
  .catch(undefined)
/** What a model thinks is sent under names that differ. */
const thoughts = { reasoning_content: z.string().nullish(), reasoning: z.string().nullish() }
const Call = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.unknown() }),
})
const Chat = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(Call).nullish(),
          ...thoughts,
        }),
      }),
    )
    .min(1),
  usage: Usage,
})
type Chat = z.infer<typeof Chat>

const Piece = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.number().nullish(),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
            ...thoughts,
          })
          .nullish(),
      }),
    )
    .nullish(),
  usage: Usage,
})

export interface OpenAiAnswer extends ModelAnswer {
  /** It says why it ended. */
  saysEnd: boolean
  /** It has thought before it wrote. */
  thought: boolean
}

/** One answer from all its pieces, whatever a compatible service leaves out of them. */
export async function readChatStream(
  pieces: AsyncIterable<unknown>,
  heard: AnswerParts,
  service: Service,
): Promise<OpenAiAnswer> {
  const calls = new Map<number, { id: string | undefined; name: string; arguments: string }>()
  const said = { content: '', refusal: '', reasoning: '' }
  let finish: string | undefined
  let usage: Chat['usage']
  for await (const value of pieces) {
    const piece = readAnswer(Piece, value, service)
    usage = piece.usage ?? usage
    const choice = piece.choices?.[0]
    finish = choice?.finish_reason ?? finish
    const { content, refusal, tool_calls: called = [], ...thinking } = choice?.delta ?? {}
    const thought = thinking.reasoning_content || thinking.reasoning
    if (thought) heard.onThinking()
    else heard.onPart()
    said.reasoning += thought ?? ''
    said.content += content ?? ''
    said.refusal += refusal ?? ''
    if (content) heard.onText(content)
    for (const [at, part] of (called ?? []).entries()) {
      const index = part.index ?? at
      const call = calls.get(index) ?? { id: undefined, name: '', arguments: '' }
      calls.set(index, call)
      call.id ??= part.id ?? undefined
      call.name += part.function?.name ?? ''
      call.arguments += part.function?.arguments ?? ''
    }
  }
  const tool_calls = [...calls.values()].map(({ id, ...called }) => ({ id, function: called }))
  return toAnswer({ choices: [{ finish_reason: finish, message: { ...said, tool_calls } }], usage })
}

export function readChat(value: unknown, service: Service): OpenAiAnswer {
  return toAnswer(readAnswer(Chat, value, service))
}

/** A stream may end before its answer does; one that never says why it ends has ended where it says nothing more. */
export function requireWhole(answer: OpenAiAnswer, service: Service, alwaysSays: boolean): OpenAiAnswer {
  const { saysEnd, thought, text, toolCalls } = answer
  const isNothing = text === '' && toolCalls.length === 0 && !thought
  if (!saysEnd && (alwaysSays || isNothing)) throw nonsense(service, 'half an answer')
  return answer
}

function toAnswer({ choices, usage }: Chat): OpenAiAnswer {
  const { message, finish_reason: finish } = choices[0]!
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? 0
  return {
    text: message.content || message.refusal || '',
    toolCalls: (message.tool_calls ?? []).map((call, index) => ({
      id: call.id || `call_${index + 1}`,
      name: call.function.name,
      input: toolInput(call.function.arguments),
    })),
    stop: message.refusal || finish === 'content_filter' ? 'refused' : finish === 'length' ? 'length' : 'end',
    tokens: usage
      ? { input: usage.prompt_tokens - cacheRead, output: usage.completion_tokens, cacheRead }
      : undefined,
    saysEnd: Boolean(finish),
    thought: Boolean(
      message.reasoning_content || message.reasoning || usage?.completion_tokens_details?.reasoning_tokens,
    ),
  }
}
