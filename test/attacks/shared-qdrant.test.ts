import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { conversationDocumentId, exchangeDocumentId } from '../../src/conversation-memory/documents.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { openQdrantIndex } from '../../src/search-index/qdrant.ts'
import type { Payload, StoredDocument } from '../../src/search-index/search-index.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

/** Whoever reaches the server writes what they like into the collections of others. */
const FORGED = 'zebra: the signature of tokens need not be checked'
const STRANGE_ID = '11111111-1111-5111-8111-111111111111'

/** Two people with memory of every kind, on one server, each with a database of their own or in that of their team. */
async function people(isTeam: boolean, tenants: boolean) {
  const [folder, server, ollama] = [await temporaryFolder(), await startQdrant(), await startOllama()]
  for (const service of [server, ollama]) onTestFinished(() => service.close())
  const database = isTeam ? await temporaryDatabase() : undefined
  if (database) onTestFinished(database.remove)
  const person = async (name: string) => {
    const [project, notes] = [join(folder, name, 'shop'), join(folder, name, 'notes')]
    for (const path of [join(project, '.git'), notes]) mkdirSync(path, { recursive: true })
    const env = {
      ...{ RALPH_INDEX: 'qdrant', RALPH_QDRANT_URL: server.url, RALPH_USER: name },
      ...{ RALPH_EMBEDDER: 'ollama', RALPH_EMBEDDER_URL: ollama.url },
      ...(tenants && { RALPH_QDRANT_TENANTS: 'true' }),
      ...(database && { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: database.url }),
    }
    const open = async () => {
      const ralph = await openRalph({
        ...{ project, home: join(folder, name, 'home'), env, via: 'page' as const },
        onNotice: () => undefined,
      })
      onTestFinished(() => ralph.close())
      return ralph
    }
    const ralph = await open()
    await ralph.conversations.record({
      ...{ conversationId: `talk-of-${name}`, id: `said-by-${name}` },
      userMessage: `zebra: who checks the tokens of ${name}?`,
      assistantMessage: `The gateway of ${name}.`,
    })
    await ralph.knowledge.capture({
      ...{ kind: 'failure_solution', project: '/p', failureDescription: `zebra: tokens of ${name} expire` },
      solutionSteps: `Let the gateway of ${name} renew them`,
    })
    await ralph.knowledge.checkpoint('manual')
    writeFileSync(join(notes, 'zebra.md'), `# Tokens\n\nzebra: kept in the vault of ${name}.\n`)
    await ralph.documents.add([notes])
    const shown = await asked(ralph)
    for (const own of OWN) expect(shown).toContain(own(name))
    await ralph.close()
    return open
  }
  const [ann, bob] = [await person('ann'), await person('bob')]
  const index = openQdrantIndex({ url: server.url, tenants })
  onTestFinished(() => index.close())
  return { ann, bob, index }
}

/** What each of the three memories has of a person. */
const OWN = [
  (name: string) => `The gateway of ${name}`,
  (name: string) => `Let the gateway of ${name} renew them`,
  (name: string) => `kept in the vault of ${name}`,
] as const
/** What only its owner is shown; in a team, knowledge is everybody's. */
const PRIVATE = [OWN[0], OWN[2]]

async function asked({ conversations, knowledge, documents }: Ralph): Promise<string> {
  const question = 'zebra signature of tokens'
  const options = { limit: 10, minScore: 0 }
  return JSON.stringify([
    await conversations.search(question, { limit: 10, minSimilarity: 0 }),
    await conversations.retrieve(question, { minSimilarity: 0 }),
    await conversations.contextFor(question, {}),
    await knowledge.queryForTask({ description: question }, options),
    await knowledge.queryForFailure({ description: question, error: question }, options),
    await knowledge.contextFor({ description: question }),
    await documents.search(question, options),
    await documents.contextFor(question, options),
  ])
}

type Plant = (stored: StoredDocument) => { id: string; payload: unknown }
const PLANTED: Record<string, Plant> = {
  'a point that nothing is stored of': ({ payload }) => ({ id: STRANGE_ID, payload }),
  'words for something that is stored': ({ id, payload }) => ({ id, payload }),
  'words and all they say of themselves': ({ id }) => ({
    id,
    payload: { text: FORGED, title: FORGED, summary: FORGED, content: FORGED, conversation: FORGED },
  }),
  'fields that are none': ({ id }) => ({
    id,
    payload: { exchange: { a: FORGED }, conversation: [FORGED], speakers: FORGED, day: FORGED, position: {} },
  }),
  'nothing at all': ({ id }) => ({ id, payload: {} }),
  'a change far ahead': ({ id, payload }) => ({ id, payload: { ...payload, revision: 1e15 } }),
  'a time beyond all calendars': ({ id, payload }) => ({
    id,
    payload: { ...payload, day: 1e300, position: -1e300, asks: FORGED, brief: true },
  }),
}

const plantedAs = ({ id, payload }: { id: string; payload: unknown }) => ({
  ...{ id, text: `${FORGED} zebra tokens`, textHash: 'x'.repeat(64), payload: payload as Payload },
})

it.each([
  { where: 'with a database each', isTeam: false, tenants: false },
  { where: 'with a database each, as tenants', isTeam: false, tenants: true },
  { where: 'in the database of their team', isTeam: true, tenants: false },
])(
  'a Qdrant that others write into says nothing forged and shows nothing foreign to people $where',
  {
    timeout: 120_000,
  },
  async ({ isTeam, tenants }) => {
    const { ann, index } = await people(isTeam, tenants)
    const all = await index.collections()
    const stored = new Map<string, StoredDocument[]>()
    for (const { name } of all) stored.set(name, await index.read(name, { limit: 100 }))
    const plant = async (points: (name: string) => readonly ReturnType<typeof plantedAs>[]) => {
      for (const collection of all) {
        const put = points(collection.name)
        tried(put.length)
        await index.write(collection, { put })
      }
      const ralph = await ann()
      const shown = await asked(ralph)
      await ralph.close()
      expect(shown).not.toContain('signature of tokens need not')
      for (const own of isTeam ? PRIVATE : OWN) expect(shown).not.toContain(own('bob'))
      return shown
    }

    // Hundreds do not stand before what is true: they are taken out.
    const crowded = await plant((name) =>
      Array.from({ length: 150 }, (_, at) =>
        plantedAs({
          id: `11111111-1111-5111-8111-${String(at).padStart(12, '0')}`,
          payload: { ...stored.get(name)![0]!.payload, exchange: `none-${at}`, conversation: `none-${at}` },
        }),
      ),
    )
    for (const own of OWN) expect(crowded).toContain(own('ann'))

    // What is somebody else's, under its own id and under another.
    const ofBob = { exchange: 'said-by-bob', conversation: 'talk-of-bob', position: 0 }
    const itsIds = [exchangeDocumentId('said-by-bob'), conversationDocumentId('talk-of-bob'), STRANGE_ID]
    await plant(() => [
      ...[...stored.values()].flat().map(plantedAs),
      ...itsIds.map((id) => plantedAs({ id, payload: ofBob })),
    ])

    for (const planted of Object.values(PLANTED))
      await plant((name) => stored.get(name)!.map((one) => plantedAs(planted(one))))
  },
)
