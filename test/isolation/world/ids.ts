import { readReceipts } from '../../../src/receipts/read.ts'
import type { World } from './world.ts'

/** The ids of all that is kept anywhere in the world: whoever knows one may try to open it. */
export interface KnownIds {
  conversations: string[]
  exchanges: string[]
  pieces: string[]
  entries: string[]
  gates: string[]
  receipts: string[]
  learnings: string[]
  errors: string[]
}

const MOST = 50

export async function knownIds(world: World): Promise<KnownIds> {
  const known: KnownIds = {
    ...{ conversations: [], exchanges: [], pieces: [], entries: [] },
    ...{ gates: [], receipts: [], learnings: [], errors: [] },
  }
  for (const project of world.projects) {
    const ralph = await world.ralph(project)
    const { receipts } = await readReceipts(ralph.config.paths.receipts, { limit: MOST })
    known.receipts.push(...receipts.map(({ id }) => id))
    for (const name of world.features) {
      known.learnings.push(...(await ralph.learnings.known(name)).map(({ id }) => id))
      known.errors.push(...(await ralph.featureMemory.errors(name)).map(({ id }) => id))
    }
    const gates = await ralph.knowledge.gates.list({ state: 'waiting', project: project.path })
    known.gates.push(...gates.entries.map(({ id }) => id))
    known.entries.push(...(await ralph.knowledge.list({ limit: MOST })).entries.map(({ id }) => id))
  }
  for (const person of world.people) {
    const ralph = await world.ralph(world.projects.find(({ of }) => of === person)!)
    for (const { id } of (await ralph.conversations.list({ limit: MOST })).conversations) {
      known.conversations.push(id)
      known.exchanges.push(...(await ralph.conversations.history.exchangesOf(id)).map((one) => one.id))
    }
    const found = await ralph.documents.search('session cookie', { limit: MOST, minScore: 0 })
    known.pieces.push(...found.map(({ piece }) => piece.id))
  }
  return known
}
