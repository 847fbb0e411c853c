import type { SelectQueryBuilder } from 'kysely'
import type { Storage } from './storage.ts'
import type { Tables } from './tables.ts'

type LockRows = <Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
) => SelectQueryBuilder<Tables, Table, Row>

/** `Storage.claim` for a dialect, given how it passes over rows that another transaction holds. */
export function claimUsing(transaction: Storage['transaction'], lockRows: LockRows): Storage['claim'] {
  return (pick, take) =>
    transaction(async (db) => {
      const rows = await lockRows(pick(db)).execute()
      if (rows.length > 0) await take(db, rows)
      return rows
    })
}
