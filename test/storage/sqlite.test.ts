import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { needs } from '../support/needs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-sqlite-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (storage: Storage, key: string) =>
  storage.db.insertInto('settings').values({ key, value: '1', updated_at: 1 }).execute()

describe('the SQLite file', () => {
  it('is made with its folders, readable by its owner only', async () => {
    needs('modes')
    const path = join(folder, 'new', 'home', 'ralph.db')
    const storage = await openSqliteStorage({ path })
    await put(storage, 'a')
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o077).toBe(0)
    await storage.close()
  })

  it('that is damaged is refused, left as it is, with the next step', async () => {
    const path = join(folder, 'ralph.db')
    writeFileSync(path, 'this was never a database, whatever its name says')
    await expect(openSqliteStorage({ path })).rejects.toMatchObject({
      code: 'damaged',
      hint: expect.stringMatching(/^ralph doctor --fix carries over .* To start afresh, move it away.*: mv /),
    })
    expect(readFileSync(path, 'utf8')).toContain('never a database')
  })

  it('that has lost a table is noticed, with what to do, whichever table it is', async () => {
    const path = join(folder, 'ralph.db')
    await (await openSqliteStorage({ path })).close()
    const database = new DatabaseSync(path)
    database.exec('drop table exchange_summaries')
    const storage = await openSqliteStorage({ path })
    expect(await storage.check()).toEqual({
      ok: false,
      detail: `${path} has lost the table exchange_summaries`,
      hint: expect.stringContaining('backup'),
    })
    await expect(storage.db.selectFrom('exchange_summaries').selectAll().execute()).rejects.toMatchObject({
      code: 'damaged',
      hint: 'ralph doctor',
    })
    await storage.close()
    database.exec('drop table ralph_migrations')
    database.close()
    await expect(openSqliteStorage({ path })).rejects.toMatchObject({
      code: 'damaged',
      hint: expect.stringContaining('backup'),
    })
  })

  it('that is a folder, or lies under a file, is refused in one line', async () => {
    const path = join(folder, 'ralph.db')
    mkdirSync(path)
    await expect(openSqliteStorage({ path })).rejects.toMatchObject({ code: 'invalid_input' })
    writeFileSync(join(folder, 'file'), '')
    await expect(openSqliteStorage({ path: join(folder, 'file', 'ralph.db') })).rejects.toThrow()
  })
})

describe('a SQLite file that is made by writing', () => {
  const open = async (path: string) => openSqliteStorage({ path, madeByWriting: true })
  const keys = async (storage: Storage) =>
    (await storage.db.selectFrom('settings').select('key').execute()).map(({ key }) => key)

  it('is not there for whoever only looks', async () => {
    const storage = await open(join(folder, 'home', 'ralph.db'))
    expect(await keys(storage)).toEqual([])
    expect(await storage.check()).toMatchObject({ ok: true })
    expect(await storage.revision()).toBe(await storage.revision())
    await storage.close()
    await expect(keys(storage)).rejects.toThrow()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is there from the first write on, for several at once, and keeps it', async () => {
    const path = join(folder, 'home', 'ralph.db')
    const storage = await open(path)
    const before = await storage.revision()
    await Promise.all([
      put(storage, 'a'),
      storage.transaction((db) =>
        db.insertInto('settings').values({ key: 'b', value: '1', updated_at: 1 }).execute(),
      ),
      keys(storage),
    ])
    expect((await keys(storage)).sort()).toEqual(['a', 'b'])
    expect(await storage.revision()).not.toBe(before)
    await storage.close()
    const again = await open(path)
    expect((await keys(again)).sort()).toEqual(['a', 'b'])
    await again.close()
  })

  it('is seen as soon as another process has made it', async () => {
    const path = join(folder, 'ralph.db')
    const waiting = await open(path)
    expect(await keys(waiting)).toEqual([])
    const other = await open(path)
    await put(other, 'theirs')
    await other.close()
    expect(await keys(waiting)).toEqual(['theirs'])
    await waiting.close()
  })
})

describe('while another process writes', () => {
  it('a write waits without blocking the thread, then goes through', async () => {
    const path = join(folder, 'ralph.db')
    const storage = await openSqliteStorage({ path })
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    const writing = put(storage, 'patient')
    let ticks = 0
    const ticking = setInterval(() => ticks++, 5)
    await vi.waitFor(() => expect(ticks).toBeGreaterThan(20))
    clearInterval(ticking)
    // Reading does not wait at all.
    expect(await storage.db.selectFrom('settings').selectAll().execute()).toEqual([])
    other.exec('commit')
    await writing
    other.close()
    await storage.close()
  })

  it('a write waits for others however the clock is set meanwhile', async () => {
    const path = join(folder, 'ralph.db')
    const storage = await openSqliteStorage({ path })
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    onTestFinished(() => clock.mockRestore())
    const writing = put(storage, 'patient')
    await new Promise((resolve) => setTimeout(resolve, 10))
    clock.mockReturnValue(Date.now() + 5 * 86_400_000)
    await new Promise((resolve) => setTimeout(resolve, 60))
    other.exec('commit')
    other.close()
    await writing
    await storage.close()
  })

  it('a write gives up after the time it was given, and can be tried again', async () => {
    const path = join(folder, 'ralph.db')
    const storage = await openSqliteStorage({ path, busyTimeoutMs: 100 })
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    await expect(put(storage, 'late')).rejects.toMatchObject({ code: 'timeout', retryable: true })
    other.exec('commit')
    other.close()
    await put(storage, 'late')
    await storage.close()
  })
})

it('a write inside a transaction that bypasses it fails instead of waiting for ever', async () => {
  const storage = await openSqliteStorage({ path: join(folder, 'ralph.db'), busyTimeoutMs: 100 })
  const mistaken = storage.transaction(() => put(storage, 'outside'))
  await expect(mistaken).rejects.toMatchObject({ code: 'timeout' })
  await put(storage, 'afterwards')
  await storage.close()
})

it('a full disk loses the transaction under way, nothing else', async () => {
  const path = join(folder, 'ralph.db')
  const storage = await openSqliteStorage({ path })
  await put(storage, 'kept')
  const filling = storage.transaction(async (db) => {
    // Stands for a full disk: SQLite answers with the same error when it may not grow the file.
    const { sql } = await import('kysely')
    await sql`pragma max_page_count = 1`.execute(db)
    for (let index = 0; index < 200; index++) {
      await db
        .insertInto('settings')
        .values({ key: `k${index}`, value: 'x'.repeat(10_000), updated_at: 1 })
        .execute()
    }
  })
  await expect(filling).rejects.toMatchObject({ code: 'disk_full' })
  const keys = await storage.db.selectFrom('settings').select('key').execute()
  expect(keys.map((row) => row.key)).toEqual(['kept'])
  await storage.close()
})
