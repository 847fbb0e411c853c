import { describe, expect, it } from 'vitest'
import type { Conversations } from '../../src/conversation-memory/conversations.ts'
import type { WorkerName } from '../../src/conversation-memory/workers/workers.ts'
import { never, openTestConversations } from './open.ts'
import { standingClock, talk, until } from './working.ts'

describe('summarising without a model', () => {
  it('summarises exchanges and conversations and embeds the summaries', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 3)
    expect(await conversations.workers.runOnce(never)).toEqual({ exchange: 3, conversation: 1, embedding: 4 })
    const exchanges = await conversations.history.exchangesOf('c')
    expect(exchanges.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('fixed problem 0'),
      expect.stringContaining('fixed problem 1'),
      expect.stringContaining('fixed problem 2'),
    ])
    expect((await conversations.history.conversation('c'))?.summary).toContain('problem')
    expect(await conversations.workers.embeddings()).toEqual({
      conversation: { embedded: 1, waiting: 0 },
      exchange: { embedded: 3, waiting: 0 },
    })
    expect(await conversations.workers.runOnce(never)).toEqual({ exchange: 0, conversation: 0, embedding: 0 })
  })

  it('leaves the conversation alone in which somebody is talking', async () => {
    const { clock, forward } = standingClock()
    const { conversations } = await openTestConversations({ clock })
    await talk(conversations, 2, 'current')
    await talk(conversations, 1, 'past')
    await conversations.holdOpen('current')
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 1 })
    // A chat that has crashed does not let go; after a while it is taken for closed.
    forward(121)
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 2, conversation: 1 })
  })

  it('does not wait for a chat whose clock ran an hour ahead', async () => {
    const { clock, forward } = standingClock()
    const { conversations } = await openTestConversations({ clock })
    await talk(conversations, 1, 'current')
    forward(3_600)
    await conversations.holdOpen('current')
    forward(-3_600)
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 1 })
  })

  it('summarises again what has grown', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 1)
    await conversations.workers.runOnce(never)
    await conversations.record({
      conversationId: 'c',
      id: 'c-0',
      userMessage: 'Please fix problem 0 in the parser.',
      assistantMessage: 'I replaced the lexer. Everything works now.',
    })
    await conversations.workers.runOnce(never)
    const exchange = (await conversations.history.exchange('c-0'))!
    expect(exchange.summary).toContain('replaced the lexer')
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 1, waiting: 0 } })
  })

  it('keeps to the least number of messages and exchanges', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 1)
    await conversations.record({
      conversationId: 'long',
      userMessage: 'Do it',
      assistantMessage: 'Done.',
      messages: [
        { role: 'tool_call', content: 'ls', toolName: 'Bash' },
        { role: 'tool_result', content: 'a b', toolName: 'Bash' },
      ],
    })
    await conversations.settings.writeText('min_messages_for_exchange_summary', '4')
    await conversations.settings.writeText('min_exchanges_for_conversation_summary', '2')
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 0 })
    await conversations.settings.writeText('min_messages_for_exchange_summary', '1')
    await conversations.settings.writeText('min_exchanges_for_conversation_summary', '1')
    expect(await conversations.workers.runOnce(never)).toMatchObject({ exchange: 1, conversation: 2 })
  })
})

describe('running in the background', () => {
  const stateOf = async (conversations: Conversations, worker: WorkerName) =>
    (await conversations.workers.status(worker)).state

  it('works when signalled, rests when there is nothing, and stops', async () => {
    const { conversations, again } = await openTestConversations()
    expect(await stateOf(conversations, 'exchange')).toBe('stopped')
    conversations.workers.start()
    await until(async () => (await stateOf(conversations, 'exchange')) === 'idle', 'idle')
    // Long before its 30 seconds are over.
    await talk(conversations, 2)
    await until(async () => (await conversations.workers.embeddings()).exchange.embedded === 2, 'embedded')
    // Another process sees what is going on.
    const other = await again()
    expect((await other.conversations.workers.status('exchange')).state).not.toBe('stopped')
    expect((await other.conversations.workers.status('exchange')).totals.completed).toBe(2)
    await conversations.workers.stop()
    expect(await stateOf(other.conversations, 'exchange')).toBe('stopped')
  })

  it('does nothing while switched off, remembers that, and catches up when switched on', async () => {
    const { conversations, again } = await openTestConversations()
    await conversations.workers.enable('exchange', false)
    await conversations.workers.enable('conversation', false)
    await conversations.workers.enable('embedding', false)
    conversations.workers.start()
    await talk(conversations, 2)
    expect(await conversations.workers.runOnce(never)).toEqual({ conversation: 0, exchange: 0, embedding: 0 })
    expect((await conversations.history.exchange('c-0'))?.summary).toBeUndefined()
    await conversations.workers.stop()

    const later = await again()
    expect((await later.conversations.workers.status('exchange')).enabled).toBe(false)
    later.conversations.workers.start()
    await later.conversations.workers.enable('exchange', true)
    await until(
      async () => (await later.conversations.history.exchange('c-0'))?.summary !== undefined,
      'summary',
    )
    expect((await later.conversations.workers.status('embedding')).waiting).toBe(2)
  })

  it('embeds exchanges as they are when nobody summarises them', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 2)
    await conversations.workers.enable('exchange', false)
    await conversations.workers.runOnce(never)
    expect(await conversations.workers.embeddings()).toMatchObject({ exchange: { embedded: 2, waiting: 0 } })
  })

  it('counts the vectors that there are, however a summariser is switched', async () => {
    const { conversations, notices } = await openTestConversations()
    const counts = async () => (await conversations.workers.embeddings()).exchange
    await talk(conversations, 2)
    await conversations.workers.runOnce(never)
    await conversations.workers.enable('exchange', false)
    expect(await counts()).toEqual({ embedded: 2, waiting: 0 })
    await talk(conversations, 3)
    expect(await counts()).toEqual({ embedded: 2, waiting: 1 })
    await conversations.workers.runOnce(never)
    expect(await counts()).toEqual({ embedded: 3, waiting: 0 })
    await conversations.workers.enable('exchange', true)
    expect(await counts()).toEqual({ embedded: 3, waiting: 0 })
    await conversations.search('step')
    expect(notices).toEqual([])
  })
})
