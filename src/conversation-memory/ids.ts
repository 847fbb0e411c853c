import { sql } from 'kysely'
import { RalphError } from '../errors.ts'
import type { Person } from '../identity/person.ts'
import type { Storage } from '../storage/storage.ts'
import { nearestTo } from '../text/near.ts'
import { ambiguousId, idOfKind, matchingId, SHORTEST_ID, shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import type { History } from './history.ts'
import type { Conversation } from './record.ts'
import { mayRead } from './whose.ts'

type TalkKind = 'conversation' | 'exchange'

export interface NamedTalk {
  id: string
  conversationId: string
  /** What it is about. */
  line: string
}

const MOST_ALIKE = 10
const MOST_NEAR = 3
const LONGEST_TITLE = 50

/** Finds conversations and exchanges by what people type of their ids, which are other programs' and may have any characters. */
export class TalkIds {
  readonly #storage: Storage
  readonly #person: Person
  readonly #history: History

  /** @internal */
  constructor(storage: Storage, person: Person, history: History) {
    this.#storage = storage
    this.#person = person
    this.#history = history
  }

  /** All whose id is this one or begins so; of too many, some. */
  async named(kind: TalkKind, id: string): Promise<NamedTalk[]> {
    const { db } = this.#storage
    const column = kind === 'conversation' ? 'conversations.id' : 'exchanges.id'
    const rows =
      kind === 'conversation'
        ? db.selectFrom('conversations').select('conversations.id').where(mayRead(this.#person))
        : db
            .selectFrom('exchanges')
            .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
            .select('exchanges.id')
            .where(mayRead(this.#person))
    const exact = await rows.where(sql.ref(column), '=', id).execute()
    // Backslashes, so that no character of an id means more than itself.
    const pattern = `${id.replace(/[\\%_]/g, '\\$&')}%`
    const like = sql<boolean>`${sql.ref(column)} like ${pattern} escape ${sql.lit('\\')}`
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

  /** The conversation that is meant; an error that names those with ids or titles like it when there is none. */
  async conversation(typed: string): Promise<Conversation> {
    const found = await this.#history.conversation(await this.whole('conversation', typed))
    if (found) return found
    const near = await this.#near(idOfKind('conversation', typed))
    const meant = near.map(
      ({ id, line }) => `${shortId('conversation', id)} "${oneLine(line, LONGEST_TITLE)}"`,
    )
    throw new RalphError('not_found', `there is no conversation ${JSON.stringify(typed)}`, {
      hint: `${near.length > 0 ? `Did you mean ${meant.join(' or ')}? ` : ''}See the ids with: ralph conversations list`,
    })
  }

  /** A slip of the finger away, or called so. */
  async #near(id: string): Promise<NamedTalk[]> {
    const all = await this.#storage.db
      .selectFrom('conversations')
      .select(['id', 'title'])
      .where(mayRead(this.#person))
      .execute()
    const beginnings = new Map(all.map((row) => [row.id.slice(0, id.length), row.id]))
    const slips = nearestTo(id, [...beginnings.keys()], MOST_NEAR).map(
      (beginning) => beginnings.get(beginning)!,
    )
    const called = all
      .filter(({ title }) => title?.toLowerCase().includes(id.toLowerCase()))
      .map((row) => row.id)
    return this.#conversations([...new Set([...slips, ...called])].slice(0, MOST_NEAR))
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
