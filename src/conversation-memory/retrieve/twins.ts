import { saysSomething } from '../../text/small-talk.ts'
import type { Exchange } from '../record.ts'
import type { FoundConversation, FoundExchange } from './retriever.ts'

/** How far a text is looked at when two are compared. */
const COMPARED_CHARACTERS = 2_000
const SAME_WORDS = 0.8

/** What was found, each thing once: of those that say the same, the one that says most. */
abstract class Distinct<Found> {
  readonly #kept: Found[] = []
  /** Something was found that is not worth a place of its own. */
  crowded = false

  get size(): number {
    return this.#kept.length
  }

  /** Something may come that says more than what stands for it now. */
  get wanting(): boolean {
    return this.#kept.some((found) => this.lengthOf(found) === 0)
  }

  list(limit: number): Found[] {
    return this.#kept.slice(0, limit)
  }

  add(found: Found): void {
    const at = this.#kept.findIndex((kept) => this.sayTheSame(kept, found))
    if (at === -1) {
      this.#kept.push(found)
      return
    }
    this.crowded = true
    const kept = this.#kept[at]!
    const [better, other] = this.lengthOf(found) > this.lengthOf(kept) ? [found, kept] : [kept, found]
    this.#kept[at] = this.merged(better, other)
  }

  protected abstract sayTheSame(a: Found, b: Found): boolean
  /** Of what was answered. */
  protected abstract lengthOf(found: Found): number
  protected abstract merged(better: Found, other: Found): Found
}

export class DistinctExchanges extends Distinct<FoundExchange> {
  override add(found: FoundExchange): void {
    const { userMessage, assistantMessage } = found.exchange
    if (saysSomething(userMessage) || saysSomething(assistantMessage)) super.add(found)
    else this.crowded = true
  }

  protected sayTheSame({ exchange: a }: FoundExchange, { exchange: b }: FoundExchange): boolean {
    return alike(a, b)
  }

  protected lengthOf({ exchange }: FoundExchange): number {
    return exchange.assistantMessage.length
  }

  protected merged(better: FoundExchange, other: FoundExchange): FoundExchange {
    return { ...better, duplicates: [...better.duplicates, other.exchange.id, ...other.duplicates] }
  }
}

export class DistinctConversations extends Distinct<FoundConversation> {
  protected sayTheSame(a: FoundConversation, b: FoundConversation): boolean {
    if (a.exchanges.length === 0 || b.exchanges.length === 0) {
      return a.conversation.summary !== undefined && a.conversation.summary === b.conversation.summary
    }
    return b.exchanges.every(({ exchange: said }) =>
      a.exchanges.some(({ exchange }) => alike(exchange, said)),
    )
  }

  protected lengthOf({ conversation, exchanges }: FoundConversation): number {
    if (exchanges.length === 0) return conversation.summary?.length ?? 0
    return exchanges.reduce((sum, { exchange }) => sum + exchange.assistantMessage.length, 0)
  }

  protected merged(better: FoundConversation): FoundConversation {
    return better
  }
}

function alike(a: Exchange, b: Exchange): boolean {
  return a.id === b.id || (questionOf(a) === questionOf(b) && answeredAlike(a, b))
}

/** Each is compared with all others. */
const questions = new WeakMap<Exchange, string>()

function questionOf(exchange: Exchange): string {
  const known = questions.get(exchange) ?? plain(exchange.userMessage)
  questions.set(exchange, known)
  return known
}

/** An answer that never came is no other answer. */
function answeredAlike({ assistantMessage: a }: Exchange, { assistantMessage: b }: Exchange): boolean {
  if (a === b || a === '' || b === '') return true
  const [first, second] = [wordsOf(a), wordsOf(b)]
  const shared = [...first].filter((word) => second.has(word)).length
  return shared / Math.max(1, first.size, second.size) >= SAME_WORDS
}

function wordsOf(text: string): Set<string> {
  return new Set(plain(text).split(' '))
}

/** Without what does not change the meaning: case, punctuation, white space. */
function plain(text: string): string {
  return text
    .slice(0, COMPARED_CHARACTERS)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
