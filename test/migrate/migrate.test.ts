import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SettingsInput } from '../../src/config.ts'
import { migrate } from '../../src/migrate/migrate.ts'
import { assemble, type Ralph } from '../../src/ralph.ts'
import type { EmbeddingService } from '../stand-ins/embedding-service.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { runRalph } from '../support/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { everything } from './rows.ts'

const TOPICS = ['login form', 'redis cache', 'payment webhook', 'image upload', 'rate limit', 'dark mode']
const STATES = [
  'crashed on empty input',
  'timed out after a deploy',
  'returned the wrong shape',
  'was flaky in tests',
  'works after a retry',
]
const sentence = (at: number) => `The ${TOPICS[at % 6]} ${STATES[at % 5]} because of module number ${at}`
const QUESTIONS = [...TOPICS, ...STATES, 'module number 17', 'why did it crash', 'flaky payment tests']

/** A project with memory of every kind, embedded by an Ollama that counts. */
async function world(env: NodeJS.ProcessEnv = {}) {
  const folder = await temporaryFolder()
  const ollama = await startOllama()
  onTestFinished(() => ollama.close())
  const base = {
    project: folder,
    home: join(folder, 'home'),
    env: { RALPH_EMBEDDER: 'ollama', RALPH_EMBEDDER_URL: ollama.url, ...env },
    onNotice: () => undefined,
  }
  const open = async (settings: SettingsInput = {}) => {
    const { ralph, drivers } = await assemble({ ...base, settings })
    onTestFinished(() => ralph.close())
    return Object.assign(ralph, { drivers })
  }
  return { base, open, ollama }
}

async function remember(ralph: Ralph, count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await ralph.featureMemory.recordIteration(
      newIteration({ feature: at % 3 ? 'shop' : 'admin', summary: sentence(at), taskTitle: `Task ${at}` }),
    )
  for (const feature of ['shop', 'admin']) await ralph.featureMemory.catchUp(feature)
  for (let at = 0; at < count; at++)
    await ralph.conversations.record({
      conversationId: `c${at % 7}`,
      userMessage: `Why: ${sentence(at)}?`,
      assistantMessage: sentence(at + 1),
    })
  await ralph.openConversations().then(({ workers }) => workers.runOnce(new AbortController().signal))
  for (let at = 0; at < 5; at++)
    await ralph.knowledge.capture({
      kind: 'failure_solution',
      project: '/p',
      failureDescription: sentence(at),
      errorMessage: `Error ${at}`,
      solutionSteps: `Change module ${at}`,
    })
  await ralph.knowledge.checkpoint('manual')
}

async function answers(ralph: Ralph): Promise<unknown[][]> {
  const found: unknown[][] = []
  for (const question of QUESTIONS) {
    for (const feature of ['shop', 'admin']) {
      const results = await ralph.featureMemory.search(feature, question, { limit: 10, minScore: 0 })
      found.push(results.map(({ record }) => record.iterationNumber))
    }
    const { results } = await ralph.conversations.search(question, { limit: 10 })
    found.push(results.map(({ exchange }) => exchange.id))
    found.push(
      (await ralph.knowledge.queryForTask({ description: question }, { minScore: 0 })).map(({ id }) => id),
    )
  }
  return found
}

/** Of two ways to answer the same questions: the share of equal lists. Near the end of a list there may be ties. */
function agreement(one: readonly unknown[][], other: readonly unknown[][]): number {
  const equal = one.filter((list, at) => JSON.stringify(list) === JSON.stringify(other[at]))
  return equal.length / one.length
}

const embeddedTexts = ({ requests }: EmbeddingService) =>
  requests
    .filter(({ path }) => path === '/api/embed')
    .flatMap(({ body }) => body['input'] as string[])
    .filter((text) => text.startsWith('search_document: '))

