import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { MakeTarget } from '../contracts/storage.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'

export const sqliteTarget: MakeTarget = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-storage-'))
  return {
    target: { sqlite: join(folder, 'ralph.db') },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const postgresTarget: MakeTarget = async () => {
  const { url, remove } = await temporaryDatabase()
  return { target: { postgres: url }, remove }
}

/** A schema of its own in the database that the environment names. */
export const namedPostgresTarget =
  (url: string): MakeTarget =>
  async () => {
    const schema = `ralph_test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`
    const administer = async (sql: string) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(sql).finally(() => client.end())
    }
    await administer(`create schema ${schema}`)
    const target = new URL(url)
    target.searchParams.set('options', `-c search_path=${schema}`)
    return { target: { postgres: target.href }, remove: () => administer(`drop schema ${schema} cascade`) }
  }
