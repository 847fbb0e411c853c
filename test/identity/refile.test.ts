import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { refile } from '../../src/project-knowledge/refile.ts'
import { MIGRATIONS } from '../../src/storage/migrations/migrations.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { truncate } from '../../src/text/truncate.ts'
import { STORAGES } from '../project-knowledge/setup.ts'
import { openTarget, type StorageTarget } from '../storage/open-target.ts'

const PATH = '/home/dev/shop'
const KEY = '5b0c3a52-9d1f-4c37-8a46-1c1f2f0d9e11'
const ROWS = 40
const script = fileURLToPath(new URL('./refile-process.ts', import.meta.url))

/** As the version before the id left it: everything under the path, in tables that know no id. */
async function fill(target: StorageTarget): Promise<void> {
  const old = await openTarget(target, MIGRATIONS.slice(0, 3))
  // The types describe the schema of today.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const db = old.db as unknown as Kysely<any>
  for (let at = 0; at < ROWS; at++) {
    const project = at % 2 === 0 ? PATH : '/home/dev/bank'
    const filing = { project, agent_type: '', task_type: '', technology: '', captured_at: at }
    const entry = {
      ...filing,
      entry_type: 'failure_solution',
      content: '{}',
      problem_key: 'p',
      solution_key: 's',
    }
    const counts = { success_count: 1, helped: 0, misled: 0, embedded_at: at, outdated: 0 }
    const id = randomUUID()
    await db
      .insertInto('knowledge_entries')
      .values({ ...entry, ...counts, id, twin_key: `e${at}` })
      .execute()
    await db
      .insertInto('knowledge_sightings')
      .values({ id, entry_id: id, project, task: `login/${at}`, person: '', seen_at: at })
      .execute()
    await db
      .insertInto('knowledge_staging')
      .values({
        ...{ ...entry, id: randomUUID(), twin_key: `s${at}`, verified: 1, success_count: 1 },
        ...{ task: '', person: '', lease_owner: null, lease_until: 0 },
      })
      .execute()
    await db
      .insertInto('gates')
      .values({
        ...{ id: randomUUID(), project, feature: at % 4 === 0 ? 'login' : 'vault', task_id: String(at) },
        ...{ task_title: '', task_description: '', gate_type: 'review', agent_type: '', task_type: '' },
        ...{ technology: '', approach: 'x', change_text: '', state: 'waiting', feedback: '', decided_by: '' },
        ...{ attempt: 1, created_at: at, decided_at: null },
      })
      .execute()
  }
  await old.close()
}

/** How many rows of each table are under which key. */
async function filed({ db }: Storage) {
  const counted: Record<string, Record<string, number>> = {}
  for (const table of ['knowledge_staging', 'knowledge_entries', 'knowledge_sightings', 'gates'] as const) {
    const rows = await db.selectFrom(table).select(['project', 'project_id']).execute()
    counted[table] = {}
    for (const { project_id } of rows) counted[table][project_id] = (counted[table][project_id] ?? 0) + 1
    // People go on seeing where it was.
    expect(new Set(rows.map(({ project }) => project))).toEqual(new Set([PATH, '/home/dev/bank']))
  }
  return counted
}

const half = ROWS / 2
const all = (key: string) => ({ [key]: half, '/home/dev/bank': half })
const everywhere = (key: string) => ({
  knowledge_staging: all(key),
  knowledge_entries: all(key),
  knowledge_sightings: all(key),
  gates: all(key),
})
const project = { path: PATH, key: KEY, formerly: [PATH] }

describe.each(STORAGES)('what was filed under the path, on %s', (name, makeTarget) => {
  const open = async () => {
    const { target, remove } = await makeTarget()
    onTestFinished(remove)
    await fill(target)
    const storage = await openTarget(target)
    onTestFinished(() => storage.close())
    return { target, storage }
  }

  it('is filed under the id, all of it, once, by however many at once', async () => {
    const { target, storage } = await open()
    expect(await filed(storage)).toEqual(everywhere(PATH))
    const others = await Promise.all([openTarget(target), openTarget(target)])
    onTestFinished(async () => void (await Promise.all(others.map((other) => other.close()))))
    const features = async () => ['login', 'vault']
    await Promise.all([storage, ...others].map((one) => refile(one, project, features)))
    expect(await filed(storage)).toEqual(everywhere(KEY))
    await refile(storage, project, features)
    expect(await filed(storage)).toEqual(everywhere(KEY))
  })

  it('is as it was when whoever did it was killed in the middle', async () => {
    const { target, storage } = await open()
    const child = spawn(process.execPath, [script, JSON.stringify(target), KEY, PATH], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(await filed(storage)).toEqual(everywhere(PATH))
    await refile(storage, project, async () => ['login', 'vault'])
    expect(await filed(storage)).toEqual(everywhere(KEY))
  })

  it('is left alone where it is of another project that lay at the same path of a server', async () => {
    const { storage } = await open()
    await refile(storage, project, async () => ['login'])
    const { gates } = await filed(storage)
    expect(gates?.[KEY]).toBe(name === 'PostgreSQL' ? half / 2 : half)
  })

  it('is found also where the path was too long to be kept whole', async () => {
    const { storage } = await open()
    const long = `/home/${'deep/'.repeat(60)}shop`
    await storage.db
      .updateTable('gates')
      .set({ project_id: truncate(long, 200) })
      .execute()
    await refile(storage, { path: long, key: KEY, formerly: [long] }, async () => ['login', 'vault'])
    expect(
      (await storage.db.selectFrom('gates').select('id').where('project_id', '=', KEY).execute()).length,
    ).toBe(ROWS)
  })
})