describe('moving the index', () => {
  it.each([{ tenants: false }, { tenants: true }])(
    'to Qdrant and back ($tenants): same answers, nothing embedded again, readers undisturbed',
    async ({ tenants }) => {
      const { base, open, ollama } = await world()
      const qdrant = await startQdrant()
      onTestFinished(() => qdrant.close())
      const before = await open()
      await remember(before, 36)
      const expected = await answers(before)
      ollama.requests.length = 0

      const steps = new Set<string>()
      const settings = { index: { tenants } }
      const report = await migrate({
        ...base,
        settings,
        to: 'qdrant',
        url: qdrant.url,
        onProgress: ({ step }) => steps.add(step),
      })
      expect(report).toMatchObject({
        verified: true,
        moves: [{ part: 'index', from: 'sqlite', to: 'qdrant' }],
        index: { embedded: 0, carried: expect.any(Number), sampled: { searches: expect.any(Number) } },
        settings: { index: { driver: 'qdrant', url: qdrant.url } },
      })
      expect(report.index!.carried).toBeGreaterThan(70)
      // Five collections with 25 indexes, each looked for under two names, a feature's asked whose it is, two asked what others may
      // have put there meanwhile, 80 documents, and 29 searches that are compared; what is asked once for each document or each page would be far more.
      expect(qdrant.requests.length).toBeLessThan(tenants ? 152 : 137)
      expect(report.index!.sampled.same).toBe(report.index!.sampled.searches)
      expect([...steps]).toEqual(
        expect.arrayContaining(['feature shop', 'project knowledge', 'conversations']),
      )
      expect(embeddedTexts(ollama)).toEqual([])
      expect(await answers(before)).toEqual(expected)

      const after = await open({ index: { ...settings.index, driver: 'qdrant', url: qdrant.url } })
      expect(agreement(await answers(after), expected)).toBeGreaterThanOrEqual(0.95)
      expect(embeddedTexts(ollama)).toEqual([])

      // Meanwhile things happen there; then back, over what was left in SQLite.
      await after.featureMemory.recordIteration(
        newIteration({ feature: 'shop', summary: 'A brand new finding about zebras' }),
      )
      await after.featureMemory.catchUp('shop')
      await after.conversations.forget('c3')
      const back = await migrate({
        ...base,
        settings: { index: { ...settings.index, driver: 'qdrant', url: qdrant.url } },
        to: 'sqlite',
      })
      expect(back).toMatchObject({
        verified: true,
        index: { embedded: 0 },
        settings: { index: { driver: 'sqlite' } },
      })
      const returned = await answers(await open())
      expect(agreement(await answers(after), returned)).toBeGreaterThanOrEqual(0.95)
      expect(JSON.stringify(returned)).not.toEqual(JSON.stringify(expected))
    },
  )

  it('of two people to one Qdrant leaves each what is theirs', async () => {
    const qdrant = await startQdrant()
    onTestFinished(() => qdrant.close())
    const people = await Promise.all([world(), world()])
    const onQdrant = { index: { driver: 'qdrant' as const, url: qdrant.url } }
    for (const [at, { base, open }] of people.entries()) {
      const ralph = await open()
      await ralph.conversations.record({
        conversationId: 'c',
        userMessage: `Why: ${sentence(at)}?`,
        assistantMessage: sentence(at),
      })
      await ralph.knowledge.capture({
        kind: 'failure_solution',
        project: '/p',
        failureDescription: sentence(at),
        solutionSteps: `Change module ${at}`,
      })
      await ralph.knowledge.checkpoint('manual')
      // The exchange has no vector yet, which the workers would have made: only this one is made.
      expect(await migrate({ ...base, to: 'qdrant', url: qdrant.url })).toMatchObject({
        verified: true,
        index: { carried: 1, embedded: 1 },
      })
    }
    for (const [at, { open }] of people.entries()) {
      const ralph = await open(onQdrant)
      const found = await ralph.conversations.search(sentence(at), { minSimilarity: 0 })
      expect(found.results.map(({ exchange }) => exchange.assistantMessage)).toEqual([sentence(at)])
      const known = await ralph.knowledge.queryForTask({ description: sentence(at) }, { minScore: 0 })
      expect(known.map(({ problem }) => problem)).toEqual([sentence(at)])
    }
  })

  it('interrupted: goes on with what is missing; an old index that cannot be read is no obstacle', async () => {
    const { base, open, ollama } = await world()
    const [old, next] = [await startQdrant(), await startQdrant()]
    onTestFinished(async () => {
      await next.close()
    })
    const settings = { index: { driver: 'qdrant' as const, url: old.url } }
    await remember(await open(settings), 40)
    await old.close()
    ollama.requests.length = 0
    const cancel = new AbortController()
    let first = 0
    const moving = migrate({
      ...base,
      settings,
      to: 'sqlite',
      signal: cancel.signal,
      onProgress: ({ done }) => {
        first = done
        if (done >= 30) cancel.abort()
      },
    })
    await expect(moving).rejects.toMatchObject({ code: 'cancelled' })
    const report = await migrate({ ...base, settings, to: 'sqlite' })
    expect(report.index).toMatchObject({
      sourceProblem: expect.stringContaining('cannot be reached'),
      carried: 0,
    })
    const texts = embeddedTexts(ollama)
    expect(first).toBeGreaterThanOrEqual(30)
    // But for the batch it was interrupted in.
    expect(texts.length).toBeLessThanOrEqual(new Set(texts).size + 32)
  })

  it('refuses to begin without an embedder, and says what to do', async () => {
    const { base, ollama } = await world()
    const qdrant = await startQdrant()
    onTestFinished(() => qdrant.close())
    await ollama.close()
    await expect(migrate({ ...base, to: 'qdrant', url: qdrant.url })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('nothing can move'),
      hint: expect.stringContaining('ollama serve'),
    })
  })

  it.each([
    [{ to: 'sqlite' as const }, /already/],
    [{ to: 'qdrant' as const, from: 'postgres' as const }, /nothing of postgres/],
  ])('refuses what makes no sense: %j', async (request, message) => {
    const { base } = await world()
    await expect(migrate({ ...base, ...request })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    })
  })
})

