import type { Person } from '../identity/person.ts'
import type { Storage } from '../storage/storage.ts'
import { redactAll } from '../text/redact.ts'
import { redactValue, withoutSecretIn } from '../text/redact-value.ts'
import { sanitise } from '../text/sanitise.ts'
import type { GivenVector } from './backup-line.ts'
import type { ConversationIndex } from './conversation-index.ts'
import { type PreparedExchange, prepareExchange } from './prepare.ts'
import type { ConversationFacts, NewExchange, RestoredExchange } from './record.ts'
import { type WrittenExchange, writeExchanges } from './write-exchanges.ts'

export interface IntakeCounts {
  added: number
  updated: number
  unchanged: number
  elsewhere: number
  /** Secrets masked before anything was stored. */
  secrets: number
  /** Taken over from a backup. */
  summaries: number
  votes: number
  vectors: number
}

/** Exchanges in one transaction: many at once are written several times as fast, and these still fit into memory. */
const BATCH = 2_000
const BATCH_CHARACTERS = 4_000_000

/** The one way into the history: masks secrets, defuses, writes in batches, makes it findable by words at once. */
export class Intake {
  readonly #storage: Storage
  readonly #person: Person
  readonly #index: ConversationIndex
  #waiting: PreparedExchange[] = []
  #characters = 0
  readonly counts: IntakeCounts = {
    ...{ added: 0, updated: 0, unchanged: 0, elsewhere: 0, secrets: 0 },
    ...{ summaries: 0, votes: 0, vectors: 0 },
  }

  constructor(storage: Storage, person: Person, index: ConversationIndex) {
    this.#storage = storage
    this.#person = person
    this.#index = index
  }

  /** Durable after the next `flush`, or when it says so by returning what it wrote. */
  async add(exchange: NewExchange, facts: ConversationFacts, restored?: RestoredExchange): Promise<void> {
    const prepared = prepareExchange(exchange, facts)
    const cleaned = await this.#cleaned(restored === undefined ? prepared : { ...prepared, restored })
    this.#waiting.push(cleaned)
    this.#characters += prepared.userMessage.length + prepared.assistantMessage.length
    if (this.#waiting.length >= BATCH || this.#characters >= BATCH_CHARACTERS) await this.flush()
  }

  async flush(): Promise<WrittenExchange[]> {
    const batch = this.#waiting
    this.#waiting = []
    this.#characters = 0
    if (batch.length === 0) return []
    const written = await writeExchanges(this.#storage, this.#person, batch)
    const { exchanges, changed, revisions, restored } = written
    for (const { outcome } of exchanges) this.counts[outcome]++
    this.counts.summaries += restored.summaries
    this.counts.votes += restored.votes
    await this.#index.indexWords(changed, revisions)
    await this.#takeVectors(batch, exchanges)
    return exchanges
  }

  async #takeVectors(batch: readonly PreparedExchange[], written: readonly WrittenExchange[]): Promise<void> {
    const exchanges = new Map<string, GivenVector>()
    const conversations = new Map<string, GivenVector>()
    for (const [at, { restored }] of batch.entries()) {
      const { id, conversationId } = written[at]!
      if (restored?.vector) exchanges.set(id, restored.vector)
      if (restored?.conversation?.vector) conversations.set(conversationId, restored.conversation.vector)
    }
    this.counts.vectors += await this.#index.takeOver('exchange', exchanges)
    this.counts.vectors += await this.#index.takeOver('conversation', conversations)
  }

  /** Secrets are masked, and what an agent wrote or read is defused; the person's own words stay as they are. */
  async #cleaned(exchange: PreparedExchange): Promise<PreparedExchange> {
    const { userMessage, assistantMessage, messages, restored, facts } = exchange
    const summaries = [restored?.summary?.text ?? '', restored?.conversation?.summary?.text ?? '']
    const said = [userMessage, assistantMessage, facts.title ?? '', ...summaries]
    const { texts, secrets } = redactAll([...said, ...messages.map(({ content }) => content)])
    this.counts.secrets += secrets
    const [user = '', assistant = '', title = '', summarised = '', whole = '', ...steps] = texts
    const toolNames = redactValue(messages.map(({ toolName }) => toolName))
    return {
      ...exchange,
      conversationId: withoutSecretIn(exchange.conversationId),
      id: exchange.id === undefined ? undefined : withoutSecretIn(exchange.id),
      userMessage: user,
      assistantMessage: sanitise(assistant),
      messages: messages.map((message, at) => ({
        ...message,
        content: sanitise(steps[at]!),
        ...(toolNames[at] !== undefined && { toolName: toolNames[at] }),
      })),
      facts: { ...redactValue(facts), ...(facts.title && { title: sanitise(title) }) },
      ...(restored && { restored: withSummaries(restored, sanitise(summarised), sanitise(whole)) }),
    }
  }
}

function withSummaries(restored: RestoredExchange, own: string, whole: string): RestoredExchange {
  const { summary, conversation } = restored
  return {
    ...restored,
    ...(summary && { summary: { ...summary, text: own } }),
    ...(conversation && {
      conversation: {
        ...conversation,
        ...(conversation.summary && { summary: { ...conversation.summary, text: whole } }),
      },
    }),
  }
}
