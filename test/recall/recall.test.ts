import { describe, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { type RecallOptions, recallEverything } from '../../src/recall/recall.ts'
import { threeMemories } from './three-memories.ts'

const QUERY = 'session cookie timeout'

async function filled() {
  const world = await threeMemories()
  await world.iteration('The session cookie ran into a timeout', {
    outcome: 'failure',
    timestamp: '2026-02-07T14:30:00Z',
  })
  await world.iteration('Session cookie timeout solved by a longer wait', {
    outcome: 'success',
    feature: 'payments',
    timestamp: '2026-03-07T14:30:00Z',
  })
  world.learning('authentication', 'l1', 'A session cookie needs a timeout of its own')
  await world.pattern('session cookie timeout in tests', 'await the redirect')
  await world.exchange(
    'e1',
    'Why does the session cookie timeout happen?',
    'Because nobody waits.',
    new Date('2026-02-20T10:00:00Z'),
  )
  const ask = (options: RecallOptions = {}) =>
    recallEverything(world.memories, QUERY, { minScore: 0.05, ...options })
  const kinds = async (options: RecallOptions) =>
    (await ask(options)).results.map(({ address }) => address.kind).sort()
  return { ...world, ask, kinds }
}

describe('a search over everything', () => {
  it('finds what each memory holds, the best first, each with where it leads and why it was found', async () => {
    const { ask } = await filled()
    const { results, degraded } = await ask()
    expect(results.map(({ address }) => address)).toEqual(
      expect.arrayContaining([
        { kind: 'iteration', feature: 'authentication', iterationNumber: 1 },
        { kind: 'iteration', feature: 'payments', iterationNumber: 1 },
        { kind: 'learning', feature: 'authentication', learningId: 'l1' },
        { kind: 'pattern', entryId: expect.any(String) },
        { kind: 'exchange', conversationId: 'about e1', exchangeId: 'e1' },
      ]),
    )
    expect(results.map(({ score }) => score)).toEqual(
      results.map(({ score }) => score).toSorted((a, b) => b - a),
    )
    const failed = results.find(({ address }) => address.kind === 'iteration')!
    expect(failed.matched).toContain('words')
    expect(failed.passage.words.map((word) => word.toLowerCase())).toEqual(
      expect.arrayContaining(['session', 'cookie', 'timeout']),
    )
    expect(degraded).toEqual([])
  })

  it('embeds a question once, however many features and memories it is put to', async () => {
    const { memories, embedder } = await filled()
    await recallEverything(memories, QUERY) // brings the indexes level
    const { texts } = embedder.usage
    const { results } = await recallEverything(memories, 'a cookie that times out', { minScore: 0.05 })
    expect(results.length).toBeGreaterThan(2)
    expect(embedder.usage.texts).toBe(texts + 1)
  })

  it('keeps to the kinds, the feature, the outcome and the time that are asked for', async () => {
    const { kinds, ask } = await filled()
    expect(await kinds({ kinds: ['learning', 'pattern'] })).toEqual(['learning', 'pattern'])
    expect(await kinds({ feature: 'payments' })).toEqual(['iteration'])
    expect(await kinds({ outcome: ['failure'] })).toEqual(['iteration'])
    expect((await ask({ outcome: ['failure'] })).results[0]).toMatchObject({ outcome: 'failure' })
    expect(await kinds({ since: '2026-02-10', until: '2026-02-28' })).toEqual(['exchange'])
    expect(await kinds({ until: '2026-02-20T09:00:00Z' })).toEqual(['iteration'])
    expect(await kinds({ since: '2026-03-01', kinds: ['iteration', 'exchange'] })).toEqual(['iteration'])
    expect((await ask({ limit: 2 })).results).toHaveLength(2)
    expect(await kinds({ inRun: true })).not.toContain('pattern')
    expect(await kinds({ inRun: true, kinds: ['pattern'] })).toEqual([])
  })

  it('finds the errors that were met by their words, with what became of them', async () => {
    const { memories, iteration } = await threeMemories()
    const error = {
      message: 'TS2345: Argument of type User is not assignable',
      filePath: 'src/login.ts',
      line: 3,
    }
    await iteration('The types do not fit', { errors: [error, { message: 'lint: unused variable' }] })
    const { results } = await recallEverything(memories, 'argument not assignable TS2345', {
      kinds: ['error'],
    })
    expect(results).toMatchObject([
      {
        address: { kind: 'error', feature: 'authentication', errorId: expect.any(String) },
        ...{ life: 'open', matched: ['words'], text: `${error.message} (src/login.ts:3)` },
      },
    ])
    const later = { kinds: ['error'], since: '2026-02-08' } as const
    expect((await recallEverything(memories, 'assignable', later)).results).toEqual([])
  })

  it('puts what is worked on first among those that answer about equally well', async () => {
    const { memories, iteration } = await threeMemories()
    for (const feature of ['authentication', 'payments']) await iteration('The cookie was lost', { feature })
    const first = async (prefer: string) =>
      (await recallEverything(memories, 'cookie lost', { prefer, kinds: ['iteration'] })).results[0]!.address
    expect(await first('payments')).toMatchObject({ feature: 'payments' })
    expect(await first('authentication')).toMatchObject({ feature: 'authentication' })
  })

  it('answers from the other memories when one is down, and says so until it is back', async () => {
    const { memories, ask } = await filled()
    const down = async () => {
      throw new RalphError('unavailable', 'PostgreSQL does not answer', { hint: 'start it' })
    }
    const broken = { ...memories, conversations: { ...memories.conversations, search: down } }
    const without = await recallEverything(broken as typeof memories, QUERY, { minScore: 0.05 })
    expect(new Set(without.results.map(({ address }) => address.kind))).toEqual(
      new Set(['iteration', 'learning', 'pattern']),
    )
    expect(without.degraded).toEqual([
      {
        key: 'recall without conversation memory',
        message: 'conversation memory could not be asked: PostgreSQL does not answer',
        hint: 'start it',
      },
    ])
    expect((await ask()).degraded).toEqual([])
    const only = recallEverything(broken as typeof memories, QUERY, { kinds: ['exchange'] })
    await expect(only).rejects.toThrow('PostgreSQL does not answer')
  })

  it('names in one sentence what is down for one reason, and takes back what no longer is', async () => {
    const { memories } = await filled()
    const down = async () => {
      throw new RalphError('damaged', 'the database is damaged', { hint: 'ralph doctor' })
    }
    const noConversations = { ...memories, conversations: { ...memories.conversations, search: down } }
    const neither = { ...noConversations, knowledge: { ...memories.knowledge, queryForTask: down } }
    const degradedOf = async (asked: unknown) =>
      (await recallEverything(asked as typeof memories, QUERY)).degraded.map(({ message }) => message)
    expect(await degradedOf(neither)).toEqual([
      'project knowledge and conversation memory could not be asked: the database is damaged',
    ])
    expect(await degradedOf(noConversations)).toEqual([
      'conversation memory could not be asked: the database is damaged',
    ])
    expect(await degradedOf(memories)).toEqual([])
  })

  it('opens nothing where nothing was ever stored', async () => {
    const { memories } = await filled()
    const neverAsked = async () => expect.unreachable()
    const unmade = {
      ...memories,
      conversations: { ...memories.conversations, search: neverAsked },
      knowledge: { ...memories.knowledge, queryForTask: neverAsked },
      hasStored: () => false,
    }
    const { results, degraded } = await recallEverything(unmade as typeof memories, QUERY, { minScore: 0.05 })
    expect(new Set(results.map(({ address }) => address.kind))).toEqual(new Set(['iteration', 'learning']))
    expect(degraded).toEqual([])
  })

  it('says when meaning is off', async () => {
    const { ask, embedder } = await filled()
    Object.assign(embedder, { down: true })
    const { results, degraded } = await ask()
    expect(results.every(({ matched }) => matched.length === 1 && matched[0] === 'words')).toBe(true)
    expect(degraded.map(({ key }) => key)).toContain('embedder')
  })

  it('refuses what is no question and no time', async () => {
    const { memories, ask } = await filled()
    await expect(recallEverything(memories, '  ')).rejects.toThrow('the search text is empty')
    await expect(ask({ since: 'soon' })).rejects.toThrow('since is no time')
    await expect(ask({ limit: 0 })).rejects.toThrow('limit')
    await expect(ask({ feature: 'payment' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