describe('the command', { timeout: 120_000 }, () => {
  it('moves the storage to PostgreSQL, says what to set, hides the password, and brings all back with its vectors', async () => {
    const { base, open, ollama } = await world()
    const database = await temporaryDatabase()
    onTestFinished(() => database.remove())
    const before = await open()
    await remember(before, 20)
    await before.close()
    ollama.requests.length = 0
    const run = (...args: string[]) => runRalph(args, { cwd: base.project, home: base.home, env: base.env })
    const moved = await run('migrate', '--to', 'postgres', '--url', database.url, '--project', base.project)
    expect(moved).toMatchObject({ code: 0, stderr: '' })
    expect(moved.stdout).toMatch(/^Storage: \d+ rows in \d+ tables/)
    // Each database has an index of its own: 20 exchanges, 7 conversations and 5 entries take their vectors along.
    expect(moved.stdout).toContain('Its index: 32 vectors taken over, 0 made.')
    expect(moved.stdout).toContain('"driver": "postgres"')
    expect(moved.stdout).not.toContain(new URL(database.url).password)

    const [one, other] = [await open(), await open({ storage: { driver: 'postgres', url: database.url } })]
    const there = (await other.people.you()).id
    expect(await everything(await other.drivers.storage(), there)).toEqual(
      await everything(await one.drivers.storage(), 'self'),
    )
    expect(await answers(other)).toEqual(await answers(one))
    expect(embeddedTexts(ollama)).toEqual([])

    const again = await run(
      'migrate',
      '--to',
      'postgres',
      '--url',
      database.url,
      '--project',
      base.project,
      '--json',
    )
    expect(JSON.parse(again.stdout.trim().split('\n').at(-1)!)).toMatchObject({
      kind: 'migrated',
      verified: true,
      storage: { merged: false, written: 0 },
      filled: { carried: 0, embedded: 0 },
    })

    // From there the index moves to a server, where it is this person's own, and both come back with the vectors.
    const qdrant = await startQdrant()
    onTestFinished(() => qdrant.close())
    const storage = { driver: 'postgres' as const, url: database.url }
    const index = { driver: 'qdrant' as const, url: qdrant.url }
    const away = await migrate({ ...base, settings: { storage }, to: 'qdrant', url: qdrant.url })
    expect(away).toMatchObject({ verified: true, index: { embedded: 0 } })
    await one.drivers.userIndex().drop('conversation-exchanges')
    const home = await migrate({ ...base, settings: { storage, index }, to: 'sqlite' })
    expect(home).toMatchObject({ verified: true, index: { embedded: 0 } })
    expect(home.index!.collections).toContainEqual({
      name: 'conversation-exchanges',
      source: 20,
      target: 20,
    })

    const wrong = await run('migrate', '--to', 'postgres', '--project', base.project)
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/storage\.url.*\n {2}→ Set RALPH_POSTGRES_URL/),
    })
  })
})
