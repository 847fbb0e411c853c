import { COPIED, KNOWLEDGE_NAMES, TABLE_NAMES } from '../../src/migrate/copied-tables.ts'
import { countRows, pageAfter } from '../../src/migrate/table-copy.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { Tables } from '../../src/storage/tables.ts'

type Row = { [column: string]: string | number | null }
type Make = { [Name in keyof Tables]: (at: number) => Tables[Name] & Row }

/** Texts that have gone wrong somewhere between two databases. */
const TEXTS = [
  'plain',
  "it's; drop table",
  'Zürich 🚀 \u{1F469}\u200D\u{1F4BB}',
  '',
  'a\nb\tc\\d',
  'ǅ ß Z z _ %',
]
const text = (at: number) => `${TEXTS[at % TEXTS.length]} ${at}`
/** In an order that no two collations agree on. */
const id = (kind: string, at: number) => `${['a', 'B', 'é', 'Z', '_', '-'][at % 6]}-${kind}-${at}`

/** What comes along. */
export const MOVED: readonly (keyof Tables)[] = [...KNOWLEDGE_NAMES, ...TABLE_NAMES]

const MAKE: Make = {
  settings: (at) => ({ key: id('setting', at), value: JSON.stringify(text(at)), updated_at: at }),
  counters: (at) => ({ name: id('counter', at), value: 2 ** 40 + at }),
  people: (at) => ({ id: id('person', at), name: text(at), made_at: at }),
  people_homes: (at) => ({
    home_id: id('home', at),
    person_id: id('person', at),
    machine: 'm',
    linked_at: at,
  }),
  person_settings: (at) => ({
    person: 'person',
    key: id('key', at),
    value: '1',
    updated_at: at,
  }),
  knowledge_entries: (at) => ({
    ...knowledge(at),
    success_count: at,
    helped: 0,
    misled: 1,
    embedded_at: 1.7e12 + at,
    outdated: 0,
  }),
  knowledge_staging: (at) => ({
    ...knowledge(at),
    id: id('staged', at),
    verified: 1,
    success_count: 1,
    task: text(at),
    person: 'Ann',
    lease_owner: null,
    lease_until: 0,
  }),
  knowledge_sightings: (at) => ({
    id: id('sighting', at),
    entry_id: id('entry', at),
    project: '/p',
    project_id: '/p',
    task: text(at),
    person: 'Ann',
    seen_at: at,
  }),
  knowledge_injections: (at) => ({
    id: id('injection', at % 3),
    entry_id: id('entry', at),
    project: '/p',
    task: text(at),
    injected_at: at,
    outcome: at % 2 ? 'failed' : null,
    outcome_at: at % 2 ? at : null,
  }),
  knowledge_checkpoints: (at) => ({
    id: id('checkpoint', at),
    trigger_name: 'manual',
    project: null,
    started_at: at,
    finished_at: null,
    embedded: 0,
    merged: 0,
    problem: text(at),
  }),
  gates: (at) => ({
    id: id('gate', at),
    project: '/p',
    project_id: '/p',
    feature: 'f',
    task_id: String(at),
    task_title: text(at),
    task_description: text(at),
    gate_type: 'plan',
    agent_type: '',
    task_type: '',
    technology: '',
    approach: text(at),
    change_text: text(at),
    attempt: 1,
    state: 'waiting',
    feedback: '',
    decided_by: '',
    decided_account: '',
    decided_how: '',
    created_at: at,
    decided_at: null,
  }),
  conversations: (at) => ({
    id: id('conversation', at),
    person: 'person',
    shared: 0,
    title: text(at),
    source: 'api',
    project: null,
    parent_id: at ? id('conversation', at - 1) : null,
    started_at: at,
    updated_at: at,
    exchange_count: 1,
    summary: null,
    summary_model: null,
    summary_due: 1,
    summarised_exchanges: 0,
    in_use_until: 0,
    revision: at,
  }),
  exchanges: (at) => ({
    id: id('exchange', at),
    conversation_id: id('conversation', at),
    position: 0,
    user_message: text(at),
    assistant_message: text(at),
    status: 'completed',
    started_at: at,
    completed_at: null,
    summarised: 1,
    summary_due: 0,
    revision: at,
  }),
  exchange_summaries: (at) => ({ exchange_id: id('exchange', at), summary: text(at), model: 'm' }),
  exchange_messages: (at) => ({
    exchange_id: id('exchange', at),
    position: at % 7,
    role: 'tool',
    content: text(at),
    tool_name: null,
  }),
  conversation_tags: (at) => ({ conversation_id: id('conversation', at), tag: text(at), automatic: 1 }),
  conversation_tags_removed: (at) => ({ conversation_id: id('conversation', at), tag: text(at) }),
  conversation_topics: (at) => ({
    ...{
      id: id('topic', at),
      person: 'person',
      name: text(at),
      named_by: 'words',
      named_from: 3,
      made_at: at,
    },
  }),
  conversation_topic_members: (at) => ({
    ...{ conversation_id: id('conversation', at), topic_id: id('topic', at), fit: 0.5 },
  }),
  conversation_votes: (at) => ({
    person: 'person',
    kind: 'exchange',
    item_id: id('exchange', at),
    votes: -1,
  }),
  conversation_withdrawals: (at) => ({
    revision: at + 1,
    conversation_id: id('conversation', at),
    exchange_ids: '[]',
  }),
  conversation_sources: (at) => ({
    person: 'person',
    path: id('source', at),
    identity: 'i',
    size: at,
    modified_at: at + 0.125,
    byte_offset: at,
    fingerprint: 'f',
  }),
  conversation_work: (at) => ({
    person: 'person',
    worker: id('worker', at % 4),
    item_id: id('item', at),
    attempts: 1,
    not_before: at,
    given_up: 0,
    problem: null,
    lease_owner: null,
    lease_until: 0,
  }),
  conversation_workers: (at) => ({
    person: 'person',
    worker: 'w',
    owner: id('owner', at),
    state: 'idle',
    current_item: null,
    done: 0,
    total: 0,
    problem: null,
    seen_at: at,
  }),
  conversation_worker_totals: (at) => ({
    person: 'person',
    worker: id('total', at),
    completed: at,
    failed: 0,
  }),
  spend: (at) => ({
    person: 'person',
    month: '2026-11',
    purpose: 'summaries',
    model: id('model', at),
    calls: at,
    input_tokens: 2 ** 41,
    output_tokens: 1,
    usd: 0.1 * at,
    estimated_usd: at / 7,
    unpriced_calls: 0,
  }),
  document_sources: (at) => ({
    id: id('folder', at),
    person: 'person',
    home: 'here',
    path: `/home/${text(at)}`,
    is_folder: 1,
    most_files: 2 ** 33,
    most_bytes: at % 2 ? null : 2 ** 40,
    added_at: at,
    synced_at: at % 2 ? at : null,
  }),
  documents: (at) => ({
    id: id('document', at),
    source_id: id('folder', at),
    person: 'person',
    path: `/home/${text(at)}/a.md`,
    format: 'markdown',
    title: text(at),
    size: 2 ** 40 + at,
    stamp: `${at}`,
    hash: `hash-${at}`,
    pieces: 1,
    problem: at % 2 ? 'no text' : null,
    read_at: at,
  }),
  document_pieces: (at) => ({
    id: id('piece', at),
    document_id: id('document', at),
    person: 'person',
    position: 0,
    headings: JSON.stringify([text(at)]),
    first_at: 1,
    last_at: 7,
    tokens: 300,
    text: text(at),
    revision: at,
  }),
}

