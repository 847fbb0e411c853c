import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ChatSession } from '../../../src/chat/session.ts'
import { runShared } from '../../../src/chat/slash.ts'
import type { Conversations } from '../../../src/conversation-memory/conversations.ts'
import { anthropicModel } from '../../../src/language-model/anthropic.ts'
import type { PaidCalls } from '../../../src/services/paid-calls.ts'
import { anthropicMessages } from '../../stand-ins/anthropic-messages.ts'
import { startModelService } from '../../stand-ins/model-service.ts'
import { never, type Opened, openTestConversations } from '../open.ts'
import { recordTalk, talks } from './history.ts'

let opened: Opened
let conversations: Conversations
beforeEach(async () => {
  opened = await openTestConversations()
  conversations = opened.conversations
})

const all = talks()
const record = async (some = all) => {
  for (const one of some) await recordTalk(conversations, one)
}
const names = async () => (await conversations.topics()).topics.map(({ name }) => name).sort()

describe('topics', () => {
  it('say how many conversations are about what, since when, and which tell most', async () => {
    await record()
    const { topics, other, conversations: count } = await conversations.topics()
    expect(topics.map(({ conversations: members }) => members)).toEqual([6, 6, 6, 6, 6])
    expect({ other, count }).toEqual({ other: 3, count: 33 })
    const conflicts = topics.find(({ name }) => name === 'merge conflicts')!
    expect(conflicts).toMatchObject({ namedBy: 'words', from: new Date('2026-03-02T00:00:00Z') })
    expect(conflicts.telling).toHaveLength(3)
    expect(conflicts.telling[0]!.title).toContain('merge conflicts')
  })

  it('stay the same from day to day: ids, names and who belongs where', async () => {
    await record(all.slice(0, 22))
    const before = new Map((await conversations.topics()).topics.map((topic) => [topic.id, topic]))
    expect(before.size).toBeGreaterThan(3)
    for (let day = 22; day < all.length; day += 4) {
      await record(all.slice(day, day + 4))
      const now = await conversations.topics({ telling: 100 })
      for (const [id, { name, telling }] of before) {
        const same = now.topics.find((topic) => topic.id === id)
        expect(same?.name).toBe(name)
        expect(same!.telling.map((one) => one.id)).toEqual(
          expect.arrayContaining(telling.map((one) => one.id)),
        )
      }
    }
    // Another process sees the same, and so does whoever finds them anew.
    const later = await opened.again()
    expect(await later.conversations.topics()).toEqual(await conversations.topics())
    const anew = await conversations.topics({ anew: true })
    expect(anew.topics.map(({ id }) => id)).toEqual(expect.arrayContaining([...before.keys()]))
  })

  it('leave out sub-agents, and forget what is forgotten', async () => {
    await record()
    for (let number = 0; number < 4; number++)
      await conversations.record(
        {
          conversationId: `sub-${number}`,
          userMessage: 'merge conflicts of a helper',
          assistantMessage: 'Done.',
        },
        { source: 'claude-code', parentId: 'conflicts-0', title: 'merge conflicts of a helper' },
      )
    const sizeOf = async (name: string) =>
      (await conversations.topics()).topics.find((topic) => topic.name === name)?.conversations
    expect(await sizeOf('merge conflicts')).toBe(6)
    for (const number of [0, 1, 2]) await conversations.forget(`conflicts-${number}`)
    expect(await sizeOf('merge conflicts')).toBe(3)
    await conversations.forget('conflicts-3')
    expect(await names()).not.toContain('merge conflicts')
  })

  it('are listed by a command, which also tells the conversations about one', async () => {
    const run = (...words: string[]) =>
      runShared(words, { conversations, onProgress: () => undefined, signal: never })
    const text = async (...words: string[]) => (await run(...words)).text((_, plain) => plain)
    expect((await run('clusters')).remark).toContain('No conversations yet')
    await record(all.slice(0, 2))
    expect((await run('clusters')).remark).toBe(
      'No topic yet: of 2 conversations no three are clearly about the same thing.',
    )
    await record()
    expect(await text('clusters')).toMatch(
      /merge conflicts {2}6 conversations · 2026-03-02 to .*3 conversations about other things$/s,
    )
    expect((await text('clusters', 'conflicts')).split('\n')).toHaveLength(7)
    await expect(run('clusters', 'quantum')).rejects.toMatchObject({
      message: 'there is no topic "quantum"',
      hint: expect.stringContaining('"merge conflicts"'),
    })
  })
})

describe('names from a model', () => {
  it('are asked for once, kept, counted, and never the same twice', async () => {
    await record()
    await expect(conversations.topics({ nameWithModel: true })).rejects.toThrow(
      'no language model is configured',
    )
    const service = await startModelService(anthropicMessages, {
      fallback: {
        say: 'Here you are:\n1: Payment timeouts\n2. **Payment timeouts**\n3: "Opt-in telemetry"\n9: Nobody',
      },
    })
    onTestFinished(() => service.close())
    const prices = { 'test-model': { input: 1, output: 5 } }
    const asked = { model: 'test-model', apiKey: 'k', baseUrl: service.url, maxRetries: 0, prices }
    const answeredBy = (calls: PaidCalls) => anthropicModel({ ...asked, calls })
    const paying = (await opened.again({ answeredBy })).conversations
    const { topics } = await paying.topics({ nameWithModel: true })
    expect(
      topics
        .filter(({ namedBy }) => namedBy === 'anthropic:test-model')
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...['Opt-in telemetry', 'Payment timeouts']])
    expect(new Set(topics.map(({ name }) => name)).size).toBe(5)
    await recordTalk(paying, { ...all[0]!, id: 'another' })
    expect((await paying.topics()).topics.map(({ name }) => name)).toContain('Payment timeouts')
    expect((await paying.spend()).workers.spentUsd).toBeGreaterThan(0)
    expect(service.requests).toHaveLength(1)
  })
})

