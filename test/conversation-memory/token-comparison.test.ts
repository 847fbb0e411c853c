import { describe, expect, it } from 'vitest'
import { EXCHANGES } from '../../src/conversation-memory/documents.ts'
import { type RankingInput, rankExchanges } from '../../src/conversation-memory/retrieve/rank.ts'
import { sectionOf } from '../../src/retrieval/detail/sections.ts'
import { TokenLikeness } from '../../src/retrieval/detail/tokens.ts'
import type { Payload, SearchIndex } from '../../src/search-index/search-index.ts'
import { converse } from './library.ts'
import { meaningEmbedder } from './meaning.ts'
import { never, type Opened, openTestConversations } from './open.ts'
import { tokenEmbedder } from './token-embedder.ts'

const SAID = [
  { user: 'Which tomatoes grow in shade?', assistant: 'Cherry tomatoes cope best.' },
  { user: 'The importer seems to stall', assistant: 'It waits for a lock on the table.' },
  { user: 'Where do we buy paint?', assistant: 'The shop at the corner has some.' },
  { user: 'Shall we water the roses?', assistant: 'Only in the evening.' },
]

describe('comparing exchanges token by token', () => {
  it('finds what one vector for all of it does not tell', async () => {
    const { conversations } = await told(SAID)
    const { results } = await conversations.search('hang', { minSimilarity: 0 })
    expect(results[0]?.exchange.id).toBe('c-1')
  })

  it('goes by one vector where a detail is no longer what was written', async () => {
    const { conversations, index, again } = await told(SAID, meaningEmbedder())
    const before = await conversations.search('hang')
    expect(before.results[0]?.exchange.id).toBe('c-1')
    const withDamage: SearchIndex = Object.assign(Object.create(index), {
      search: async (...asked: Parameters<SearchIndex['search']>) =>
        (await index.search(...asked)).map((found) => ({
          ...found,
          detail: Uint8Array.of(1, 2, 9, 9, 9, 9),
        })),
      close: async () => undefined,
    })
    const tellingTokens = { ...meaningEmbedder(), embedTokens: tokenEmbedder().embedTokens! }
    const damaged = await again({ index: withDamage, embedder: async () => tellingTokens })
    const { results } = await damaged.conversations.search('importer lock')
    expect(results[0]?.exchange.id).toBe('c-1')
  })

  it('embeds again what was embedded before tokens were told, by itself, and says so once', async () => {
    const first = await told(SAID, meaningEmbedder())
    expect(await sketched(first)).toBe(0)
    const embedder = tokenEmbedder()
    const { conversations, notices, index } = await first.again({ embedder: async () => embedder })
    await conversations.workers.runOnce(never)
    expect(await sketched({ index })).toBe(SAID.length)
    expect(embedder.embedded).toHaveLength(SAID.length)
    await conversations.workers.runOnce(never)
    expect(embedder.embedded).toHaveLength(SAID.length)
    const said = notices.filter(({ key }) => key === 'conversations.without_tokens')
    expect(said).toHaveLength(1)
  })

  it('puts first what the person says whom the question names, and keeps the others', async () => {
    const { conversations } = await told([
      { user: 'Ben: I went climbing in the hills', assistant: '' },
      { user: 'Nice weather for it', assistant: '' },
      { user: 'Ada: I went climbing in the hills', assistant: '' },
      { user: 'Did you see the goats?', assistant: '' },
    ])
    const found = async (question: string) => {
      const { results } = await conversations.search(question, { minSimilarity: 0 })
      return results.map(({ exchange }) => exchange.id)
    }
    const ofAda = await found('when did ada go climbing')
    expect(ofAda[0]).toBe('c-2')
    expect(ofAda).toContain('c-0')
    expect((await found('when did Ben go climbing'))[0]).toBe('c-0')
  })
})

