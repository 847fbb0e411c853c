import type { Message } from '../conversation-memory/record.ts'
import type { ChatMessage, ToolResult } from '../language-model/chat-message.ts'
import { truncate } from '../text/truncate.ts'

/** As the model is told of it later. */
export function saidIn(answer: string, isWhole: boolean): string {
  if (isWhole) return answer || '(no answer)'
  return answer ? `${answer}\n\n(broken off here)` : '(no answer: broken off)'
}

/** Visibly: about a quarter of what the model takes. */
export function resultThatFits(result: ToolResult, contextTokens: number | undefined): ToolResult {
  return contextTokens === undefined
    ? result
    : { ...result, content: truncate(result.content, contextTokens) }
}

export function toSteps(message: ChatMessage): Message[] {
  // What memory answered is in memory already.
  if (message.role === 'tool') return []
  if (message.role === 'user') return [{ role: 'user', content: message.content }]
  const calls = (message.toolCalls ?? []).map(({ name, input }) => ({
    role: 'tool_call' as const,
    toolName: name,
    content: JSON.stringify(input),
  }))
  return [...(message.content ? [{ role: 'assistant' as const, content: message.content }] : []), ...calls]
}