function knowledge(at: number) {
  return {
    id: id('entry', at),
    entry_type: 'failure_solution',
    project: '/p',
    project_id: '/p',
    agent_type: '',
    task_type: 't',
    technology: 'ts',
    content: JSON.stringify({ text: text(at) }),
    twin_key: `twin-${at}`,
    problem_key: `problem-${at}`,
    solution_key: `solution-${at}`,
    captured_at: at,
  }
}

/** The same number of rows in every table, numbered from `from`. */
export async function fill(storage: Storage, rows: number, from = 0): Promise<void> {
  await storage.transaction(async (db) => {
    for (const table of MOVED) {
      const make = MAKE[table] as (at: number) => Row
      for (let at = from; at < from + rows; at += 100) {
        const values = Array.from({ length: Math.min(100, from + rows - at) }, (_, step) => make(at + step))
        await (
          db as unknown as { insertInto(name: string): { values(rows: Row[]): { execute(): Promise<void> } } }
        )
          .insertInto(table)
          .values(values)
          .execute()
      }
    }
  })
}

/** All that comes along, in an order of our own: databases sort differently, and each counts its own changes. */
export async function everything(storage: Storage, person = 'person'): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {}
  for (const table of MOVED) {
    const rows: unknown[] = []
    for (let after: readonly unknown[] | undefined; ; ) {
      const page: Row[] = (await pageAfter({ storage, person }, table, after)) as Row[]
      if (page.length === 0) break
      for (const { revision: _, ...row } of page) {
        if (COPIED[table].whose === 'person') delete row['person']
        rows.push(JSON.stringify(Object.entries(row).sort()))
      }
      after = COPIED[table].key.map((column) => page.at(-1)![column])
    }
    all[table] = rows.sort()
  }
  return all
}

export async function rowsIn(storage: Storage, person = 'person'): Promise<number> {
  let rows = 0
  for (const table of MOVED) rows += await countRows({ storage, person }, table)
  return rows
}