describe('ranking', () => {
  const evidence = (exchange: string, more: Payload = {}) => ({
    id: exchange,
    payload: { exchange, conversation: exchange, position: 0, ...more },
    cosine: 0.5,
    bm25: 1,
    coverage: 0.5,
    wordShare: 0.5,
    commonShare: 0,
    among: 3,
  })
  const exchanges = [
    evidence('a'),
    evidence('b', { speakers: ['Ada'], day: 20_000 }),
    evidence('c', { speakers: ['Ben'], day: 20_001 }),
  ]
  const ranked = (asked: Partial<RankingInput>) =>
    rankExchanges({ exchanges, conversations: [], calibration: [], weight: () => 1, ...asked })

  it.each([
    { asked: {}, first: 'a' },
    { asked: { speaker: 'Ada' }, first: 'b' },
    { asked: { speaker: 'Ben' }, first: 'c' },
    { asked: { range: { from: 20_001, to: 20_005 } }, first: 'c' },
    { asked: { range: { from: 20_000, to: 20_001 }, speaker: 'Ada' }, first: 'b' },
  ])(
    'with $asked begins with $first, leaves nobody out, and shows the same similarity',
    ({ asked, first }) => {
      const found = ranked(asked)
      expect(found[0]?.exchange).toBe(first)
      expect(found).toHaveLength(3)
      expect(new Set(found.map(({ similarity }) => similarity)).size).toBe(1)
    },
  )

  it('goes by the tokens where there are some, and by the one vector where there are none', () => {
    const compared = [
      { ...evidence('a'), likeness: near(0.2) },
      { ...evidence('b'), likeness: near(0.6) },
      { ...evidence('c'), likeness: near(0.2) },
    ]
    expect(ranked({ exchanges: compared })[0]?.exchange).toBe('b')
    const byVector = [evidence('a'), { ...evidence('b'), cosine: 0.3 }, { ...evidence('c'), cosine: 0.7 }]
    expect(ranked({ exchanges: byVector })[0]?.exchange).toBe('c')
  })

  it('hears what is asked about in what stands around, up to three places away', () => {
    const turn = (position: number, first: number, second: number) => ({
      ...evidence(String(position), { conversation: 'c', position }),
      likeness: near(first, second),
    })
    const far = Array.from({ length: 9 }, (_, at) => turn(100 + 10 * at, 0.2, 0.2))
    const named = turn(10, 0.2, 0.6)
    // Both tell the first half of what was asked; only one of them near to where the other half is named.
    const order = (distance: number) =>
      ranked({ exchanges: [turn(50, 0.6, 0.2), named, turn(10 + distance, 0.6, 0.2), ...far] })
        .map(({ exchange }) => exchange)
        .filter((exchange) => exchange !== '10')
    for (const distance of [-3, -1, 1, 2, 3]) expect(order(distance)[0]).toBe(String(10 + distance))
    const scores = (distance: number) =>
      new Map(
        ranked({ exchanges: [turn(50, 0.6, 0.2), named, turn(10 + distance, 0.6, 0.2), ...far] }).map(
          ({ exchange, rank }) => [exchange, rank],
        ),
      )
    expect(scores(4).get('14')).toBe(scores(4).get('50'))
  })
})

/** How near to each token of a question, all of which count alike. */
function near(...nearest: number[]): TokenLikeness {
  const shares = Float32Array.from(nearest, () => 1 / nearest.length)
  return new TokenLikeness(Float32Array.from(nearest), shares)
}

async function told(
  said: { user: string; assistant: string }[],
  embedder = tokenEmbedder(),
): Promise<Opened> {
  const opened = await openTestConversations({ embedder: async () => embedder })
  await opened.conversations.workers.enable('conversation', false)
  await converse(opened.conversations, 'c', said)
  await opened.conversations.workers.runOnce(never)
  return opened
}

async function sketched({ index }: Pick<Opened, 'index'>): Promise<number> {
  const stored = await index.read(EXCHANGES, { limit: 100, vectors: true })
  return stored.filter(({ detail }) => sectionOf(detail, 'tokens')).length
}
