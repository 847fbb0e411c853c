import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { mendSqliteFile } from '../../src/storage/mend-sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { temporaryFolder } from '../support/temporary.ts'

const ROWS = 600
const PAGE = 4_096
const textOf = (number: number) => `value ${number} ${'x'.repeat(200)}`

async function reopened(path: string): Promise<Storage> {
  const storage = await openSqliteStorage({ path })
  onTestFinished(() => storage.close())
  return storage
}

async function filled(): Promise<string> {
  const path = join(await temporaryFolder(), 'ralph.db')
  const storage = await openSqliteStorage({ path })
  const rows = Array.from({ length: ROWS }, (_, number) => ({
    ...{ key: `key-${number}`, value: textOf(number), updated_at: number },
  }))
  for (let at = 0; at < ROWS; at += 100)
    await storage.db
      .insertInto('settings')
      .values(rows.slice(at, at + 100))
      .execute()
  await storage.close()
  return path
}

/** Where the page begins on which this text stands. */
function pageWith(path: string, text: string): number {
  return Math.floor(readFileSync(path).indexOf(text) / PAGE) * PAGE
}

async function stored(storage: Storage): Promise<number[]> {
  const rows = await storage.db.selectFrom('settings').selectAll().execute()
  for (const { value, updated_at } of rows) expect(value).toBe(textOf(Number(updated_at)))
  return rows.map(({ updated_at }) => Number(updated_at)).sort((a, b) => a - b)
}

it('carries over all but the rows of a lost page, for those who have it open too, and keeps the damaged one', async () => {
  const path = await filled()
  const bytes = readFileSync(path)
  const at = pageWith(path, textOf(300))
  writeFileSync(path, bytes.fill(0, at, at + PAGE))
  const damaged = readFileSync(path)
  const already = await reopened(path)
  await expect(stored(already)).rejects.toMatchObject({ code: 'damaged' })
  expect(await already.check({ thorough: true })).toMatchObject({
    ok: false,
    hint: expect.stringContaining('ralph doctor --fix'),
  })
  const done = await mendSqliteFile(path)
  expect(done.join()).toContain(`the damaged one is kept: ${path}.damaged`)
  expect(readFileSync(`${path}.damaged`).equals(damaged)).toBe(true)
  const left = await stored(already)
  expect(left.length).toBeGreaterThan(ROWS - 25)
  expect(left).not.toContain(300)
  expect(left).toEqual(expect.arrayContaining([0, ROWS - 1]))
  expect(await already.check({ thorough: true })).toMatchObject({ ok: true })
})

it('takes what is left of a file that was cut, within a page or far before its end', async () => {
  const path = await filled()
  truncateSync(path, readFileSync(path).length - 777)
  await expect(openSqliteStorage({ path })).rejects.toMatchObject({ code: 'damaged' })
  await mendSqliteFile(path)
  const first = await reopened(path)
  expect((await stored(first)).length).toBeGreaterThan(ROWS - 25)
  await first.close()
  truncateSync(path, pageWith(path, textOf(400)))
  await expect(openSqliteStorage({ path })).rejects.toMatchObject({ code: 'damaged' })
  await mendSqliteFile(path)
  expect((await stored(await reopened(path))).length).toBeGreaterThan(300)
  expect(existsSync(`${path}.damaged-2`)).toBe(true)
})

it('finds the tables of a file whose first page is lost in the rest of it', async () => {
  const path = await filled()
  writeFileSync(path, readFileSync(path).fill(0, 0, PAGE))
  const damaged = readFileSync(path)
  await expect(openSqliteStorage({ path })).rejects.toMatchObject({ code: 'damaged' })
  expect((await mendSqliteFile(path)).join()).toContain('its beginning was lost')
  expect(readFileSync(`${path}.damaged`).equals(damaged)).toBe(true)
  const mended = await reopened(path)
  expect(await stored(mended)).toEqual(Array.from({ length: ROWS }, (_, number) => number))
  expect(await mended.check({ thorough: true })).toMatchObject({ ok: true })
})

it('touches nothing where nothing can be read, and says what moves it away', async () => {
  const path = await filled()
  writeFileSync(
    path,
    readFileSync(path)
      .fill(0, 0, 9 * PAGE)
      .fill('no database ', 10 * PAGE),
  )
  const before = readFileSync(path)
  await expect(mendSqliteFile(path)).rejects.toMatchObject({
    ...{ code: 'damaged', message: expect.stringContaining('nothing can be read') },
    hint: expect.stringMatching(/backup.*mv \S+ralph\.db \S+ralph\.db\.damaged/),
  })
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(existsSync(`${path}.damaged`)).toBe(false)
})
