import { createHash } from 'node:crypto'
import type { Queries, Storage } from './storage.ts'
import { STORAGE_ID_KEY } from './storage-id.ts'

/** What the tables hold, as people call it. */
export const STORED_PARTS = ['gates', 'knowledge', 'conversations', 'documents', 'workers'] as const
export type StoredPart = (typeof STORED_PARTS)[number]

/** Of each part a text that is another one when what is stored of it has changed. */
export type StorageMarks = Record<StoredPart, string>

/** Tells which part of what is stored has changed, for whoever shows it while others write. */
export class StorageMarker {
  readonly #storage: Storage
  #last: { revision: string; marks: StorageMarks } | undefined

  /** @internal */
  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Next to nothing while nobody writes; else it reads counts and indexes, never texts of all rows. */
  async marks(): Promise<StorageMarks> {
    // Asked first: what is committed meanwhile makes another revision, which is looked at the next time.
    const revision = await this.#storage.revision()
    if (this.#last?.revision !== revision) this.#last = { revision, marks: await this.#read() }
    return this.#last.marks
  }

  async #read(): Promise<StorageMarks> {
    const { db } = this.#storage
    return {
      gates: markOf(await gates(db), await waitingGates(db)),
      knowledge: markOf(await knowledge(db)),
      conversations: markOf(await conversations(db)),
      documents: markOf(await documents(db)),
      workers: markOf(await workers(db)),
    }
  }
}

function markOf(...rows: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('base64url')
}

function gates(db: Queries) {
  return db
    .selectFrom('gates')
    .select(({ fn }) => [
      fn.countAll().as('rows'),
      fn.max('created_at').as('newest'),
      fn.max('decided_at').as('decided'),
      fn.count('decided_at').as('decisions'),
    ])
    .executeTakeFirst()
}

/** What was handed in may be replaced while it waits. */
function waitingGates(db: Queries) {
  return db
    .selectFrom('gates')
    .select(['id', 'approach', 'change_text', 'task_title', 'task_description'])
    .where('state', '=', 'waiting')
    .orderBy('id')
    .limit(100)
    .execute()
}

/** Everything that can happen to an entry shows in one of these, by an index or in a table of short rows. */
async function knowledge(db: Queries): Promise<unknown[]> {
  return [
    await db
      .selectFrom('knowledge_staging')
      .select(({ fn }) => [fn.countAll().as('n'), fn.max('captured_at').as('at'), fn.sum('verified').as('v')])
      .executeTakeFirst(),
    await db
      .selectFrom('knowledge_entries')
      .select(({ fn }) => [fn.countAll().as('rows'), fn.sum('outdated').as('outdated')])
      .executeTakeFirst(),
    await db
      .selectFrom('knowledge_entries')
      .select(({ fn }) => fn.max('embedded_at').as('newest'))
      .executeTakeFirst(),
    await db
      .selectFrom('knowledge_sightings')
      .select(({ fn }) => fn.countAll().as('rows'))
      .executeTakeFirst(),
    await db
      .selectFrom('knowledge_injections')
      .select(({ fn }) => [fn.countAll().as('rows'), fn.count('outcome_at').as('outcomes')])
      .executeTakeFirst(),
    await db
      .selectFrom('knowledge_checkpoints')
      .select(({ fn }) => [fn.countAll().as('rows'), fn.count('finished_at').as('finished')])
      .executeTakeFirst(),
  ]
}

/** Every change of words has its revision; votes, tags and deletions have not. */
async function conversations(db: Queries): Promise<unknown[]> {
  const rowsOf = (table: 'conversations' | 'exchanges' | 'conversation_tags') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll().as('rows'))
      .executeTakeFirst()
  return [
    // What is spent has its own place.
    await db
      .selectFrom('counters')
      .select(['name', 'value'])
      .where('name', 'not like', 'spend.%')
      .orderBy('name')
      .execute(),
    await rowsOf('conversations'),
    await rowsOf('exchanges'),
    await rowsOf('conversation_tags'),
    await db
      .selectFrom('conversation_votes')
      .selectAll()
      .orderBy('person')
      .orderBy('kind')
      .orderBy('item_id')
      .execute(),
  ]
}

/** Whatever is read, read again or found unreadable has its time. */
async function documents(db: Queries): Promise<unknown[]> {
  return [
    await db
      .selectFrom('documents')
      .select(({ fn }) => [
        fn.countAll().as('rows'),
        fn.sum('pieces').as('pieces'),
        fn.max('read_at').as('newest'),
      ])
      .executeTakeFirst(),
    await db
      .selectFrom('document_sources')
      .select(({ fn }) => [fn.countAll().as('rows'), fn.max('synced_at').as('newest')])
      .executeTakeFirst(),
  ]
}

/** Short tables: what is switched on, who works at what, what failed and what it cost. */
async function workers(db: Queries): Promise<unknown[]> {
  return [
    // Which storage it is gets written by whoever first asks, and changes nothing that anybody sees.
    await db
      .selectFrom('settings')
      .select(['key', 'value'])
      .where('key', '!=', STORAGE_ID_KEY)
      .orderBy('key')
      .execute(),
    await db
      .selectFrom('person_settings')
      .select(['person', 'key', 'value'])
      .orderBy('person')
      .orderBy('key')
      .execute(),
    await db
      .selectFrom('conversation_workers')
      .select(['worker', 'owner', 'state', 'current_item', 'done', 'total', 'problem'])
      .orderBy('worker')
      .orderBy('owner')
      .execute(),
    await db
      .selectFrom('conversation_work')
      .select(({ fn }) => [
        fn.countAll().as('rows'),
        fn.sum('attempts').as('attempts'),
        fn.sum('given_up').as('givenUp'),
      ])
      .executeTakeFirst(),
    await db
      .selectFrom('conversation_worker_totals')
      .selectAll()
      .orderBy('person')
      .orderBy('worker')
      .execute(),
    await db
      .selectFrom('spend')
      .select(({ fn }) => [fn.countAll().as('rows'), fn.sum('calls').as('calls'), fn.sum('usd').as('usd')])
      .executeTakeFirst(),
  ]
}
