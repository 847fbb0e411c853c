import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BinaryOperationNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ValueNode,
} from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Conversations } from '../../src/conversation-memory/conversations.ts'
import { Documents } from '../../src/documents/documents.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import { Notices } from '../../src/notices.ts'
import type { Ralph } from '../../src/ralph.ts'
import { openQdrantIndex } from '../../src/search-index/qdrant.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { type QdrantRequest, startQdrant } from '../stand-ins/qdrant.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { openTestLedger } from '../support/ledger.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { openScene } from './scene.ts'
import { conversations } from './surfaces/conversations.ts'
import { library } from './surfaces/library.ts'
import type { Surface } from './surfaces/surface.ts'
import { askOnce, emptyTally, type Tally } from './tally.ts'
import { iterationOf, originOf } from './world/fill.ts'
import { NONE } from './world/marks.ts'
import { Random } from './world/random.ts'
import { textOf } from './world/texts.ts'
import type { AskedWorld, WorldProject } from './world/world.ts'

const FEATURES = ['login', 'payments', 'Login']
const SEARCHES = 60
const parts = () => ({ embedder: async () => new FakeEmbedder(), notices: new Notices(() => undefined) })

/** Two people with a project each, of which `ralph` has what the surface asks for. */
async function world(ralph: (project: WorldProject) => Promise<Partial<Ralph>>): Promise<AskedWorld> {
  const folder = await temporaryFolder()
  const people = [0, 1].map((person) => {
    const home = join(folder, `home-${person}`)
    return { ...{ team: 0, person, name: `person-${person}`, home, papers: join(home, 'papers') }, env: {} }
  })
  const projects = people.map((of, project) => ({ of, project, path: join(folder, `shop-${project}`) }))
  const opened = new Map<WorldProject, Promise<Partial<Ralph>>>()
  for (const project of projects) opened.set(project, ralph(project))
  await Promise.all(opened.values())
  const size = { teams: 1, people: 2, projects: 1, features: 3, iterations: 2, conversations: 4 }
  return {
    ...{ driver: 'sqlite', sharesStorage: true, folder, people, projects, features: FEATURES, size },
    ralph: async ({ project }) => (await opened.get(projects[project]!)) as Ralph,
    closeAll: async () => undefined,
  }
}

async function tallyOf(surface: Surface, asked: AskedWorld): Promise<Tally> {
  const ids = {
    ...{ conversations: ['talk-0'], exchanges: ['talk-0-0'], pieces: ['none'], entries: [] },
    ...{ gates: [], receipts: [], learnings: [], errors: [] },
  }
  const scene = openScene(asked, new Random(3), { searches: SEARCHES, ids })
  const opened = await surface.open(scene)
  const tally = emptyTally()
  for (let one = 0; one < SEARCHES; one++)
    await askOnce(opened, tally, { surface: surface.name, driver: asked.driver })
  return tally
}

/** Two projects in one index, as on a server. */
async function featureWorld(
  open: () => Promise<SearchIndex>,
  mix: (memoryDir: string) => void = () => undefined,
): Promise<AskedWorld> {
  const index = await open()
  onTestFinished(() => index.close())
  return world(async (project) => {
    const featureMemory = new FeatureMemory({
      ...{ ...parts(), index, project: project.path },
      ...{ memoryDir: join(project.path, 'memory'), cacheDir: join(project.path, 'cache') },
    })
    for (const [feature, name] of FEATURES.entries())
      for (const at of [0, 1])
        await featureMemory.recordIteration(iterationOf(originOf(project, feature, 'iteration'), name, at))
    mix(join(project.path, 'memory'))
    const learnings = { list: async () => [], known: async () => [] } as unknown as Ralph['learnings']
    return { featureMemory, learnings }
  })
}

const sqliteIndex = async () => openSqliteIndex({ path: join(await temporaryFolder(), 'index.db') })

async function tenants(trouble?: (request: QdrantRequest) => undefined): Promise<SearchIndex> {
  const server = await startQdrant()
  onTestFinished(() => server.close())
  server.trouble = trouble
  return openQdrantIndex({ url: server.url, tenants: true })
}

/** As if every feature had the journal of all. */
function oneJournal(memoryDir: string): void {
  const files = readdirSync(memoryDir)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(memoryDir, name))
  const all = files.map((file) => readFileSync(file, 'utf8')).join('')
  for (const file of files) writeFileSync(file, all)
}

