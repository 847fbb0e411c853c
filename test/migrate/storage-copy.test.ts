import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { copyStorage as copySides, type StorageCopyOptions } from '../../src/migrate/storage-copy.ts'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { everything, fill, MOVED, rowsIn } from './rows.ts'

const FROM = { sourceName: 'the test' }
/** Tables whose rows two people may have under the same ids. */
const OWN_WITH_IDS = [
  'conversations',
  'exchanges',
  'exchange_messages',
  'document_sources',
  'documents',
  'document_pieces',
]

/** From one storage of somebody into another of theirs. */
function copyStorage(source: Storage, target: Storage, options: StorageCopyOptions, there = 'person') {
  return copySides({ storage: source, person: 'person' }, { storage: target, person: there }, options)
}

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
    const original = await everything(source)
    expect(Object.values(original).map((rows) => rows.length)).toEqual(MOVED.map(() => 250))

    const there = await copyStorage(source, target, FROM)
    expect(there).toMatchObject({
      verified: true,
      resumed: false,
      written: 250 * MOVED.length,
      removed: 0,
    })
    expect(there.tables).toContainEqual({ table: 'exchanges', source: 250, target: 250 })
    expect(await everything(target)).toEqual(original)

    await copyStorage(target, back, FROM)
    expect(await everything(back)).toEqual(original)
    expect(await everything(source)).toEqual(original)
  })

  it('killed in the middle: goes on where it stopped, and the result is whole', async () => {
    const [source, target] = [await sqlite(), await postgres()]
    await fill(source, 450)
    const script = fileURLToPath(new URL('copy-process.ts', import.meta.url))
    const child = spawn(process.execPath, [script, source.path, target.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const chunk of child.stdout) if (/copying exchanges/.test(String(chunk))) break
    child.kill('SIGKILL')
    await once(child, 'close')
    const half = await rowsIn(target)
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(await rowsIn(source))

    const seen: number[] = []
    const report = await copyStorage(source, target, {
      ...FROM,
      onProgress: ({ phase, done }) => void (phase === 'copying' && seen.push(done)),
    })
    expect(report).toMatchObject({ verified: true, resumed: true })
    expect(seen[0]).toBeGreaterThanOrEqual(half - 200)
    expect(report.written).toBe((await rowsIn(source)) - half)
    expect(await everything(target)).toEqual(await everything(source))
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
    expect(await everything(target)).toEqual(await everything(source))
  })

  it('leaves out what PostgreSQL cannot hold: the null character', async () => {
    const [source, target] = [await sqlite(), await postgres()]
    await source.db.insertInto('settings').values({ key: 'a', value: '"x\0y"', updated_at: 1 }).execute()
    expect(await copyStorage(source, target, FROM)).toMatchObject({ verified: true })
    expect(await target.db.selectFrom('settings').select('value').where('key', '=', 'a').execute()).toEqual([
      { value: '"xy"' },
    ])
  })

  it("replaces what is the person's own, and nothing else", async () => {
    const [source, target] = [await sqlite(), await sqlite()]
    await fill(source, 3)
    await fill(target, 2, 100)
    await target.db
      .updateTable('conversations')
      .set({ person: 'other' })
      .where('revision', '=', 100)
      .execute()
    expect(await copyStorage(source, target, { ...FROM, replace: true })).toMatchObject({ verified: true })
    expect(
      await target.db.selectFrom('conversations').select('id').where('person', '=', 'other').execute(),
    ).toHaveLength(1)
    const { conversations, exchanges, conversation_votes, gates } = await everything(target)
    const { conversations: hers } = await everything(source)
    expect(conversations).toEqual(hers)
    expect([exchanges!.length, conversation_votes!.length, gates!.length]).toEqual([3, 3, 5])
  })

  it('done once, it is brought up to date; what was written there since stays', async () => {
    const [source, target] = [await sqlite(), await sqlite()]
    await fill(source, 3)
    await copyStorage(source, target, FROM)
    await fill(source, 1, 20)
    expect(await copyStorage(source, target, FROM)).toMatchObject({
      verified: true,
      merged: false,
      written: MOVED.length,
    })
    expect(await copyStorage(source, target, FROM)).toMatchObject({ verified: true, written: 0 })
    await target.db.updateTable('conversations').set({ title: 'newer', revision: 10_000 }).execute()
    expect(await copyStorage(source, target, FROM)).toMatchObject({ merged: true, written: 0 })
    const titles = await target.db.selectFrom('conversations').select('title').distinct().execute()
    expect(titles).toEqual([{ title: 'newer' }])
  })

  it('keeps documents that a person has added there before anything else came', async () => {
    const [source, target] = [await sqlite(), await sqlite()]
    await fill(source, 3)
    await fill(target, 2, 100)
    for (const table of ['conversations', 'person_settings'] as const)
      await target.db.deleteFrom(table).execute()
    expect(await copyStorage(source, target, FROM)).toMatchObject({ verified: true, merged: true })
    expect((await everything(target))['document_pieces']).toHaveLength(5)
  })

  it("merges a second person beside the first: nothing is lost, taken for the other's or counted twice", async () => {
    const [ann, bob, team] = [await sqlite(), await sqlite(), await postgres()]
    await fill(ann, 5)
    await fill(bob, 3)
    await fill(bob, 2, 50)
    await bob.db
      .updateTable('knowledge_entries')
      .set({ twin_key: 'twin-4' })
      .where('twin_key', '=', 'twin-50')
      .execute()
    await bob.db
      .updateTable('gates')
      .set({ state: 'approved', decided_by: 'bob' })
      .where('created_at', '=', 2)
      .execute()
    await copyStorage(ann, team, FROM, 'ann')
    const hers = await everything(team, 'ann')
    const before = await successes(team)
    const report = await copyStorage(bob, team, FROM, 'bob')
    expect(report).toMatchObject({ verified: true, resumed: false })

    // Ann's own is as it was; Bob has all of his, also what has the same ids.
    const still = await everything(team, 'ann')
    for (const table of OWN_WITH_IDS) expect([table, still[table]]).toEqual([table, hers[table]])
    const his = await everything(team, 'bob')
    for (const table of [
      ...OWN_WITH_IDS,
      'exchange_summaries',
      'conversation_tags',
      'conversation_votes',
      'person_settings',
    ])
      expect([table, his[table]!.length]).toEqual([table, 5])
    const messages = await team.db
      .selectFrom('exchange_messages')
      .innerJoin('exchanges', 'exchanges.id', 'exchange_messages.exchange_id')
      .innerJoin('conversations', 'conversations.id', 'exchanges.conversation_id')
      .select('conversations.person')
      .execute()
    expect(messages.filter(({ person }) => person === 'bob')).toHaveLength(5)

    // Entries 0 to 2 are the same ones, 50 says what 4 says, 51 is new; what they were seen in counts once.
    const after = await successes(team)
    expect(after.size).toBe(before.size + 1)
    expect(after.get('_-entry-4')! - before.get('_-entry-4')!).toBe(50)
    const gate = await team.db
      .selectFrom('gates')
      .select('decided_by')
      .where('created_at', '=', 2)
      .executeTakeFirst()
    expect(gate).toEqual({ decided_by: 'bob' })
    // Everybody's index notices what has come.
    const revisions = await team.db
      .selectFrom('conversations')
      .select([
        'person',
        ({ fn }) => fn.min('revision').as('first'),
        ({ fn }) => fn.max('revision').as('last'),
      ])
      .groupBy('person')
      .execute()
    const of = (person: string) => revisions.find((one) => one.person === person)!
    expect(Number(of('bob').first)).toBeGreaterThan(Number(of('ann').last))

    expect(await copyStorage(bob, team, FROM, 'bob')).toMatchObject({ verified: true, written: 0 })
    expect(await successes(team)).toEqual(after)

    // And back: what is Bob's own, and the team's.
    const home = await sqlite()
    await copySides({ storage: team, person: 'bob' }, { storage: home, person: 'person' }, FROM)
    const back = await everything(home)
    expect(back['conversations']).toHaveLength(5)
    expect(back['document_pieces']).toHaveLength(5)
    expect(back['gates']).toHaveLength(7)
    expect(back['knowledge_entries']).toHaveLength(6)
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
  await db.deleteFrom('conversations').where('revision', '=', 12).execute()
  await db.deleteFrom('conversation_tags').where('tag', 'like', '%13').execute()
  await db.updateTable('person_settings').set({ value: '"changed"' }).where('updated_at', '=', 3).execute()
}

async function successes({ db }: Storage): Promise<Map<string, number>> {
  const rows = await db.selectFrom('knowledge_entries').select(['id', 'success_count']).execute()
  return new Map(rows.map(({ id, success_count }) => [id, success_count]))
}
