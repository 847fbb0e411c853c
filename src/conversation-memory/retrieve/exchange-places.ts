import type { ExchangeHit } from '../documents.ts'

/** What was found, by where it stands in its conversation. */
export class ExchangePlaces<One extends { hit: Pick<ExchangeHit, 'conversation' | 'position'> }> {
  readonly #conversations = new Map<string, Map<number, One>>()

  constructor(found: Iterable<One>) {
    for (const one of found) {
      const { conversation, position } = one.hit
      const places = this.#conversations.get(conversation) ?? new Map<number, One>()
      this.#conversations.set(conversation, places.set(position, one))
    }
  }

  /** What stands so many places after it, before it where that is negative; if it was found. */
  beside({ hit }: One, places: number): One | undefined {
    return this.#conversations.get(hit.conversation)?.get(hit.position + places)
  }

  /** What stands so many places from it, before and after. */
  around(one: One, places: number): One[] {
    return [this.beside(one, -places), this.beside(one, places)].filter((other) => other !== undefined)
  }
}
