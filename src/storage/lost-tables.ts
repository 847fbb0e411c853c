import type { Queries } from './storage.ts'
import type { Tables } from './tables.ts'

/** Every table there is; the compiler sees to it that none is left out. */
const TABLES: Record<keyof Tables, true> = {
  settings: true,
  people: true,
  people_homes: true,
  person_settings: true,
  spend: true,
  knowledge_staging: true,
  knowledge_entries: true,
  knowledge_sightings: true,
  knowledge_injections: true,
  knowledge_checkpoints: true,
  gates: true,
  conversations: true,
  exchanges: true,
  exchange_summaries: true,
  exchange_messages: true,
  conversation_tags: true,
  conversation_tags_removed: true,
  conversation_topics: true,
  conversation_topic_members: true,
  conversation_votes: true,
  conversation_withdrawals: true,
  conversation_sources: true,
  conversation_work: true,
  conversation_workers: true,
  conversation_worker_totals: true,
  counters: true,
  document_sources: true,
  documents: true,
  document_pieces: true,
}

/** What is wrong with the tables themselves; undefined when all are there. */
export async function lostTables(
  db: Queries,
  place: string,
): Promise<{ detail: string; hint: string } | undefined> {
  const there = new Set((await db.introspection.getTables()).map(({ name }) => name))
  const lost = Object.keys(TABLES).filter((table) => !there.has(table))
  if (lost.length === 0) return undefined
  return {
    detail: `${place} has lost ${lost.length === 1 ? 'the table' : 'the tables'} ${lost.join(', ')}`,
    hint: `Restore ${place} from a backup. Without one, ralph doctor --fix makes what is lost again; the other tables stay as they are.`,
  }
}
