import type { ChatMessage } from '../language-model/chat-message.ts'
import type { CompletionRequest, ModelLimits } from '../language-model/language-model.ts'
import { promptTokens } from '../language-model/prompt-text.ts'
import { TOOL_DEFINITIONS } from './model-tools.ts'

export interface ChatPrompt {
  system: string
  /** What past conversations say about the question. */
  context: string | undefined
  /** The exchanges so far, the latest last. */
  before: readonly (readonly ChatMessage[])[]
  /** The question, and what tools have answered. */
  turn: readonly ChatMessage[]
}

/** What was left out of a prompt, to be told: nothing goes missing without a word. */
export type LeftOut = 'tools' | 'toolsForSize' | 'context' | 'before'

const MAX_TOKENS = 4_096
/** Of a model that thinks first, what it thinks included; with a short question still within a context of 8,192. */
const MAX_TOKENS_THINKING = 6_144
/** The last exchanges that are sent along, in characters, however much a model takes. */
const REMEMBERED_CHARACTERS = 60_000

/** As much of it as the model takes: first the question, then tools and context, then the latest exchanges. */
export function fitPrompt(
  prompt: ChatPrompt,
  limits: ModelLimits,
): { request: CompletionRequest; leftOut: LeftOut[] } {
  const { contextTokens = Number.POSITIVE_INFINITY } = limits
  const maxTokens = limits.thinks
    ? Math.min(MAX_TOKENS_THINKING, Math.floor(contextTokens / 2))
    : Math.min(MAX_TOKENS, Math.floor(contextTokens / 4))
  const room = contextTokens - maxTokens
  const leftOut: LeftOut[] = []
  const { turn, before } = prompt
  const fits = (request: Omit<CompletionRequest, 'maxTokens'>) => promptTokens(request) <= room

  let tools: CompletionRequest['tools'] = limits.tools ? TOOL_DEFINITIONS : []
  if (!limits.tools) leftOut.push('tools')
  let system = prompt.context ? `${prompt.system}\n\n${prompt.context}` : prompt.system
  if (tools.length > 0 && !fits({ system, messages: turn, tools })) {
    tools = []
    leftOut.push('toolsForSize')
  }
  if (prompt.context && !fits({ system, messages: turn })) {
    system = prompt.system
    leftOut.push('context')
  }
  const kept = latest(before, (messages) => fits({ system, messages: [...messages, ...turn], tools }))
  if (kept.short) leftOut.push('before')
  return {
    request: { system, messages: [...kept.messages, ...turn], maxTokens, ...(tools.length > 0 && { tools }) },
    leftOut,
  }
}

/** Older ones are found again by retrieval when they matter. `short`: the model takes less than we would have sent. */
function latest(
  exchanges: readonly (readonly ChatMessage[])[],
  fits: (messages: readonly ChatMessage[]) => boolean,
): { messages: ChatMessage[]; short: boolean } {
  let messages: ChatMessage[] = []
  let room = REMEMBERED_CHARACTERS
  for (const exchange of exchanges.toReversed()) {
    room -= JSON.stringify(exchange).length
    if (room < 0 && messages.length > 0) break
    const more = [...exchange, ...messages]
    if (!fits(more)) return { messages, short: true }
    messages = more
  }
  return { messages, short: false }
}
