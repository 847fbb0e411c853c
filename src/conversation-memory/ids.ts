import { sql } from 'kysely'
import type { Storage } from '../storage/storage.ts'
import { ambiguousId, idOfKind, matchingId, SHORTEST_ID } from '../text/short-id.ts'
import type { History } from './history.ts'

type TalkKind = 'conversation' | 'exchange'

export interface NamedTalk {
  id: string
  conversationId: string
  /** What it is about. */
  line: string
}

const MOST_ALIKE = 10

/** Finds conversations and exchanges by what people type of their ids, which are other programs' and may have any characters. */
export class TalkIds {
  readonly #storage: Storage
  readonly #history: History

  /** @internal */
  constructor(storage: Storage, history: History) {
    this.#storage = storage
    this.#history = history
  }

  /** All whose id is this one or begins so; of too many, some. */
  async named(kind: TalkKind, id: string): Promise<NamedTalk[]> {
    const rows = this.#storage.db
      .selectFrom(kind === 'conversation' ? 'conversations' : 'exchanges')
      .select('id')
    const exact = await rows.where('id', '=', id).execute()
    // Backslashes, so that no character of an id means more than itself.
    const pattern = `${id.replace(/[\\%_]/g, '\\$&')}%`
    const like = sql<boolean>`id like ${pattern} escape ${sql.lit('\\')}`
    const isWhole = exact.length > 0 || id.length < SHORTEST_ID
    const found = isWhole ? exact : await rows.where(like).limit(MOST_ALIKE).execute()
    const ids = matchingId(found, id, (row) => row.id).map((row) => row.id)
    return kind === 'conversation' ? this.#conversations(ids) : this.#exchanges(ids)
  }

  /** The whole id of what is meant; as it was given when there is no such thing. */
  async whole(kind: TalkKind, typed: string): Promise<string> {
    const id = idOfKind(kind, typed)
    const found = await this.named(kind, id)
    const alike = found.map(({ id: one, line }) => ({ kind, id: one, line }))
    if (alike.length > 1) throw ambiguousId(typed, alike)
    return found[0]?.id ?? id
  }

  async #conversations(ids: readonly string[]): Promise<NamedTalk[]> {
    const found = await this.#history.conversations(ids)
    return [...found.values()].map(({ id, title }) => ({ id, conversationId: id, line: title }))
  }

  async #exchanges(ids: readonly string[]): Promise<NamedTalk[]> {
    const found = await this.#history.exchanges(ids)
    return [...found.values()].map(({ id, conversationId, userMessage }) => ({
      ...{ id, conversationId, line: userMessage },
    }))
  }
}
