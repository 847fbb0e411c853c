import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { JsonObject } from '../../../src/text/json.ts'

export const RECORDED = join(import.meta.dirname, '../../fixtures/agents/opencode')

/** As opencode 1.18.33 makes them. */
const TABLES = `
  CREATE TABLE project (id text PRIMARY KEY, worktree text NOT NULL, vcs text, name text, icon_url text, icon_url_override text,
    icon_color text, time_created integer, time_updated integer, time_initialized integer, sandboxes text, commands text);
  CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text, slug text NOT NULL,
    directory text NOT NULL, path text, title text NOT NULL, version text NOT NULL, share_url text, summary_additions integer,
    summary_deletions integer, summary_files integer, summary_diffs text, metadata text, cost real, tokens_input integer,
    tokens_output integer, tokens_reasoning integer, tokens_cache_read integer, tokens_cache_write integer, revert text,
    permission text, agent text, model text, time_created integer, time_updated integer, time_compacting integer,
    time_archived integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer, time_updated integer, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer,
    time_updated integer, data text NOT NULL);
  CREATE INDEX part_session_idx ON part (session_id);`
const KEPT = new Set(['project', 'session', 'message', 'part'])

export function recordedRows(name: string): JsonObject[] {
  const text = readFileSync(join(RECORDED, 'session-files', `${name}.rows.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject)
}

/** A database like opencode's with the rows of recordings in it; open, so that its journal lies beside it. */
export function openStore(path: string, names: readonly string[]): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; ${TABLES}`)
  database.exec('BEGIN')
  for (const name of names) for (const row of recordedRows(name)) insert(database, row)
  database.exec('COMMIT')
  return database
}

function insert(database: DatabaseSync, { table, ...row }: JsonObject): void {
  if (typeof table !== 'string' || !KEPT.has(table)) return
  const columns = Object.keys(row)
  const values = Object.values(row).map(
    (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value) as SQLInputValue,
  )
  const marks = columns.map(() => '?').join(', ')
  database.prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`).run(...values)
}
