import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SettingsInput } from '../../src/config.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { ProjectIdentity } from '../../src/identity/identity.ts'
import { Notices } from '../../src/notices.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { openQdrantIndex } from '../../src/search-index/qdrant.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const FEATURE = 'authentication'

/** Projects that take turns at one path, as in containers that each mount their own at /workspace. */
class OnePath {
  readonly workspace: string
  readonly #folder: string
  #inside: string | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.workspace = join(folder, 'workspace')
  }

  mount(name: string): void {
    if (this.#inside === name) return
    if (this.#inside) renameSync(this.workspace, join(this.#folder, this.#inside))
    renameSync(join(this.#folder, name), this.workspace)
    this.#inside = name
  }

  async open(name: string, home: string, settings: SettingsInput): Promise<Ralph> {
    mkdirSync(join(this.#folder, name, '.ralph', 'db'), { recursive: true })
    this.mount(name)
    return openAt(this.workspace, join(this.#folder, home), settings)
  }
}

async function openAt(project: string, home: string, settings: SettingsInput): Promise<Ralph> {
  const ralph = await openRalph({
    project,
    home,
    env: {},
    settings: { embedder: { provider: 'none' }, ...settings },
    onNotice: () => undefined,
  })
  onTestFinished(() => ralph.close())
  return ralph
}

async function record(ralph: Ralph, words: readonly string[]): Promise<void> {
  for (const word of words)
    await ralph.featureMemory.recordIteration(
      newIteration({ taskTitle: 'A task', summary: `The ${word} broke while logging in` }),
    )
}

const summaries = async (ralph: Ralph, query: string) =>
  (await ralph.featureMemory.search(FEATURE, query, { minScore: 0 })).map(({ record }) => record.summary)

/** What one container sees: its own files, under a path that others have too. */
async function inContainer(index: SearchIndex, words: readonly string[]) {
  const folder = await temporaryFolder()
  const ralph = join(folder, '.ralph')
  mkdirSync(join(ralph, 'db'), { recursive: true })
  const notices = new Notices(() => undefined)
  const paths = {
    identity: join(ralph, 'project.json'),
    database: join(ralph, 'db'),
    places: join(folder, 'projects.json'),
  }
  const identity = new ProjectIdentity({ project: '/workspace', paths, notices })
  const embedder = new FakeEmbedder()
  const memory = new FeatureMemory({
    project: '/workspace',
    filedUnder: () => identity.key(),
    memoryDir: join(ralph, 'db', 'memory'),
    cacheDir: join(ralph, 'cache'),
    index,
    embedder: async () => embedder,
    notices,
  })
  for (const word of words)
    await memory.recordIteration(newIteration({ summary: `The ${word} broke while logging in` }))
  const expected = words.map((word) => `The ${word} broke while logging in`)
  return async () => {
    const found = await memory.search(FEATURE, 'what broke logging in', { minScore: 0 })
    return {
      foreign: found.filter(({ record }) => !expected.includes(record.summary)).length,
      missing: expected.length - found.length,
    }
  }
}

describe('two projects at one path', () => {
  it.each([
    ['collections', false],
    ['tenants', true],
  ])('never find anything of each other on one Qdrant, at work at the same time (%s)', async (_, tenants) => {
    const qdrant = await startQdrant()
    const index = openQdrantIndex({ url: qdrant.url, tenants })
    onTestFinished(async () => {
      await index.close()
      await qdrant.close()
    })
    const shop = await inContainer(index, ['cookie', 'session', 'redirect'])
    const bank = await inContainer(index, ['vault', 'token', 'ledger'])
    const all = { foreign: 0, missing: 0 }
    expect([await shop(), await bank()]).toEqual([all, all])
    for (let turn = 0; turn < 40; turn++)
      for (const { foreign } of await Promise.all([shop(), bank(), shop(), bank()])) expect(foreign).toBe(0)
    expect([await shop(), await bank()]).toEqual([all, all])
  })

  it.each(['SQLite', 'PostgreSQL'])('never see the gates of each other on one %s', async (driver) => {
    const path = new OnePath(await temporaryFolder())
    const settings = driver === 'SQLite' ? {} : { storage: await postgres() }
    const shop = await path.open('shop', 'home', settings)
    const project = path.workspace
    const request = { project, feature: 'login', taskId: 1, gateType: 'review', approach: 'a form' }
    const rejected = await shop.knowledge.gates.request(request)
    await shop.knowledge.gates.reject(rejected.id, { feedback: 'never log the token' })
    const waiting = await shop.knowledge.gates.request({ ...request, taskId: 2 })

    const bank = await path.open('bank', 'home', settings)
    expect(await bank.knowledge.gates.waiting({ project })).toEqual([])
    expect(await bank.knowledge.gates.feedbackFor({ project, taskId: 1 })).toEqual([])
    // The first attempt of its own task, whatever the other project's task of that number went through.
    expect(await bank.knowledge.gates.request(request)).toMatchObject({ attempt: 1, project })

    const again = await path.open('shop', 'home', settings)
    expect(await again.knowledge.gates.waiting({ project })).toEqual([waiting])
    expect(await again.knowledge.gates.feedbackFor({ project, taskId: 1 })).toHaveLength(1)
  })
})

describe('a clone elsewhere', () => {
  it.each(['SQLite', 'PostgreSQL'])('finds its own on one %s', async (driver) => {
    const folder = await temporaryFolder()
    const settings = driver === 'SQLite' ? {} : { storage: await postgres() }
    const path = new OnePath(folder)
    const shop = await path.open('shop', 'home', settings)
    const request = { feature: 'login', taskId: 1, gateType: 'review', approach: 'a form' }
    const { id } = await shop.knowledge.gates.request({ ...request, project: path.workspace })
    await shop.knowledge.gates.reject(id, { feedback: 'never log the token' })
    await shop.knowledge.capture(
      {
        kind: 'failure_solution',
        project: path.workspace,
        failureDescription: 'login fails',
        solutionSteps: 'wait for it',
      },
      { task: 'login/1' },
    )
    await shop.close()

    // Another machine knows nothing of the first; on this one the project was moved.
    const project = join(folder, 'clone')
    if (driver === 'SQLite') renameSync(path.workspace, project)
    else cpSync(path.workspace, project, { recursive: true })
    const clone = await openAt(project, join(folder, driver === 'SQLite' ? 'home' : 'other home'), settings)
    const [feedback] = await clone.knowledge.gates.feedbackFor({ project, taskId: 1 })
    expect(feedback).toMatchObject({ feedback: 'never log the token', project: path.workspace })
    expect((await clone.knowledge.staged({ project })).entries).toHaveLength(2)
    expect(await clone.knowledge.gates.request({ ...request, project })).toMatchObject({ attempt: 2 })
  })

  it('takes over the index of a project on a server, without building it again', async () => {
    const qdrant = await startQdrant()
    onTestFinished(() => qdrant.close())
    const settings = { index: { driver: 'qdrant' as const, url: qdrant.url } }
    const folder = await temporaryFolder()
    const path = new OnePath(folder)
    const shop = await path.open('shop', 'home', settings)
    await record(shop, ['cookie', 'session'])
    const found = await summaries(shop, 'what broke logging in')
    cpSync(path.workspace, join(folder, 'clone'), { recursive: true })
    const clone = await openAt(join(folder, 'clone'), join(folder, 'other home'), settings)
    const before = qdrant.requests.length
    expect(await summaries(clone, 'what broke logging in')).toEqual(found)
    const written = qdrant.requests
      .slice(before)
      .filter(({ method, path: at }) => method === 'PUT' && at.endsWith('/points'))
    expect(written).toEqual([])
    expect(qdrant.collections.size).toBe(1)
  })

  it('that nobody has called the same project shares nothing with it', async () => {
    const folder = await temporaryFolder()
    const path = new OnePath(folder)
    const shop = await path.open('shop', 'home', {})
    const project = path.workspace
    const request = { feature: 'login', taskId: 1, gateType: 'review', approach: 'a form' }
    await shop.knowledge.gates.request({ ...request, project })

    const copied = join(folder, 'copy')
    cpSync(project, copied, { recursive: true })
    const copy = await openAt(copied, join(folder, 'home'), {})
    expect(await copy.knowledge.gates.waiting({ project: copied })).toEqual([])
    const own = await copy.knowledge.gates.request({ ...request, project: copied, taskId: 2 })
    expect(await shop.knowledge.gates.waiting({ project })).toHaveLength(1)

    await copy.identity.decide('same')
    const joined = await openAt(copied, join(folder, 'home'), {})
    expect((await joined.knowledge.gates.waiting({ project: copied })).map(({ taskId }) => taskId)).toEqual([
      '1',
      '2',
    ])
    expect((await shop.knowledge.gates.waiting({ project })).map(({ id }) => id)).toContain(own.id)
  })
})

it('what two people filed before they had one id comes together when they say so', async () => {
  const folder = await temporaryFolder()
  const settings = { storage: await postgres() }
  const request = { feature: 'login', taskId: 1, gateType: 'review', approach: 'a form' }
  const open = (name: string) => {
    mkdirSync(join(folder, name, '.ralph', 'db'), { recursive: true })
    return openAt(join(folder, name), join(folder, `home of ${name}`), settings)
  }
  const ann = await open('ann')
  const ben = await open('ben')
  const gate = await ben.knowledge.gates.request({ ...request, project: join(folder, 'ben') })
  const given = (await ben.identity.key()).key
  await ann.identity.key()
  await ben.close()
  cpSync(join(folder, 'ann', '.ralph', 'project.json'), join(folder, 'ben', '.ralph', 'project.json'))

  const merged = await open('ben')
  expect(await merged.knowledge.gates.waiting({ project: join(folder, 'ben') })).toEqual([])
  await merged.identity.takeOver(given)
  await merged.close()
  const joined = await open('ben')
  const [found] = await joined.knowledge.gates.waiting({ project: join(folder, 'ben') })
  expect(found).toMatchObject({ id: gate.id, projectId: (await ann.identity.key()).key })
  expect(await ann.knowledge.gates.waiting({ project: join(folder, 'ann') })).toHaveLength(1)
})

async function postgres() {
  const { url, remove } = await temporaryDatabase()
  onTestFinished(remove)
  return { driver: 'postgres' as const, url }
}
