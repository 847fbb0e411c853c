import { tokensAtMost } from '../text/token-bound.ts'
import type { CompletionRequest } from './language-model.ts'

type Prompt = Pick<CompletionRequest, 'system' | 'messages' | 'tools'>

/** Everything in the request that becomes prompt tokens. */
export function promptText({ system = '', messages, tools = [] }: Prompt): string {
  return JSON.stringify([system, messages, tools])
}

/** What a template puts around each message, and around all of them. */
const AROUND_EACH = 12
const AROUND_ALL = 64

/** An estimate on the high side: models have tokenizers of their own. */
export function promptTokens({ system = '', messages, tools = [] }: Prompt): number {
  const said = messages.map((message) =>
    message.role === 'tool'
      ? message.results.map(({ content }) => content).join('\n')
      : `${message.content}${message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : ''}`,
  )
  const text = [system, ...said, ...tools.map((tool) => JSON.stringify(tool))]
  return text.reduce((sum, one) => sum + tokensAtMost(one) + AROUND_EACH, AROUND_ALL)
}
