import { RalphError } from '../errors.ts'
import type { Person } from '../identity/person.ts'
import type { Storage } from '../storage/storage.ts'
import type { History } from './history.ts'

export interface Vote {
  id: string
  kind: 'conversation' | 'exchange'
  /** Upvotes less downvotes, with this one. */
  votes: number
}

/** What a person says of what was found: it multiplies the score, for that person alone. */
export class Votes {
  readonly #storage: Storage
  readonly #person: Person
  readonly #history: History

  /** @internal */
  constructor(storage: Storage, person: Person, history: History) {
    this.#storage = storage
    this.#person = person
    this.#history = history
  }

  /** For or against a conversation or an exchange, by its id. */
  async cast(id: string, change: 1 | -1): Promise<Vote> {
    const kind = await this.#kindOf(id)
    const { votes } = await this.#storage.db
      .insertInto('conversation_votes')
      .values({ person: this.#person.id, kind, item_id: id, votes: change })
      .onConflict((conflict) =>
        conflict
          .columns(['person', 'kind', 'item_id'])
          .doUpdateSet((set) => ({ votes: set('conversation_votes.votes', '+', change) })),
      )
      .returning('votes')
      .executeTakeFirstOrThrow()
    return { id, kind, votes }
  }

  /** By the id of a conversation or an exchange, for the few that have any. */
  async balances(): Promise<Map<string, number>> {
    const rows = await this.#storage.db
      .selectFrom('conversation_votes')
      .select(['item_id', 'votes'])
      .where('person', '=', this.#person.id)
      .where('votes', '!=', 0)
      .execute()
    return new Map(rows.map((row) => [row.item_id, row.votes]))
  }

  async #kindOf(id: string): Promise<Vote['kind']> {
    if ((await this.#history.readable([id])).length > 0) return 'exchange'
    if (await this.#history.conversation(id)) return 'conversation'
    throw new RalphError('not_found', `no conversation and no exchange has the id ${id}`, {
      hint: 'Use an id from: ralph conversations search QUERY',
    })
  }
}
