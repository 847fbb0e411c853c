import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TABLE_NAMES } from '../../src/migrate/copied-tables.ts'
import { copyStorage } from '../../src/migrate/storage-copy.ts'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { everything, fill, rowsIn } from './rows.ts'

const FROM = { sourceName: 'the test' }

async function sqlite(path?: string): Promise<Storage & { path: string }> {
  const file = path ?? join(await temporaryFolder(), 'ralph.db')
  const storage = await openSqliteStorage({ path: file })
  onTestFinished(() => storage.close())
  return Object.assign(storage, { path: file })
}

async function postgres(): Promise<Storage & { url: string }> {
  const { url, remove } = await temporaryDatabase()
  const storage = await openPostgresStorage({ url })
  onTestFinished(async () => {
    await storage.close()
    await remove()
  })
  return Object.assign(storage, { url })
}

describe('moving the tables', () => {
  it('to PostgreSQL and back: every row of every table as it was', async () => {
    const [source, target, back] = [await sqlite(), await postgres(), await sqlite()]
    await fill(source, 250)
    const original = await everything(source.db)
    expect(Object.values(original).map((rows) => rows.length)).toEqual(TABLE_NAMES.map(() => 250))

    const there = await copyStorage(source, target, FROM)
    expect(there).toMatchObject({
      verified: true,
      resumed: false,
      written: 250 * TABLE_NAMES.length,
      removed: 0,
    })
    expect(there.tables).toContainEqual({ table: 'exchanges', source: 250, target: 250 })
    expect(await everything(target.db)).toEqual(original)

    await copyStorage(target, back, FROM)
    expect(await everything(back.db)).toEqual(original)
    expect(await everything(source.db)).toEqual(original)
  })

  it('killed in the middle: goes on where it stopped, and the result is whole', async () => {
    const [source, target] = [await sqlite(), await postgres()]
    await fill(source, 450)
    const script = fileURLToPath(new URL('copy-process.ts', import.meta.url))
    const child = spawn(process.execPath, [script, source.path, target.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const chunk of child.stdout) if (/copying knowledge_injections/.test(String(chunk))) break
    child.kill('SIGKILL')
    await once(child, 'close')
    const half = await rowsIn(target.db)
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(await rowsIn(source.db))

    const seen: number[] = []
    const report = await copyStorage(source, target, {
      ...FROM,
      onProgress: ({ phase, done }) => void (phase === 'copying' && seen.push(done)),
    })
    expect(report).toMatchObject({ verified: true, resumed: true })
    expect(seen[0]).toBeGreaterThanOrEqual(half - 200)
    expect(report.written).toBe((await rowsIn(source.db)) - half)
    expect(await everything(target.db)).toEqual(await everything(source.db))
  })

  it('while somebody writes: changes and deletions behind our back are brought along', async () => {
    const [source, target] = [await sqlite(), await sqlite()]
    await fill(source, 300)
    let disturbed = false
    const report = await copyStorage(source, target, {
      ...FROM,
      onProgress: ({ table }) => {
        if (disturbed || table !== 'exchanges') return
        disturbed = true
        void disturb(source)
      },
    })
    expect(disturbed).toBe(true)
    expect(report.verified).toBe(true)
    expect(await everything(target.db)).toEqual(await everything(source.db))
  })

  it('leaves out what PostgreSQL cannot hold: the null character', async () => {
    const [source, target] = [await sqlite(), await postgres()]
    await source.db.insertInto('settings').values({ key: 'a', value: '"x\0y"', updated_at: 1 }).execute()
    expect(await copyStorage(source, target, FROM)).toMatchObject({ verified: true })
    expect(await target.db.selectFrom('settings').select('value').where('key', '=', 'a').execute()).toEqual([
      { value: '"xy"' },
    ])
  })

  it('refuses a target that others have filled, unless told to replace', async () => {
    const [source, target] = [await sqlite(), await sqlite()]
    await fill(source, 3)
    await fill(target, 2, 100)
    const before = await everything(target.db)
    await expect(copyStorage(source, target, FROM)).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('--replace'),
    })
    expect(await everything(target.db)).toEqual(before)
    expect(await copyStorage(source, target, { ...FROM, replace: true })).toMatchObject({
      verified: true,
      removed: 2 * TABLE_NAMES.length,
    })
    expect(await everything(target.db)).toEqual(await everything(source.db))
  })

  it('done once, it may be brought up to date, but not over what was written there since', async () => {
    const [source, target] = [await sqlite(), await sqlite()]
    await fill(source, 3)
    await copyStorage(source, target, FROM)
    await fill(source, 1, 20)
    expect(await copyStorage(source, target, FROM)).toMatchObject({
      verified: true,
      written: TABLE_NAMES.length,
    })
    await fill(target, 1, 50)
    await expect(copyStorage(source, target, FROM)).rejects.toMatchObject({
      message: expect.stringContaining('in use since'),
    })
  })

  it('is cancelled between two pages, and nothing is half written', async () => {
    const [source, target] = [await sqlite(), await sqlite()]
    await fill(source, 300)
    const cancel = new AbortController()
    const copying = copyStorage(source, target, {
      ...FROM,
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    })
    await expect(copying).rejects.toMatchObject({ code: 'cancelled' })
    expect(await copyStorage(source, target, FROM)).toMatchObject({ resumed: true, verified: true })
  })
})

async function disturb({ db }: Storage): Promise<void> {
  await db.deleteFrom('knowledge_entries').where('twin_key', '=', 'twin-7').execute()
  await db
    .updateTable('knowledge_entries')
    .set({ twin_key: 'twin-7' })
    .where('twin_key', '=', 'twin-8')
    .execute()
  await db.deleteFrom('conversations').where('revision', '=', 12).execute()
  await db.updateTable('settings').set({ value: '"changed"' }).where('updated_at', '=', 3).execute()
}
