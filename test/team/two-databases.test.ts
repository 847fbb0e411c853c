import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SettingsInput } from '../../src/config.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** People with a home each, who say in which database they work; what they hear is kept. */
async function world() {
  const folder = await temporaryFolder()
  const ollama = await startOllama()
  onTestFinished(() => ollama.close())
  const database = async () => {
    const { url, remove } = await temporaryDatabase()
    onTestFinished(remove)
    return { driver: 'postgres' as const, url }
  }
  const said: string[] = []
  /** As one command after another would. */
  const as = async <Result>(
    name: string,
    storage: SettingsInput['storage'],
    work: (ralph: Ralph) => Promise<Result>,
  ): Promise<Result> => {
    const [home, project] = [join(folder, name, 'home'), join(folder, name, 'shop')]
    mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
    const env = { RALPH_USER: name, RALPH_EMBEDDER: 'ollama', RALPH_EMBEDDER_URL: ollama.url }
    const onNotice = ({ message }: { message: string }) => said.push(message)
    const ralph = await openRalph({ project, home, env, settings: { storage }, via: 'page', onNotice })
    try {
      return await work(ralph)
    } finally {
      await ralph.close()
    }
  }
  const embedded = () =>
    ollama.requests
      .flatMap(({ body }) => body['input'] ?? [])
      .map(String)
      .filter((text) => text.startsWith('search_document: '))
  return { folder, as, database, said, embedded, forgetRequests: () => ollama.requests.splice(0) }
}

/** All three memories of a database, with a word of its own. */
async function fill(ralph: Ralph, word: string, count: number, folder: string): Promise<void> {
  const files = join(folder, `notes-${word}`)
  mkdirSync(files)
  for (let at = 0; at < count; at++) {
    await ralph.conversations.record({
      conversationId: `talk-${word}-${at}`,
      userMessage: `What did the ${word} say about module ${at}?`,
      assistantMessage: `That the ${word} is broken in place ${at}.`,
    })
    await ralph.knowledge.capture({
      kind: 'failure_solution',
      project: '/p',
      failureDescription: `The ${word} crashed in module ${at}`,
      solutionSteps: `Restart the ${word} in place ${at}`,
    })
    writeFileSync(join(files, `${word}-${at}.md`), `# The ${word}\n\nNote ${at} about the ${word}.\n`)
  }
  await ralph.knowledge.checkpoint('manual')
  await ralph.documents.add([files])
}

/** What is found of it: conversations, entries, documents. */
async function found(ralph: Ralph, word: string): Promise<number[]> {
  const limit = 20
  const { results } = await ralph.conversations.search(`the ${word}`, { limit, minSimilarity: 0.2 })
  const entries = await ralph.knowledge.queryForTask({ description: `the ${word}` }, { limit, minScore: 0.2 })
  const pieces = await ralph.documents.search(`the ${word}`, { limit, minScore: 0.2 })
  const about = (texts: readonly string[]) => texts.filter((text) => text.includes(word)).length
  return [
    about(results.map(({ exchange }) => exchange.assistantMessage)),
    about(entries.map(({ problem }) => problem)),
    // Of pieces that say the same, one is shown.
    Math.min(1, about(pieces.map(({ piece }) => piece.text))),
  ]
}

describe('one home that works for two databases', { timeout: 120_000 }, () => {
  it.each(['sqlite', 'postgres'] as const)(
    'finds in each what is in it: %s and another one, whoever wrote there before',
    async (driver) => {
      const { folder, as, database, said } = await world()
      const [own, team] = [driver === 'sqlite' ? { driver } : await database(), await database()]
      await as('bob', team, async (ralph) => {
        await fill(ralph, 'zebrafish', 2, folder)
        const { sharing } = await ralph.openConversations()
        await sharing.share(['talk-zebrafish-0', 'talk-zebrafish-1'])
      })
      await as('ann', own, async (ralph) => {
        await fill(ralph, 'hedgehog', 4, folder)
        expect(await found(ralph, 'hedgehog')).toEqual([4, 4, 1])
      })
      await as('ann', team, async (ralph) => {
        // Documents are their owner's.
        expect(await found(ralph, 'zebrafish')).toEqual([2, 2, 0])
        await fill(ralph, 'pelican', 1, folder)
        expect(await found(ralph, 'pelican')).toEqual([1, 1, 1])
        expect(await found(ralph, 'hedgehog')).toEqual([0, 0, 0])
      })
      // What others wrote there before is built into an index of its own, which is said; from then on nothing is.
      expect(said.splice(0)).toHaveLength(2)
      await as('ann', own, async (ralph) => {
        expect(await found(ralph, 'hedgehog')).toEqual([4, 4, 1])
        expect(await found(ralph, 'pelican')).toEqual([0, 0, 0])
      })
      await as('ann', team, async (ralph) => {
        expect(await found(ralph, 'pelican')).toEqual([1, 1, 1])
        const kept = driver === 'sqlite' ? /index\.db, 1 MB, used 2/ : /indexes.[0-9a-f]{8}\.db, 1 MB, used 2/
        expect(await ralph.health.check('indexes of other databases')).toMatchObject({
          level: 'ok',
          detail: expect.stringMatching(kept),
        })
      })
      expect(said).toEqual([])
    },
  )
})
