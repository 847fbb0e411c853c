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

export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** Absent when the price of the model is not known. */
  costUsd?: number
}

export interface CompletionRequest {
  system?: string
  messages: readonly ChatMessage[]
  maxTokens: number
  tools?: readonly ToolDefinition[]
}

export interface Completion {
  text: string
  toolCalls: readonly ModelToolCall[]
  /** `length`: cut at `maxTokens`; `refused`: the model declined. */
  stop: 'end' | 'tools' | 'length' | 'refused'
  usage: ModelUsage
  opaque?: unknown
}

/** A model that writes text. Never called unless the user configured one. */
export interface LanguageModel {
  /** e.g. "anthropic:claude-haiku-4-5". */
  readonly id: string
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>
  /** As `complete`, with the text handed over piece by piece while it is written. */
  stream(
    request: CompletionRequest,
    onText: (piece: string) => void,
    signal?: AbortSignal,
  ): Promise<Completion>
  /** The most this request can cost; undefined when the price is not known. A hard limit is kept with it. */
  worstCost(request: CompletionRequest): number | undefined
  check(signal?: AbortSignal): Promise<{ ok: boolean; detail: string; hint?: string }>
}
