import type { Migration } from '../../src/storage/migrations/migrations.ts'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** A database as it can be named to another process. */
export type StorageTarget = { sqlite: string } | { postgres: string }

export function openTarget(target: StorageTarget, migrations?: readonly Migration[]): Promise<Storage> {
  const options = migrations ? { migrations } : {}
  return 'sqlite' in target
    ? openSqliteStorage({ path: target.sqlite, ...options })
    : openPostgresStorage({ url: target.postgres, ...options })
}
