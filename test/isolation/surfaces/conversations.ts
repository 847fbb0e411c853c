import type { Ralph } from '../../../src/ralph.ts'
import { personScope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

type Call = (ralph: Ralph, scene: Scene) => Promise<unknown>

const CALLS: { readonly [call: string]: { weight: number; run: Call } } = {
  search: {
    weight: 10,
    run: ({ conversations }, { questions, random }) =>
      conversations.search(questions.any(), {
        ...{ limit: random.of([1, 5, 20, 100]), minSimilarity: random.of([0, 0.2]) },
        ...(random.chance(0.1) && { tags: ['shop'] }),
        ...(random.chance(0.1) && { excluding: 'talk-0' }),
        ...(random.chance(0.1) && { since: new Date('2026-04-01') }),
      }),
  },
  retrieve: {
    weight: 4,
    run: ({ conversations }, { questions }) =>
      conversations.retrieve(questions.any(), { limit: 20, minSimilarity: 0 }),
  },
  context: {
    weight: 4,
    run: ({ conversations }, { questions }) =>
      conversations.contextFor(questions.any(), { limit: 20, minSimilarity: 0 }),
  },
  'context of documents': {
    weight: 2,
    run: ({ documents }, { questions }) => documents.contextFor(questions.any(), { minScore: 0 }),
  },
  'search of documents': {
    weight: 6,
    run: ({ documents }, { questions, random }) =>
      documents.search(questions.any(), { limit: random.of([1, 5, 100]), minScore: 0 }),
  },
  details: {
    weight: 2,
    run: ({ conversations }, { ids, random }) =>
      conversations.details({
        ...(random.chance(0.5)
          ? { conversationId: random.of(ids.conversations) }
          : { exchangeId: random.of(ids.exchanges) }),
        includeFullTranscript: true,
      }),
  },
  'piece of a document': {
    weight: 1,
    run: ({ documents }, { ids, random }) => documents.around(random.of(ids.pieces), 5),
  },
  list: { weight: 1, run: ({ conversations }) => conversations.list({ limit: 100 }) },
  'list of documents': { weight: 0.5, run: ({ documents }) => documents.list() },
  topics: { weight: 0.5, run: ({ conversations }) => conversations.topics() },
  export: { weight: 0.5, run: ({ conversations }) => Array.fromAsync(conversations.exportLines()) },
  sample: { weight: 0.5, run: ({ conversations }) => conversations.sample(100) },
}

export const conversations: Surface = {
  name: 'conversations',
  asks: '`conversations` (search, retrieve, details by any id, list, topics, export, sample, the context before an answer of the chat) and `documents` (search, pieces by any id, list, context)',
  elsewhere:
    'another person’s conversations, unless they share them within the team, and documents; what was shared and taken back; memory of any feature',
  share: 0.12,
  async open(scene) {
    const { world, random } = scene
    const drawn = Object.entries(CALLS).flatMap(([name, { weight }]) => Array<string>(2 * weight).fill(name))
    return {
      async ask() {
        const asker = scene.asker()
        const call = random.of(drawn)
        return {
          asked: `${call} as ${asker.of.name} of team ${asker.of.team}`,
          shown: await CALLS[call]!.run(await world.ralph(asker), scene),
          may: personScope(asker),
        }
      },
    }
  },
}
