import { RalphError } from '../errors.ts'
import type { Person } from '../identity/person.ts'
import type { Storage } from '../storage/storage.ts'
import { redact } from '../text/redact.ts'
import type { History } from './history.ts'
import { mayRead } from './whose.ts'

export interface TagCount {
  tag: string
  conversations: number
  /** How many of them have it from the summary, not from a person. */
  automatic: number
}

export interface GivenTag {
  tag: string
  /** It came with the summary; nobody has given it by hand. */
  automatic: boolean
}

const LONGEST_TAG = 60

/** Words that people file conversations under. */
export class Tags {
  readonly #storage: Storage
  readonly #person: Person
  readonly #history: History

  /** @internal */
  constructor(storage: Storage, person: Person, history: History) {
    this.#storage = storage
    this.#person = person
    this.#history = history
  }

  /** Returns all tags that the conversation has now. */
  async add(conversationId: string, ...tags: readonly string[]): Promise<string[]> {
    await this.#history.own(conversationId)
    const names = [...new Set(tags.map(normalTag))]
    if (names.length > 0) {
      await this.#storage.transaction(async (db) => {
        await db
          .insertInto('conversation_tags')
          .values(names.map((tag) => ({ conversation_id: conversationId, tag, automatic: 0 as const })))
          // What was automatic is the person's own from now on.
          .onConflict((conflict) =>
            conflict.columns(['conversation_id', 'tag']).doUpdateSet({ automatic: 0 }),
          )
          .execute()
        await db
          .deleteFrom('conversation_tags_removed')
          .where('conversation_id', '=', conversationId)
          .where('tag', 'in', names)
          .execute()
      })
    }
    return this.of(conversationId)
  }

  /** Returns the tags that are left. */
  async remove(conversationId: string, ...tags: readonly string[]): Promise<string[]> {
    await this.#history.own(conversationId)
    const names = [...new Set(tags.map(normalTag))]
    await this.#storage.transaction(async (db) => {
      await db
        .deleteFrom('conversation_tags')
        .where('conversation_id', '=', conversationId)
        .where('tag', 'in', names)
        .execute()
      // So that no summary brings it back.
      await db
        .insertInto('conversation_tags_removed')
        .values(names.map((tag) => ({ conversation_id: conversationId, tag })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    return this.of(conversationId)
  }

  async of(conversationId: string): Promise<string[]> {
    const rows = await this.#readable()
      .select('tag')
      .where('conversation_id', '=', conversationId)
      .orderBy('tag')
      .execute()
    return rows.map(({ tag }) => tag)
  }

  /** The same, with who gave each. */
  async given(conversationId: string): Promise<GivenTag[]> {
    const rows = await this.#readable()
      .select(['tag', 'automatic'])
      .where('conversation_id', '=', conversationId)
      .orderBy('tag')
      .execute()
    return rows.map(({ tag, automatic }) => ({ tag, automatic: automatic === 1 }))
  }

  /** By conversation, for those that have any. */
  async ofEach(conversationIds: readonly string[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>()
    if (conversationIds.length === 0) return found
    const rows = await this.#readable()
      .selectAll('conversation_tags')
      .where('conversation_id', 'in', [...conversationIds])
      .orderBy('tag')
      .execute()
    for (const { conversation_id, tag } of rows) {
      found.set(conversation_id, [...(found.get(conversation_id) ?? []), tag])
    }
    return found
  }

  /** All there are, with how many conversations carry them. */
  async all(): Promise<TagCount[]> {
    const rows = await this.#readable()
      .select(['tag', (count) => count.fn.countAll().as('conversations')])
      .select((count) => count.fn.sum('automatic').as('automatic'))
      .groupBy('tag')
      .orderBy('tag')
      .execute()
    return rows.map(({ tag, conversations, automatic }) => ({
      ...{ tag, conversations: Number(conversations), automatic: Number(automatic) },
    }))
  }

  /** The conversations that carry all of these. */
  async carriersOf(tags: readonly string[]): Promise<string[]> {
    const names = [...new Set(tags.map(normalTag))]
    const rows = await this.#readable()
      .select('conversation_id')
      .where('tag', 'in', names)
      .groupBy('conversation_id')
      .having((having) => having.fn.countAll(), '=', names.length)
      .execute()
    return rows.map((row) => row.conversation_id)
  }

  /** The conversations that carry any of these. */
  async carriersOfAny(tags: readonly string[]): Promise<string[]> {
    if (tags.length === 0) return []
    const rows = await this.#readable()
      .select('conversation_id')
      .where('tag', 'in', [...new Set(tags.map(normalTag))])
      .distinct()
      .execute()
    return rows.map((row) => row.conversation_id)
  }

  #readable() {
    return this.#storage.db
      .selectFrom('conversation_tags')
      .innerJoin('conversations', 'conversations.id', 'conversation_tags.conversation_id')
      .where(mayRead(this.#person))
  }
}

export function normalTag(tag: string): string {
  // Masked before it is cut: half a secret is still a secret.
  const name = redact(tag).trim().replace(/^#/, '').replace(/\s+/g, '-').toLowerCase().slice(0, LONGEST_TAG)
  if (name !== '') return name
  throw new RalphError('invalid_input', 'a tag needs a name', {
    hint: 'Example: ralph conversations tag add debugging CONVERSATION',
  })
}
