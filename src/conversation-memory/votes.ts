import { RalphError } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'

export interface Vote {
  id: string
  kind: 'conversation' | 'exchange'
  /** Upvotes less downvotes, with this one. */
  votes: number
}

/** What people say of what was found: it multiplies the score. */
export class Votes {
  readonly #storage: Storage

  /** @internal */
  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** For or against a conversation or an exchange, by its id. */
  async cast(id: string, change: 1 | -1): Promise<Vote> {
    for (const kind of ['exchange', 'conversation'] as const) {
      const row = await this.#storage.db
        .updateTable(kind === 'exchange' ? 'exchanges' : 'conversations')
        .set((set) => ({ votes: set('votes', '+', change) }))
        .where('id', '=', id)
        .returning('votes')
        .executeTakeFirst()
      if (row) return { id, kind, votes: row.votes }
    }
    throw new RalphError('not_found', `no conversation and no exchange has the id ${id}`, {
      hint: 'Use an id from: ralph conversations search QUERY',
    })
  }

  /** By the id of a conversation or an exchange, for the few that have any. */
  async balances(): Promise<Map<string, number>> {
    const votes = new Map<string, number>()
    for (const table of ['exchanges', 'conversations'] as const) {
      const rows = await this.#storage.db
        .selectFrom(table)
        .select(['id', 'votes'])
        .where('votes', '!=', 0)
        .execute()
      for (const row of rows) votes.set(row.id, row.votes)
    }
    return votes
  }
}
