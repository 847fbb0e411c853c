import type { Tables } from '../storage/tables.ts'

type Column<Name extends keyof Tables> = keyof Tables[Name] & string

interface CopiedTable<Name extends keyof Tables> {
  key: readonly Column<Name>[]
  /** The table whose rows ours need to exist: they are copied first. */
  parent?: { table: keyof Tables; column: Column<Name> }
}

/** Every table there is, parents before children. The type makes sure that none is forgotten. */
export const COPIED: { readonly [Name in keyof Tables]: CopiedTable<Name> } = {
  settings: { key: ['key'] },
  counters: { key: ['name'] },
  people: { key: ['id'] },
  people_homes: { key: ['home_id', 'person_id'], parent: { table: 'people', column: 'person_id' } },
  person_settings: { key: ['person', 'key'] },
  knowledge_entries: { key: ['id'] },
  knowledge_staging: { key: ['id'] },
  knowledge_sightings: { key: ['id'], parent: { table: 'knowledge_entries', column: 'entry_id' } },
  knowledge_injections: {
    key: ['id', 'entry_id'],
    parent: { table: 'knowledge_entries', column: 'entry_id' },
  },
  knowledge_checkpoints: { key: ['id'] },
  gates: { key: ['id'] },
  conversations: { key: ['id'] },
  exchanges: { key: ['id'], parent: { table: 'conversations', column: 'conversation_id' } },
  exchange_summaries: { key: ['exchange_id'], parent: { table: 'exchanges', column: 'exchange_id' } },
  exchange_messages: {
    key: ['exchange_id', 'position'],
    parent: { table: 'exchanges', column: 'exchange_id' },
  },
  conversation_tags: {
    key: ['conversation_id', 'tag'],
    parent: { table: 'conversations', column: 'conversation_id' },
  },
  conversation_votes: { key: ['person', 'kind', 'item_id'] },
  conversation_withdrawals: { key: ['revision'] },
  conversation_sources: { key: ['person', 'path'] },
  conversation_work: { key: ['worker', 'item_id'] },
  conversation_workers: { key: ['worker', 'owner'] },
  conversation_worker_totals: { key: ['person', 'worker'] },
}

/** Who works there, and from where, is noted by whoever opens it. */
const NOTED: readonly string[] = ['people', 'people_homes'] satisfies (keyof Tables)[]

export const TABLE_NAMES = Object.keys(COPIED).filter((table) => !NOTED.includes(table)) as (keyof Tables)[]
