import { DatabaseSync } from 'node:sqlite'
import { requireOwnDatabase } from '../files/own-files.ts'
import type { Storage } from './storage.ts'
import type { GateRow, SpendRow } from './tables.ts'

/** What is stored, in numbers, and what of it waits for a person. */
export interface StoredCounts {
  conversations: number
  exchanges: number
  /** Of all projects. */
  knowledge: number
  knowledgeHere: number
  /** Captured, and not searchable before the next checkpoint. */
  staged: number
  /** Of this project, the longest waiting first. */
  gates: WaitingGateRow[]
  /** By month and purpose. */
  spent: SpentCount[]
}

export interface SpentCount extends Pick<SpendRow, 'month' | 'purpose' | 'usd'> {
  estimatedUsd: number
  unpricedCalls: number
}

export type WaitingGateRow = Pick<
  GateRow,
  'id' | 'gate_type' | 'task_id' | 'task_title' | 'feature' | 'attempt' | 'created_at'
>

/** What is counted. */
export interface Counted {
  /** What it is filed under. */
  project: string
  /** Their own conversations, and those that others share; all there are in a file, which is one person's. */
  person?: string
}

type Ask = (
  text: string,
  values: readonly string[],
) => Record<string, unknown>[] | Promise<Record<string, unknown>[]>

/** Whoever has that many does not come to the last of them here. */
const MOST_GATES = 500

/** By the same words in every dialect; `mark` comes before the number of a value. */
async function count(
  ask: Ask,
  { project, person }: Counted,
  mark: '?' | '$',
  hasSpend = true,
): Promise<StoredCounts> {
  const readable = person === undefined ? '' : ` where person = ${mark}2 or shared = 1`
  const [numbers] = await ask(
    `select (select count(*) from conversations${readable}) as conversations,
      (select sum(exchange_count) from conversations${readable}) as exchanges,
      (select count(*) from knowledge_entries) as knowledge,
      (select count(*) from knowledge_entries where project_id = ${mark}1) as here,
      (select count(*) from knowledge_staging) as staged`,
    person === undefined ? [project] : [project, person],
  )
  const gates = await ask(
    `select id, gate_type, task_id, task_title, feature, attempt, created_at from gates
      where state = 'waiting' and project_id = ${mark}1 order by created_at, id limit ${MOST_GATES}`,
    [project],
  )
  const number = (name: string) => Number(numbers?.[name] ?? 0)
  return {
    conversations: number('conversations'),
    exchanges: number('exchanges'),
    knowledge: number('knowledge'),
    knowledgeHere: number('here'),
    staged: number('staged'),
    gates: gates.map((row) => ({ ...row, created_at: Number(row['created_at']) }) as WaitingGateRow),
    spent: hasSpend ? await countSpent(ask, person, mark) : [],
  }
}

async function countSpent(ask: Ask, person: string | undefined, mark: '?' | '$'): Promise<SpentCount[]> {
  const whose = person === undefined ? '' : ` where person = ${mark}1`
  const rows = await ask(
    `select month, purpose, sum(usd) as usd, sum(estimated_usd) as estimated, sum(unpriced_calls) as unpriced
      from spend${whose} group by month, purpose`,
    person === undefined ? [] : [person],
  )
  return rows.map(({ month, purpose, usd, estimated, unpriced }) => ({
    month: String(month),
    purpose: purpose as SpentCount['purpose'],
    usd: Number(usd),
    estimatedUsd: Number(estimated),
    unpricedCalls: Number(unpriced),
  }))
}

/** Straight from the file, for whoever has no time to open the storage. */
export async function countInFile(path: string, project: string): Promise<StoredCounts> {
  requireOwnDatabase(path)
  const database = new DatabaseSync(path, { timeout: 1_000 })
  try {
    database.exec('pragma query_only = on')
    const ask: Ask = (text, [value]) => {
      const statement = database.prepare(text)
      return value === undefined ? statement.all() : statement.all({ 1: value })
    }
    // An earlier version may have written it last.
    const [hasSpend] = await ask("select 1 from sqlite_master where name = 'spend'", [])
    return await count(ask, { project }, '?', hasSpend !== undefined)
  } finally {
    database.close()
  }
}

/** The same of any storage. */
export async function countStored({ db, dialect }: Storage, counted: Counted): Promise<StoredCounts> {
  const { CompiledQuery } = await import('kysely')
  const ask: Ask = async (text, values) =>
    (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, [...values]))).rows
  return count(ask, counted, dialect === 'postgres' ? '$' : '?')
}
