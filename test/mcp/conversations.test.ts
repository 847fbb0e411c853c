import { describe, expect, it } from 'vitest'
import { readReceipts } from '../../src/receipts/read.ts'
import { loadTokenizer } from '../../src/text/tokens.ts'
import { connect, project } from './support.ts'

async function talkative() {
  const ralph = await project([{ feature: 'auth' }])
  const say = (conversationId: string, userMessage: string, assistantMessage: string) =>
    ralph.conversations.record({
      conversationId,
      userMessage,
      assistantMessage,
      completedAt: new Date('2026-02-07T10:00:00Z'),
    })
  await say(
    'c-redis',
    'How did we fix the zebra timeout in Redis?',
    'We raised the zebra timeout to five seconds.',
  )
  await say('c-other', 'What is for lunch?', 'Soup.')
  await say('c-now', 'The zebra timeout is back', 'Looking.')
  return ralph
}

describe('conversations over MCP', () => {
  it('are found, without the one that is going on', async () => {
    const ralph = await talkative()
    const { call } = await connect(ralph, { run: 'c-now' })
    const { structured, text } = await call('search_conversations', { query: 'zebra timeout' })
    expect(structured['results']).toMatchObject([
      {
        conversation_id: 'c-redis',
        asked: 'How did we fix the zebra timeout in Redis?',
        answered: 'We raised the zebra timeout to five seconds.',
        date: '2026-02-07',
      },
    ])
    expect(structured['note']).toContain('may be outdated')
    expect(text).toContain('c-redis')
    const { receipts } = await readReceipts(ralph.config.paths.receipts)
    expect(receipts).toMatchObject([
      { event: 'search_conversations', run: 'c-now', items: [{ kind: 'exchange' }] },
    ])
    expect(receipts[0]).not.toHaveProperty('feature')
  })

  it('are read by id', async () => {
    const { call } = await connect(await talkative())
    const { structured } = await call('search_conversations', { query: 'zebra timeout Redis' })
    const [found] = structured['results'] as { exchange_id: string }[]
    expect(
      (await call('fetch_conversation_details', { exchange_id: found!.exchange_id })).structured,
    ).toMatchObject({
      details: { user_message: 'How did we fix the zebra timeout in Redis?' },
    })
    expect(
      (await call('fetch_conversation_details', { conversation_id: 'c-redis' })).structured,
    ).toMatchObject({
      details: {
        conversation_id: 'c-redis',
        exchanges: [{ assistant_message: expect.stringContaining('five seconds') }],
      },
    })
  })

  it('say what is wrong with a question', async () => {
    const { call } = await connect(await talkative())
    expect(await call('fetch_conversation_details')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/conversation_id|exchange_id/),
    })
    expect(await call('fetch_conversation_details', { conversation_id: 'nope' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('nope'),
    })
    expect(await call('search_conversations', { query: 'ab' })).toMatchObject({ isError: true })
  })

  it('stay short when they were long', async () => {
    const ralph = await project()
    for (let i = 0; i < 5; i++) {
      await ralph.conversations.record({
        conversationId: `long-${i}`,
        userMessage: `zebra ${'Why does the connection pool run dry under load? '.repeat(200)}`,
        assistantMessage:
          'Because `pool.release()` is never called when the handler throws (src/db/pool.ts:42). '.repeat(
            400,
          ),
      })
    }
    const { count } = await loadTokenizer()
    const { call } = await connect(ralph)
    const found = await call('search_conversations', { query: 'zebra connection pool' })
    expect((found.structured['results'] as unknown[]).length).toBeGreaterThan(0)
    expect(count(JSON.stringify(found.structured))).toBeLessThanOrEqual(600)
    const details = await call('fetch_conversation_details', {
      conversation_id: 'long-1',
      include_full_transcript: true,
    })
    expect(details.text.length).toBeLessThan(50_000)
  })

  it('are not for an agent that is locked to a feature', async () => {
    const { client } = await connect(await talkative(), { feature: 'auth' })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('search_conversations')
    expect(tools.map(({ name }) => name)).not.toContain('fetch_conversation_details')
  })
})
