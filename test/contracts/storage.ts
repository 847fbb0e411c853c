import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Leases } from '../../src/storage/leases.ts'
import { STORED_PARTS, StorageMarker } from '../../src/storage/marks.ts'
import { MIGRATIONS, type Migration } from '../../src/storage/migrations/migrations.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { StagingRow } from '../../src/storage/tables.ts'
import { openTarget, type StorageTarget } from '../storage/open-target.ts'

/** An empty database of its own for every test. */
export type MakeTarget = () => Promise<{ target: StorageTarget; remove(): Promise<void> }>

/** What every storage driver promises. */
export function describeStorage(name: string, makeTarget: MakeTarget): void {
  describe(name, () => {
    const cleanUp: (() => Promise<unknown> | unknown)[] = []
    afterEach(async () => {
      for (const step of cleanUp.splice(0).reverse()) await step()
    })

    async function newTarget(): Promise<StorageTarget> {
      const { target, remove } = await makeTarget()
      cleanUp.push(remove)
      return target
    }
    async function open(target: StorageTarget, migrations?: readonly Migration[]): Promise<Storage> {
      const storage = await openTarget(target, migrations)
      cleanUp.push(() => storage.close())
      return storage
    }
    const fresh = async () => open(await newTarget())

    function startWriter(target: StorageTarget, ...args: string[]): ChildProcess {
      const script = join(import.meta.dirname, '../storage/writer.ts')
      const child = spawn(process.execPath, [script, JSON.stringify(target), ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      cleanUp.push(() => child.kill('SIGKILL'))
      return child
    }

    it('is healthy when fresh and keeps what was written', async () => {
      const target = await newTarget()
      const first = await open(target)
      expect(await first.check()).toMatchObject({ ok: true })
      await setting(first, 'kept', '"yes"')
      await first.close()
      const second = await open(target)
      expect(await readSetting(second, 'kept')).toBe('"yes"')
    })

    it('returns every value as it was given', async () => {
      const storage = await fresh()
      const row = staged('ünï-😀', {
        content: JSON.stringify({ text: `${'ß'.repeat(500_000)} \u2028 \\ " ' 日本` }),
        captured_at: Date.UTC(2400, 0, 1),
        lease_owner: null,
        lease_until: 0,
      })
      await storage.db.insertInto('knowledge_staging').values(row).execute()
      const [read] = await storage.db.selectFrom('knowledge_staging').selectAll().execute()
      expect({ ...read }).toEqual(row)
    })

    it('counts and sums in numbers', async () => {
      const storage = await fresh()
      await addStaged(storage, 3)
      const { fn } = storage.db
      const sums = await storage.db
        .selectFrom('knowledge_staging')
        .select([fn.countAll<number>().as('rows'), fn.sum<number>('captured_at').as('total')])
        .executeTakeFirstOrThrow()
      expect({ ...sums }).toEqual({ rows: 3, total: 3_000 })
    })

    it('says how many rows a change touched, and returns them on request', async () => {
      const storage = await fresh()
      await addStaged(storage, 5)
      const updated = await storage.db
        .updateTable('knowledge_staging')
        .set({ verified: 0 })
        .where('id', '<', '00003')
        .executeTakeFirstOrThrow()
      expect(updated.numUpdatedRows).toBe(3n)
      const deleted = await storage.db
        .deleteFrom('knowledge_staging')
        .where('verified', '=', 0)
        .returning('id')
        .execute()
      expect(deleted.map((row) => row.id).sort()).toEqual(['00000', '00001', '00002'])
    })

    it('says "conflict" for a row that is already there, and leaves the rest alone on request', async () => {
      const storage = await fresh()
      await addStaged(storage, 1)
      const again = storage.db.insertInto('knowledge_staging').values(staged('00000'))
      await expect(again.execute()).rejects.toMatchObject({ name: 'RalphError', code: 'conflict' })
      const ignored = await again
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst()
      expect(ignored?.numInsertedOrUpdatedRows).toBe(0n)
    })

    it('deletes what belongs to a deleted row', async () => {
      const storage = await fresh()
      await addEntryWithSighting(storage)
      await storage.db.deleteFrom('knowledge_entries').where('id', '=', 'entry').execute()
      expect(await storage.db.selectFrom('knowledge_sightings').selectAll().execute()).toEqual([])
      const orphan = {
        id: 'orphan',
        entry_id: 'nobody',
        project: 'p',
        project_id: 'p',
        task: '',
        person: '',
        seen_at: 1,
      }
      await expect(
        storage.db.insertInto('knowledge_sightings').values(orphan).execute(),
      ).rejects.toMatchObject({
        code: 'conflict',
      })
    })

    describe('transactions', () => {
      it('keep all or nothing', async () => {
        const storage = await fresh()
        const failing = storage.transaction(async (db) => {
          await db.insertInto('knowledge_staging').values(staged('half')).execute()
          throw new Error('changed my mind')
        })
        await expect(failing).rejects.toThrow('changed my mind')
        expect(await count(storage)).toBe(0)
        await storage.transaction((db) =>
          db.insertInto('knowledge_staging').values(staged('whole')).execute(),
        )
        expect(await count(storage)).toBe(1)
      })

      it('undo everything when one statement is refused', async () => {
        const storage = await fresh()
        await addStaged(storage, 1)
        const failing = storage.transaction(async (db) => {
          await db.insertInto('knowledge_staging').values(staged('new')).execute()
          await db.insertInto('knowledge_staging').values(staged('00000')).execute()
        })
        await expect(failing).rejects.toMatchObject({ code: 'conflict' })
        expect(await count(storage)).toBe(1)
      })

      it('show nothing to others until they end, and keep no reader waiting', async () => {
        const storage = await fresh()
        const gate = Promise.withResolvers<void>()
        const written = Promise.withResolvers<void>()
        const writing = storage.transaction(async (db) => {
          await db.insertInto('knowledge_staging').values(staged('hidden')).execute()
          written.resolve()
          await gate.promise
        })
        await written.promise
        expect(await count(storage)).toBe(0)
        gate.resolve()
        await writing
        expect(await count(storage)).toBe(1)
      })

      it('lose no update when many run at once', async () => {
        const storage = await fresh()
        await addStaged(storage, 1)
        await Promise.all(
          Array.from({ length: 40 }, () =>
            storage.transaction((db) =>
              db
                .updateTable('knowledge_staging')
                .set((row) => ({ success_count: row('success_count', '+', 1) }))
                .execute(),
            ),
          ),
        )
        const { success_count } = await storage.db
          .selectFrom('knowledge_staging')
          .selectAll()
          .executeTakeFirstOrThrow()
        expect(success_count).toBe(41)
      })

      it('all end when two want the same rows in opposite order', async () => {
        const storage = await fresh()
        await addStaged(storage, 2)
        const touch = (ids: string[]) =>
          storage.transaction(async (db) => {
            for (const id of ids) {
              await db
                .updateTable('knowledge_staging')
                .set((row) => ({ success_count: row('success_count', '+', 1) }))
                .where('id', '=', id)
                .execute()
              await new Promise((resolve) => setTimeout(resolve, 20))
            }
          })
        await Promise.all([touch(['00000', '00001']), touch(['00001', '00000'])])
        const rows = await storage.db.selectFrom('knowledge_staging').select('success_count').execute()
        expect(rows.map((row) => row.success_count)).toEqual([3, 3])
      })
    })

    describe('claims', () => {
      it('give every row to exactly one of many workers', async () => {
        const target = await newTarget()
        const stores = [await open(target), await open(target)]
        await addStaged(stores[0]!, 120)
        const taken = (
          await Promise.all([0, 1, 2, 3].map((worker) => claimAll(stores[worker % 2]!, `worker ${worker}`)))
        ).flat()
        expect(taken.toSorted()).toEqual(Array.from({ length: 120 }, (_, index) => key(index)))
      })

      it('leave the rows to others when the taker fails', async () => {
        const storage = await fresh()
        await addStaged(storage, 2)
        const failing = storage.claim(
          (db) => db.selectFrom('knowledge_staging').selectAll(),
          async () => {
            throw new Error('no')
          },
        )
        await expect(failing).rejects.toThrow('no')
        expect(await claimAll(storage, 'next')).toEqual(['00000', '00001'])
      })
    })

    describe('leases', () => {
      const MINUTE = 60_000
      const newLeases = (storage: Storage, now: { ms: number }) =>
        new Leases(storage, 'knowledge_staging', () => now.ms)
      const take = async (storage: Storage, leases: Leases) => {
        const rows = await storage.db
          .updateTable('knowledge_staging')
          .set(leases.taken())
          .where(leases.isFree())
          .returning('id')
          .execute()
        return rows.length
      }

      it('keep a row from others until they are given back', async () => {
        const storage = await fresh()
        await addStaged(storage, 3)
        const now = { ms: 1_000_000 }
        const [first, second] = [newLeases(storage, now), newLeases(storage, now)]
        expect(await take(storage, first)).toBe(3)
        expect(await take(storage, second)).toBe(0)
        await second.release()
        expect(await take(storage, second)).toBe(0)
        await first.release(sql<boolean>`id = ${key(1)}`)
        expect(await take(storage, second)).toBe(1)
      })

      it('run out, and never count when the clock that took them was wrong', async () => {
        const storage = await fresh()
        await addStaged(storage, 1)
        const now = { ms: 1_000_000 }
        await take(storage, newLeases(storage, now))
        const other = newLeases(storage, now)
        now.ms += MINUTE - 1
        expect(await take(storage, other)).toBe(0)
        now.ms += 1
        expect(await take(storage, other)).toBe(1)
        now.ms -= MINUTE
        expect(await take(storage, newLeases(storage, now))).toBe(0)
        for (const ahead of [3 * MINUTE, 60 * MINUTE]) {
          now.ms -= ahead
          expect(await take(storage, newLeases(storage, now))).toBe(1)
        }
      })

      it('are kept while the work goes on', async () => {
        vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
        onTestFinished(() => void vi.useRealTimers())
        const storage = await fresh()
        await addStaged(storage, 1)
        const now = { ms: 1_000_000 }
        const [mine, other] = [newLeases(storage, now), newLeases(storage, now)]
        await take(storage, mine)
        const until = () =>
          storage.db.selectFrom('knowledge_staging').select('lease_until').executeTakeFirstOrThrow()
        await mine.holding(async () => {
          now.ms += MINUTE / 2
          vi.advanceTimersByTime(MINUTE / 2)
          await vi.waitFor(async () => expect((await until()).lease_until).toBe(now.ms + MINUTE))
          now.ms += MINUTE / 2
          expect(await take(storage, other)).toBe(0)
        })
        now.ms += MINUTE / 2
        expect(await take(storage, other)).toBe(1)
      })

      it('of a dead process of this machine are free at once, of others not', async () => {
        const storage = await fresh()
        await addStaged(storage, 3)
        const now = { ms: 1_000_000 }
        const gone = spawnSync(process.execPath, ['--version']).pid
        const owners = [`${hostname()}/${gone}/x`, `${hostname()}/${process.pid}/x`, 'elsewhere/1/x']
        for (const [at, owner] of owners.entries()) {
          await storage.db
            .updateTable('knowledge_staging')
            .set({ lease_owner: owner, lease_until: now.ms + MINUTE })
            .where('id', '=', key(at))
            .execute()
        }
        const leases = newLeases(storage, now)
        await leases.releaseDead()
        expect(await take(storage, leases)).toBe(1)
      })
    })

    describe('migrations', () => {
      it('run once when many processes open a new database together', async () => {
        const target = await newTarget()
        const stores = await Promise.all(Array.from({ length: 6 }, () => open(target)))
        await setting(stores[5]!, 'a', '1')
        expect(await readSetting(stores[0]!, 'a')).toBe('1')
      })

      it('add to a database that an older version made', async () => {
        const target = await newTarget()
        const old = await open(target)
        await setting(old, 'old', '1')
        await old.close()
        const newer = await open(target, [...MIGRATIONS, addColumn('9000-colour')])
        expect(await readSetting(newer, 'old')).toBe('1')
      })

      it('refuse a database of a newer version, saying what to do', async () => {
        const target = await newTarget()
        await (await open(target, [...MIGRATIONS, addColumn('9000-colour')])).close()
        await expect(open(target)).rejects.toMatchObject({
          code: 'unsupported_version',
          message: expect.stringContaining('9000-colour'),
          hint: expect.stringContaining('Update'),
        })
      })

      it('leave nothing of a step that fails, and can be run again', async () => {
        const target = await newTarget()
        const broken: Migration = {
          name: '9000-colour',
          async up(db) {
            await addColumn('9000-colour').up(db)
            throw new Error('power cut')
          },
        }
        await expect(open(target, [...MIGRATIONS, broken])).rejects.toThrow('power cut')
        await open(target, [...MIGRATIONS, addColumn('9000-colour')])
      })
    })

    describe('what has changed', () => {
      it('makes another revision, also of what another process has committed', async () => {
        const target = await newTarget()
        const [here, there] = [await open(target), await open(target)]
        const seen = [await here.revision()]
        const look = async () => seen.push(await here.revision())
        await setting(here, 'own', '1')
        await look()
        await setting(there, 'theirs', '1')
        await look()
        await untilEnd(startWriter(target, 'w', '1'))
        await look()
        expect(new Set(seen).size).toBe(seen.length)
      })

      it('is told by its part', async () => {
        const target = await newTarget()
        const [here, there] = [await open(target), await open(target)]
        const marker = new StorageMarker(here)
        const before = await marker.marks()
        const changed = async () => {
          const now = await marker.marks()
          return STORED_PARTS.filter((part) => now[part] !== before[part])
        }
        expect(await changed()).toEqual([])
        await addStaged(there, 1)
        expect(await changed()).toEqual(['knowledge'])
        await addConversation(there)
        expect(await changed()).toEqual(['knowledge', 'conversations'])
        const tagged = await marker.marks()
        await there.db
          .insertInto('conversation_votes')
          .values({ person: 'p', kind: 'conversation', item_id: 'talk', votes: 1 })
          .execute()
        expect((await marker.marks()).conversations).not.toBe(tagged.conversations)
        await there.db
          .insertInto('person_settings')
          .values({ person: 'p', key: 'conversations.rag_enabled', value: 'false', updated_at: 1 })
          .execute()
        expect(await changed()).toEqual(['knowledge', 'conversations', 'workers'])
      })
    })

    it('has everything that several processes wrote at once', async () => {
      const target = await newTarget()
      const storage = await open(target)
      const writers = ['a', 'b', 'c'].map((prefix) => startWriter(target, prefix, '40'))
      const acknowledged = (await Promise.all(writers.map(untilEnd))).flat()
      expect(acknowledged).toHaveLength(120)
      const rows = await storage.db.selectFrom('settings').select('key').execute()
      expect(rows.map((row) => row.key).toSorted()).toEqual(acknowledged.flatMap(bothHalves).toSorted())
    })

    it('has every acknowledged write, and no half of one, after a writer was killed', async () => {
      const target = await newTarget()
      const storage = await open(target)
      const writer = startWriter(target, 'k', '1000000')
      const acknowledged: string[] = []
      for await (const line of createInterface({ input: writer.stdout! })) {
        acknowledged.push(line)
        if (acknowledged.length === 25) writer.kill('SIGKILL')
      }
      const keys = new Set(
        (await storage.db.selectFrom('settings').select('key').execute()).map((row) => row.key),
      )
      expect(acknowledged.flatMap(bothHalves).filter((name) => !keys.has(name))).toEqual([])
      expect([...keys].filter((name) => !keys.has(otherHalf(name)))).toEqual([])
      // And the next writer is not kept waiting.
      await setting(storage, 'after', '1')
    })

    it('can be closed twice, and then says so', async () => {
      const storage = await fresh()
      await storage.close()
      await storage.close()
      await expect(setting(storage, 'late', '1')).rejects.toThrow()
      expect(await storage.check()).toMatchObject({ ok: false })
    })
  })
}

function addConversation(storage: Storage): Promise<unknown> {
  const row = {
    id: 'talk',
    person: 'p',
    shared: 0,
    title: null,
    source: 'chat',
    project: null,
    parent_id: null,
    started_at: null,
    updated_at: null,
    exchange_count: 0,
    summary: null,
    summary_model: null,
    summary_due: 0,
    summarised_exchanges: 0,
    in_use_until: 0,
    revision: 1,
  } as const
  return storage.db.insertInto('conversations').values(row).execute()
}

const key = (index: number) => String(index).padStart(5, '0')

function staged(id: string, changes: Partial<StagingRow> = {}): StagingRow {
  return {
    id,
    entry_type: 'gate_approval',
    project: 'p',
    project_id: 'p',
    agent_type: '',
    task_type: '',
    technology: '',
    content: '{}',
    twin_key: id,
    problem_key: id,
    solution_key: id,
    captured_at: 1_000,
    verified: 1,
    success_count: 1,
    task: '',
    person: '',
    lease_owner: null,
    lease_until: 0,
    ...changes,
  }
}

async function addStaged(storage: Storage, rows: number): Promise<void> {
  const values = Array.from({ length: rows }, (_, index) => staged(key(index)))
  await storage.db.insertInto('knowledge_staging').values(values).execute()
}

async function addEntryWithSighting(storage: Storage): Promise<void> {
  const {
    verified: _,
    task: __,
    person: ___,
    lease_owner: ____,
    lease_until: _____,
    ...entry
  } = staged('entry')
  await storage.db
    .insertInto('knowledge_entries')
    .values({ ...entry, helped: 0, misled: 0, embedded_at: 1, outdated: 0 })
    .execute()
  const sighting = {
    id: 's',
    entry_id: 'entry',
    project: 'p',
    project_id: 'p',
    task: '',
    person: '',
    seen_at: 1,
  }
  await storage.db.insertInto('knowledge_sightings').values(sighting).execute()
}

async function count(storage: Storage): Promise<number> {
  const row = await storage.db
    .selectFrom('knowledge_staging')
    .select(storage.db.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return row.rows
}

async function claimAll(storage: Storage, worker: string): Promise<string[]> {
  const taken: string[] = []
  for (;;) {
    const rows = await storage.claim(
      (db) =>
        db.selectFrom('knowledge_staging').selectAll().where('lease_until', '=', 0).orderBy('id').limit(7),
      (db, claimed) =>
        db
          .updateTable('knowledge_staging')
          .set({ lease_owner: worker, lease_until: 1 })
          .where(
            'id',
            'in',
            claimed.map((row) => row.id),
          )
          .execute(),
    )
    if (rows.length === 0) return taken
    taken.push(...rows.map((row) => row.id))
  }
}

function addColumn(name: string): Migration {
  return {
    name,
    up: (db) => db.schema.alterTable('settings').addColumn('colour', 'text').execute(),
  }
}

async function setting(storage: Storage, name: string, value: string): Promise<void> {
  await storage.db.insertInto('settings').values({ key: name, value, updated_at: 1 }).execute()
}

async function readSetting(storage: Storage, name: string): Promise<string | undefined> {
  const row = await storage.db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', name)
    .executeTakeFirst()
  return row?.value
}

async function untilEnd(child: ChildProcess): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout! })) lines.push(line)
  return lines
}

/** The writer writes two rows per transaction and acknowledges them with their common name. */
const bothHalves = (name: string) => [`${name}/left`, `${name}/right`]
const otherHalf = (half: string) =>
  half.endsWith('/left') ? half.replace('/left', '/right') : half.replace('/right', '/left')
