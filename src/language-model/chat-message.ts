export interface ToolDefinition {
  name: string
  description: string
  /** JSON Schema of the input, an object. */
  parameters: { [key: string]: unknown }
}

export interface ModelToolCall {
  id: string
  name: string
  input: { [key: string]: unknown }
}

export interface ToolResult {
  callId: string
  name: string
  content: string
  isError: boolean
}

export type ChatMessage =
  | { role: 'user'; content: string }
  | {
      role: 'assistant'
      content: string
      toolCalls?: readonly ModelToolCall[]
      /** What the same driver needs to see again (signed thinking blocks); nobody else looks inside. */
      opaque?: unknown
    }
  /** Answers to all tool calls of the assistant message before it. */
  | { role: 'tool'; results: readonly ToolResult[] }
