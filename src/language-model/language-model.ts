import type { Purpose } from '../services/paid-calls.ts'
import type { ChatMessage, ModelToolCall, ToolDefinition } from './chat-message.ts'

export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** Absent when the price of the model is not known. */
  costUsd?: number
  /** The service did not say: on the high side. */
  isEstimate?: true
}

export interface CompletionRequest {
  system?: string
  messages: readonly ChatMessage[]
  maxTokens: number
  tools?: readonly ToolDefinition[]
  /** False: answers at once, where a model that thinks first lets itself be told. */
  think?: false
  /** What it is paid for: summaries unless told. */
  purpose?: Purpose
}

/** What a model takes, as far as its service tells. */
export interface ModelLimits {
  /** Prompt and answer together. */
  contextTokens?: number
  /** Whether it can call tools. */
  tools: boolean
  /** Whether it thinks before it writes, which counts as writing. */
  thinks?: boolean
}

/** Hears an answer while it is written. */
export interface AnswerListener {
  onText(piece: string): void
  /** It thinks, which may take minutes before the first piece. */
  onThinking?(): void
  /** Another answer is being written, and this one has to wait for it. */
  onWaiting?(): void
}

export interface Completion {
  text: string
  toolCalls: readonly ModelToolCall[]
  /** `length`: cut at `maxTokens`; `repetition`: cut because it only repeated itself; `refused`: the model declined. */
  stop: 'end' | 'tools' | 'length' | 'repetition' | 'refused'
  usage: ModelUsage
  opaque?: unknown
}

/** A model that writes text. Never called unless the user configured one. Whatever an answer costs is counted. */
export interface LanguageModel {
  /** e.g. "anthropic:claude-haiku-4-5". */
  readonly id: string
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>
  /** As `complete`, with the text handed over piece by piece while it is written. */
  stream(request: CompletionRequest, listener: AnswerListener, signal?: AbortSignal): Promise<Completion>
  limits(signal?: AbortSignal): Promise<ModelLimits>
  /** How many answers are worth asking for at once: a server of one's own gives them one after the other. */
  readonly atOnce: number
  check(signal?: AbortSignal): Promise<{ ok: boolean; detail: string; hint?: string }>
}
