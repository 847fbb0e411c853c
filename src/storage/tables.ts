import type { ConversationTables } from './conversation-tables.ts'
import type { DocumentTables } from './document-tables.ts'

export type * from './conversation-tables.ts'
export type * from './document-tables.ts'

/**
 * The rows of every table as the newest migration leaves them. To add tables: write their rows here, add them to
 * `Tables`, and append a migration (see migrations/migrations.ts).
 */
export interface Tables
  extends SharedTables,
    PeopleTables,
    SpendTables,
    KnowledgeTables,
    ConversationTables,
    DocumentTables {}

/** Milliseconds since 1970, UTC. */
export type EpochMs = number
/** A structure as JSON text. */
export type JsonText = string
/** 0 or 1: SQLite has no booleans. */
export type Flag = 0 | 1

export interface SharedTables {
  /** Small values that outlive a process; keys are prefixed with the memory they belong to ("knowledge.…"). */
  settings: { key: string; value: JsonText; updated_at: EpochMs }
}

export interface PeopleTables {
  people: PersonRow
  people_homes: PersonHomeRow
  /** The same as `settings`, of one person. */
  person_settings: { person: string; key: string; value: JsonText; updated_at: EpochMs }
}

export interface PersonRow {
  id: string
  name: string
  made_at: EpochMs
}

/** Where a person works: a folder of ours on some machine. */
export interface PersonHomeRow {
  home_id: string
  person_id: string
  machine: string
  linked_at: EpochMs
}

export interface SpendTables {
  spend: SpendRow
}

/** What a person's calls have cost in a month, for one purpose and with one model. */
export interface SpendRow {
  person: string
  /** "2026-11", or "earlier" for what was spent before months were counted. */
  month: string
  purpose: 'summaries' | 'chat' | 'embedding'
  model: string
  calls: number
  input_tokens: number
  output_tokens: number
  /** With the worst price of calls under way, and of those that never came to an end. */
  usd: number
  /** Of `usd`, what no service has told. */
  estimated_usd: number
  /** Calls whose price is not known. */
  unpriced_calls: number
}

export interface KnowledgeTables {
  knowledge_staging: StagingRow
  knowledge_entries: EntryRow
  knowledge_sightings: SightingRow
  knowledge_injections: InjectionRow
  knowledge_checkpoints: CheckpointRow
  gates: GateRow
}

/** What an entry is about, the same while staged and once embedded. */
interface KnowledgeRow {
  id: string
  entry_type: string
  /** Where it lay, or what it was called: for people. */
  project: string
  /** What it is filed under: the project's id, or its path or name where it has none. */
  project_id: string
  /** Empty in these three: holds for any. */
  agent_type: string
  task_type: string
  technology: string
  /** The fields of its kind. */
  content: JsonText
  /** Same problem and solution up to spelling: the same key. */
  twin_key: string
  /** Possibly the same problem, and possibly the same solution: what is compared with what. */
  problem_key: string
  solution_key: string
  captured_at: EpochMs
}

export interface StagingRow extends KnowledgeRow {
  /** 0 while a solution waits for its verification: never embedded. */
  verified: Flag
  /** Successes it brings along, more than 1 only for imported entries. */
  success_count: number
  /** Which task of the project and which person it comes from, where known: repetitions are told by them. */
  task: string
  person: string
  lease_owner: string | null
  lease_until: EpochMs
}

export interface EntryRow extends KnowledgeRow {
  success_count: number
  /** How often the task succeeded or failed after this entry had been put into its prompt. */
  helped: number
  misled: number
  embedded_at: EpochMs
  /** 1 when it was changed after it had been embedded: the next checkpoint embeds it again. */
  outdated: Flag
}

/** Every capture that an entry stands for, so that the same capture never counts twice. */
export interface SightingRow {
  id: string
  entry_id: string
  project: string
  project_id: string
  /** Empty where nobody said. */
  task: string
  person: string
  seen_at: EpochMs
}

export interface InjectionRow {
  id: string
  entry_id: string
  project: string
  task: string
  injected_at: EpochMs
  outcome: 'succeeded' | 'failed' | null
  outcome_at: EpochMs | null
}

export interface CheckpointRow {
  id: string
  trigger_name: string
  project: string | null
  started_at: EpochMs
  finished_at: EpochMs | null
  embedded: number
  merged: number
  problem: string | null
}

/** Work that waits, or waited, for a person. */
export interface GateRow {
  id: string
  project: string
  project_id: string
  feature: string
  task_id: string
  task_title: string
  task_description: string
  gate_type: string
  agent_type: string
  task_type: string
  technology: string
  /** What was done, in the words of whoever did it. */
  approach: string
  /** The change itself, for the person to look at. */
  change_text: string
  attempt: number
  state: 'waiting' | 'approved' | 'rejected'
  feedback: string
  /** A name that was given along. */
  decided_by: string
  /** The account on the machine, and how; empty in rows of earlier versions. */
  decided_account: string
  decided_how: string
  created_at: EpochMs
  decided_at: EpochMs | null
}