/** As if nobody had said which collection to search in. */
function everyCollection(index: SearchIndex): SearchIndex {
  const search: SearchIndex['search'] = async (_, request, signal) => {
    const found = []
    for (const { name } of await index.collections())
      found.push(...(await index.search(name, request, signal)))
    return found
  }
  return new Proxy(index, {
    get: (of, name) => {
      const value = name === 'search' ? search : Reflect.get(of, name)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}

/** Takes the tenant out of the filter of a search, and leaves the rest. */
function dropTenant(request: QdrantRequest): undefined {
  if (!request.path.includes('/points/query')) return undefined
  const drop = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => !isTenant(one)).map(drop)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, drop(inner)]))
  }
  request.body = drop(request.body) as QdrantRequest['body']
  return undefined
}

function isTenant(condition: unknown): boolean {
  return String((condition as { key?: unknown } | null)?.key ?? '').endsWith('.tenant')
}

/** Two people in one database. */
async function talkingWorld(made: (storage: Storage) => Storage): Promise<AskedWorld> {
  const folder = await temporaryFolder()
  const storage = await openSqliteStorage({ path: join(folder, 'team.db') })
  onTestFinished(() => storage.close())
  return world(async (project) => {
    const { of } = project
    const index = openSqliteIndex({ path: join(folder, of.name, 'index.db') })
    const person = { id: of.name, name: of.name }
    const own = {
      ...parts(),
      storage: made(storage),
      index,
      searchDefaults: { limit: 20, minSimilarity: 0, minScore: 0 },
    }
    const talks = new Conversations({
      ...{ ...own, person, spend: openTestLedger(storage, { person: person.id }) },
      ...{ summariser: extractiveSummariser(), sessionPlaces: sessionPlaces({}, folder) },
    })
    const whose = { person: person.id, home: async () => of.home }
    const documents = new Documents({ ...own, whose, requirePerson: async () => undefined })
    onTestFinished(async () => {
      await talks.close()
      await index.close()
    })
    const origin = { ...originOf(project, NONE, 'exchange'), project: NONE }
    for (const at of [0, 1, 2, 3]) {
      const text = textOf(origin, at)
      await talks.record({ conversationId: `${of.name}-${at}`, userMessage: text, assistantMessage: text })
    }
    mkdirSync(of.papers, { recursive: true })
    writeFileSync(join(of.papers, 'notes.md'), `${textOf({ ...origin, kind: 'document' }, 0)}\n`)
    await documents.add([of.papers])
    return { conversations: talks, documents } as unknown as Partial<Ralph>
  })
}

/** As if nobody had said whose rows to read. */
class EveryPerson extends OperationNodeTransformer {
  override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const isPerson = JSON.stringify(node.leftOperand satisfies OperationNode).includes('"name":"person"')
    const one = ValueNode.createImmediate(1)
    return isPerson
      ? BinaryOperationNode.create(one, OperatorNode.create('='), one)
      : super.transformBinaryOperation(node)
  }
}

function everyPerson(storage: Storage): Storage {
  const transformer = new EveryPerson()
  const db = storage.db.withPlugin({
    transformQuery: ({ node }) => transformer.transformNode(node),
    transformResult: async ({ result }) => result,
  })
  return new Proxy(storage, {
    get: (of, name) => {
      if (name === 'db') return db
      const value = Reflect.get(of, name)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}

describe('what comes from elsewhere is noticed', () => {
  it.each([
    ['of journals that were mixed up', false, sqliteIndex, oneJournal],
    // What an index finds elsewhere is in no journal of the feature: it is not told.
    ['of every collection of an index', true, async () => everyCollection(await sqliteIndex())],
    ['of no other collection', true, sqliteIndex],
    ['of every tenant of a server', true, () => tenants(dropTenant)],
    ['of no other tenant', true, () => tenants()],
  ] as [string, boolean, () => Promise<SearchIndex>, ((memoryDir: string) => void)?][])(
    '%s',
    async (_, isTight, open, mix) => {
      const { leaks, own } = await tallyOf(library, await featureWorld(open, mix))
      expect(own).toBeGreaterThan(10)
      if (isTight) expect(leaks).toEqual([])
      else expect(leaks.length).toBeGreaterThan(5)
    },
  )

  it.each([
    ['of every person of a database', false, everyPerson],
    ['of no other person', true, (storage: Storage) => storage],
  ] as const)('%s', async (_, isTight, made) => {
    const { leaks, own } = await tallyOf(conversations, await talkingWorld(made))
    expect(own).toBeGreaterThan(10)
    if (isTight) expect(leaks).toEqual([])
    else expect(leaks.length).toBeGreaterThan(5)
  })
})