describe('the count of conversations about something', () => {
  const ask = (query: string, current = 'now', more = {}) =>
    conversations.contextFor(query, { excluding: current, topicOf: current, ...more })

  beforeEach(async () => {
    await record(all.filter(({ id }) => !id.endsWith('-5')))
    await conversations.workers.runOnce(never)
  })

  it('is told with what became of others, each once', async () => {
    const context = (await ask('resolve the merge conflicts with upstream please'))!
    expect(context.topic).toMatchObject({ name: 'merge conflicts', number: 6 })
    expect(context.text).toMatch(
      /This is the user's 6th conversation about "merge conflicts"; the one before was on 2026-03-\d\d\./,
    )
    const told = context.retrieval.conversations.map(({ conversation }) => conversation.id)
    const others = context.topic!.others.map(({ conversation }) => conversation.id)
    expect(others.length).toBeGreaterThan(0)
    expect(others.filter((id) => told.includes(id))).toEqual([])
    expect(context.text).toMatch(
      /- Also about it: "[^"]+" \(ID: conflicts-\d, Date: 2026-03-\d\d, ended: "[^"]+"\)/,
    )
  })

  it('counts the conversation itself once, also when it is resumed', async () => {
    expect((await ask('more merge conflicts in the lockfile', 'conflicts-4'))?.topic?.number).toBe(5)
  })

  it('is silent where it would not be true', async () => {
    for (const query of ['continue', 'what is the capital of Mongolia', 'paint the office walls green'])
      expect((await ask(query))?.topic, query).toBeUndefined()
    // About one of them, but nobody asked for the count.
    expect((await conversations.contextFor('resolve the merge conflicts'))?.topic).toBeUndefined()
  })

  it('is said once in a chat', async () => {
    const service = await startModelService(anthropicMessages, {
      fallback: { say: 'Resolve them one by one.' },
    })
    onTestFinished(() => service.close())
    const languageModel = anthropicModel({
      model: 'test-model',
      apiKey: 'k',
      baseUrl: service.url,
      maxRetries: 0,
    })
    const session = new ChatSession({ conversations: (await opened.again({ languageModel })).conversations })
    const counts: (number | undefined)[] = []
    for (const text of ['merge conflicts in the lockfile again', 'and merge conflicts in the changelog'])
      await session.send(
        text,
        { onText: () => undefined, onContext: (_, topic) => counts.push(topic?.number) },
        never,
      )
    expect(counts).toEqual([6, undefined])
    expect(service.requests[0]!.body['system']).toContain('6th conversation about "merge conflicts"')
    await session.close()
  })
})

describe('automatic tags', () => {
  beforeEach(async () => {
    await record()
    await conversations.workers.runOnce(never)
  })

  it('come with the summary, from words that others say, too, and are marked', async () => {
    const given = await conversations.tags.given('conflicts-1')
    expect(given).toContainEqual({ tag: 'merge-conflicts', automatic: true })
    expect(given.length).toBeLessThanOrEqual(3)
    const { automatic, conversations: carriers } = (await conversations.tags.all()).find(
      ({ tag }) => tag === 'merge-conflicts',
    )!
    expect(automatic).toBe(carriers)
    expect(await conversations.tags.of('once-2')).toEqual([])
  })

  it('never come back when a person took them away, nor take what a person gave', async () => {
    await conversations.tags.remove('conflicts-1', 'merge-conflicts')
    await conversations.tags.add('conflicts-2', 'merge-conflicts', 'mine')
    const again = async (id: string) => {
      for (let number = 0; number < 8; number++)
        await conversations.record({
          conversationId: id,
          id: `${id}-more-${number}`,
          userMessage: `merge conflicts once more, ${number}`,
          assistantMessage: 'Resolved.',
        })
    }
    await again('conflicts-1')
    await again('conflicts-2')
    await conversations.workers.runOnce(never)
    expect(await conversations.tags.of('conflicts-1')).not.toContain('merge-conflicts')
    expect(await conversations.tags.given('conflicts-2')).toEqual(
      expect.arrayContaining([
        { tag: 'merge-conflicts', automatic: false },
        { tag: 'mine', automatic: false },
      ]),
    )
  })

  it('say which of retrieval is shown by itself, while a search finds all', async () => {
    const run = async (...words: string[]) =>
      (await runShared(words, { conversations, onProgress: () => undefined, signal: never })).text(
        (_, plain) => plain,
      )
    const shown = async () =>
      (await conversations.retrieve('merge conflicts in the lockfile again')).conversations.map(
        ({ conversation }) => conversation.id,
      )
    expect(await shown()).toContain('conflicts-0')
    await conversations.tags.add('conflicts-1', 'private')
    expect(await run('rag', 'tags', 'never', 'merge-conflicts', 'private')).toContain(
      'never those tagged merge-conflicts or private',
    )
    expect(await shown()).toEqual([])
    expect(await run('rag', 'tags', 'any')).toContain('any tag or none')
    await run('rag', 'set', 'rag_only_tags', '#Private, other')
    expect(await shown()).toEqual(['conflicts-1'])
    expect(await run('rag')).toContain('Only with a tag of: private, other')
    expect(
      (await conversations.search('merge conflicts', { minSimilarity: 0 })).results.length,
    ).toBeGreaterThan(3)
    await expect(run('rag', 'tags', 'only')).rejects.toThrow('which tags?')
    expect(await run('rag', 'set', 'rag_only_tags', 'none')).toBe('rag_only_tags is now none')
  })
})
