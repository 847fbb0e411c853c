/** One user message with what was done until the answer. */
export interface ExchangeAccount {
  asked: string
  /** Tool calls in plain words, e.g. "Edit src/server.ts" or "Bash: npm test (failed)". */
  actions: readonly string[]
  answered: string
  /** False when the answer never came: interrupted or killed. */
  finished: boolean
}

export interface ConversationAccount {
  title: string | undefined
  exchanges: readonly ExchangeAccount[]
}

export interface Summary {
  text: string
  /** Who has written it, which is kept beside it: "extractive", "anthropic:claude-haiku-4-5". */
  by: string
  /** Of a conversation, where its writer gave any. */
  tags?: readonly string[]
  /** Why the model has written none and sentences of the record have to do. It was paid: it is not asked again. */
  insteadOf?: string
}

/** The id of the one that needs no model. */
export const EXTRACTIVE = 'extractive'

/** Writes short accounts: 1–2 sentences of an exchange, 2–3 of a conversation. */
export interface Summariser {
  /** e.g. "extractive" or "anthropic:claude-haiku-4-5". */
  readonly id: string
  /** How many are worth asking for at once. */
  readonly atOnce: number
  exchange(account: ExchangeAccount, signal?: AbortSignal): Promise<Summary>
  conversation(account: ConversationAccount, signal?: AbortSignal): Promise<Summary>
}
