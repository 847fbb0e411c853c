import type { Storage } from '../storage/storage.ts'
import { redact } from '../text/redact.ts'
import type { ConversationIndex } from './conversation-index.ts'
import { type PreparedExchange, prepare } from './prepare.ts'
import type { ConversationFacts, NewExchange } from './record.ts'
import { type WrittenExchange, writeExchanges } from './write-exchanges.ts'

export interface IntakeCounts {
  added: number
  updated: number
  unchanged: number
  elsewhere: number
  /** Secrets masked before anything was stored. */
  secrets: number
}

/** Exchanges in one transaction: many at once are written several times as fast, and these still fit into memory. */
const BATCH = 2_000
const BATCH_CHARACTERS = 4_000_000

/** The one way into the history: masks secrets, writes in batches, makes it findable by words at once. */
export class Intake {
  readonly #storage: Storage
  readonly #index: ConversationIndex
  #waiting: PreparedExchange[] = []
  #characters = 0
  readonly counts: IntakeCounts = { added: 0, updated: 0, unchanged: 0, elsewhere: 0, secrets: 0 }

  constructor(storage: Storage, index: ConversationIndex) {
    this.#storage = storage
    this.#index = index
  }

  /** Durable after the next `flush`, or when it says so by returning what it wrote. */
  async add(exchange: NewExchange, facts: ConversationFacts, summary?: string): Promise<void> {
    const prepared = await this.#masked(prepare(exchange, facts))
    this.#waiting.push(summary === undefined ? prepared : { ...prepared, summary })
    this.#characters += prepared.userMessage.length + prepared.assistantMessage.length
    if (this.#waiting.length >= BATCH || this.#characters >= BATCH_CHARACTERS) await this.flush()
  }

  async flush(): Promise<WrittenExchange[]> {
    const batch = this.#waiting
    this.#waiting = []
    this.#characters = 0
    if (batch.length === 0) return []
    const { exchanges, changed, revisions } = await writeExchanges(this.#storage, batch)
    for (const { outcome } of exchanges) this.counts[outcome]++
    await this.#index.indexWords(changed, revisions)
    return exchanges
  }

  async #masked(exchange: PreparedExchange): Promise<PreparedExchange> {
    const mask = async (text: string): Promise<string> => {
      if (text === '') return text
      const { text: clean, found } = await redact(text)
      for (const { count } of found) this.counts.secrets += count
      return clean
    }
    const messages = []
    for (const message of exchange.messages)
      messages.push({ ...message, content: await mask(message.content) })
    const title = exchange.facts.title && (await mask(exchange.facts.title))
    return {
      ...exchange,
      userMessage: await mask(exchange.userMessage),
      assistantMessage: await mask(exchange.assistantMessage),
      messages,
      facts: title ? { ...exchange.facts, title } : exchange.facts,
    }
  }
}
