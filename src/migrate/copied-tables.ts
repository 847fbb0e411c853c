import type { SharedIds } from '../storage/own-ids.ts'
import type { Tables } from '../storage/tables.ts'

type Column<Name extends keyof Tables> = keyof Tables[Name] & string

/**
 * Whose its rows are. `person`: by that column. `child`: of whoever has its parent. `team`: everybody's. `knowledge`:
 * everybody's, and merged by what it says. `stays`: they are about the database that they are in.
 */
type Whose = 'person' | 'child' | 'team' | 'knowledge' | 'stays'

interface CopiedTable<Name extends keyof Tables> {
  key: readonly Column<Name>[]
  whose: Whose
  /** The table whose rows ours need to exist: they are copied first. */
  parent?: { table: keyof Tables; column: Column<Name> }
  /** Columns with ids that somebody else may have, too. */
  ids?: (row: Tables[Name]) => { [Key in Column<Name>]?: SharedIds }
  /** Every change has a number of its own, higher than all before, in each database. */
  revised?: true
  /** Of the team: whether the row that comes says more than the one that is there. */
  isNewer?: (coming: Tables[Name], there: Tables[Name]) => boolean
}

/** Every table there is, parents before children. The type makes sure that none is forgotten. */
export const COPIED: { readonly [Name in keyof Tables]: CopiedTable<Name> } = {
  settings: { key: ['key'], whose: 'team' },
  counters: { key: ['name'], whose: 'stays' },
  people: { key: ['id'], whose: 'stays' },
  people_homes: { key: ['home_id', 'person_id'], whose: 'stays' },
  person_settings: { key: ['person', 'key'], whose: 'person' },
  spend: { key: ['person', 'month', 'purpose', 'model'], whose: 'person' },
  knowledge_entries: { key: ['id'], whose: 'knowledge' },
  knowledge_sightings: {
    key: ['id'],
    whose: 'knowledge',
    parent: { table: 'knowledge_entries', column: 'entry_id' },
  },
  knowledge_injections: {
    key: ['id', 'entry_id'],
    whose: 'knowledge',
    parent: { table: 'knowledge_entries', column: 'entry_id' },
  },
  knowledge_staging: { key: ['id'], whose: 'knowledge' },
  knowledge_checkpoints: { key: ['id'], whose: 'team' },
  gates: {
    key: ['id'],
    whose: 'team',
    isNewer: (coming, there) => there.state === 'waiting' && coming.state !== 'waiting',
  },
  conversations: {
    key: ['id'],
    whose: 'person',
    ids: () => ({ id: 'conversations', parent_id: 'conversations' }),
    revised: true,
  },
  exchanges: {
    key: ['id'],
    whose: 'child',
    parent: { table: 'conversations', column: 'conversation_id' },
    ids: () => ({ id: 'exchanges', conversation_id: 'conversations' }),
    revised: true,
  },
  exchange_summaries: {
    key: ['exchange_id'],
    whose: 'child',
    parent: { table: 'exchanges', column: 'exchange_id' },
    ids: () => ({ exchange_id: 'exchanges' }),
  },
  exchange_messages: {
    key: ['exchange_id', 'position'],
    whose: 'child',
    parent: { table: 'exchanges', column: 'exchange_id' },
    ids: () => ({ exchange_id: 'exchanges' }),
  },
  conversation_tags: {
    key: ['conversation_id', 'tag'],
    whose: 'child',
    parent: { table: 'conversations', column: 'conversation_id' },
    ids: () => ({ conversation_id: 'conversations' }),
  },
  conversation_tags_removed: {
    key: ['conversation_id', 'tag'],
    whose: 'child',
    parent: { table: 'conversations', column: 'conversation_id' },
    ids: () => ({ conversation_id: 'conversations' }),
  },
  conversation_topics: { key: ['person', 'id'], whose: 'person' },
  conversation_topic_members: {
    key: ['conversation_id'],
    whose: 'child',
    parent: { table: 'conversations', column: 'conversation_id' },
    ids: () => ({ conversation_id: 'conversations' }),
  },
  conversation_votes: {
    key: ['person', 'kind', 'item_id'],
    whose: 'person',
    ids: ({ kind }) => ({ item_id: kind === 'exchange' ? 'exchanges' : 'conversations' }),
  },
  conversation_withdrawals: { key: ['revision'], whose: 'stays' },
  conversation_sources: { key: ['person', 'path'], whose: 'person' },
  conversation_work: { key: ['worker', 'item_id'], whose: 'stays' },
  conversation_workers: { key: ['worker', 'owner'], whose: 'stays' },
  conversation_worker_totals: { key: ['person', 'worker'], whose: 'person' },
  document_sources: { key: ['id'], whose: 'person', ids: () => ({ id: 'document_sources' }) },
  documents: {
    key: ['id'],
    whose: 'person',
    parent: { table: 'document_sources', column: 'source_id' },
    ids: () => ({ id: 'documents', source_id: 'document_sources' }),
  },
  document_pieces: {
    key: ['id'],
    whose: 'person',
    parent: { table: 'documents', column: 'document_id' },
    ids: () => ({ id: 'document_pieces', document_id: 'documents' }),
    revised: true,
  },
}

/** Those that are copied row by row; knowledge is merged by itself. */
export const TABLE_NAMES = namesOf('person', 'child', 'team')
export const KNOWLEDGE_NAMES = namesOf('knowledge')

function namesOf(...whose: readonly Whose[]): (keyof Tables)[] {
  const names = Object.keys(COPIED) as (keyof Tables)[]
  return names.filter((name) => whose.includes(COPIED[name].whose))
}
