export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  costUsd: number
}

export interface CompletionRequest {
  system?: string
  messages: readonly ChatMessage[]
  maxTokens: number
}

/** A model that writes text. Never called unless the user configured one. */
export interface LanguageModel {
  /** e.g. "anthropic:claude-haiku-4-5". */
  readonly id: string
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<{ text: string; usage: ModelUsage }>
  check(signal?: AbortSignal): Promise<{ ok: boolean; detail: string; hint?: string }>
}
