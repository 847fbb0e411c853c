import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Conversations } from '../../src/conversation-memory/conversations.ts'
import { deferred } from '../../src/deferred.ts'
import type { Embedder } from '../../src/embedding/embedder.ts'
import type { DescribedFeature } from '../../src/feature-memory/feature-memory.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { openTestLedger } from '../support/ledger.ts'
import { SOMEBODY } from '../support/person.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const PROJECT = '/home/dev/shop'

/** The three memories of one project on real files, closed after the test. */
export async function threeMemories(options: { embedder?: Embedder; folder?: string } = {}) {
  const folder = options.folder ?? (await temporaryFolder())
  const embedder = options.embedder ?? new FakeEmbedder()
  const said: Notice[] = []
  const notices = new Notices((notice) => said.push(notice))
  const index = openSqliteIndex({ path: join(folder, 'cache', 'index.db') })
  const userIndex = openSqliteIndex({ path: join(folder, 'home', 'index.db') })
  const storage = await openSqliteStorage({ path: join(folder, 'home', 'ralph.db') })
  const described = new Map<string, DescribedFeature>()
  const parts = { embedder: async () => embedder, notices }
  const featureMemory = new FeatureMemory({
    ...parts,
    index,
    project: PROJECT,
    memoryDir: join(folder, 'memory'),
    cacheDir: join(folder, 'cache'),
    board: {
      version: async () => JSON.stringify([...described]),
      features: async () => [...described.keys()],
      describe: async (name) => described.get(name),
    },
  })
  const user = { ...parts, index: userIndex, storage }
  const project = { path: PROJECT, key: PROJECT, formerly: [] }
  const knowledge = new ProjectKnowledge({ ...user, project })
  const conversations = new Conversations({
    person: SOMEBODY,
    ...user,
    spend: openTestLedger(storage),
    summariser: extractiveSummariser(),
    sessionPlaces: sessionPlaces({}, folder),
    searchDefaults: { limit: 20, minSimilarity: 0.1 },
  })
  onTestFinished(async () => {
    await conversations.close()
    await index.close()
    await userIndex.close()
    await storage.close()
  })
  const memories = {
    featureMemory,
    knowledge: deferred(async () => knowledge),
    conversations: deferred(async () => conversations),
    notices,
  }
  return {
    ...{ memories, folder, embedder, storage, index, said, described, knowledge, conversations },
    cacheDir: join(folder, 'cache'),
    iteration: (summary: string, fields: Parameters<typeof newIteration>[0] = {}) =>
      featureMemory.recordIteration(newIteration({ taskTitle: 'A task', summary, ...fields })),
    learning: (feature: string, id: string, text: string) => {
      const learnings = [...(described.get(feature)?.learnings ?? [])]
      learnings.push({ id, text, reason: 'it was seen', source: 'person' })
      described.set(feature, { ...described.get(feature), name: feature, learnings } as DescribedFeature)
    },
    pattern: async (problem: string, solution: string, from = PROJECT) => {
      await knowledge.capture({
        kind: 'failure_solution',
        project: from,
        failureDescription: problem,
        solutionSteps: solution,
      })
      await knowledge.checkpoint('manual')
    },
    exchange: async (id: string, userMessage: string, assistantMessage: string, startedAt?: Date) => {
      await conversations.record({
        conversationId: `about ${id}`,
        ...{ id, userMessage, assistantMessage },
        ...(startedAt && { startedAt }),
      })
    },
  }
}
