import { describe, expect, it } from 'vitest'
import { openTestConversations } from './open.ts'
import { talk } from './working.ts'

describe('reading conversations', () => {
  it('lists them page by page with their tags, also when the last of a page is forgotten meanwhile', async () => {
    const { conversations } = await openTestConversations()
    for (const id of ['a/1', 'a/2', 'b', 'c', 'd']) await talk(conversations, 1, id)
    await conversations.tags.add('a/2', 'deploy', 'api')
    const first = await conversations.list({ limit: 2 })
    expect(first.conversations.map(({ id, tags }) => [id, tags])).toEqual([
      ['a/1', []],
      ['a/2', ['api', 'deploy']],
    ])
    await conversations.forget('a/2')
    const second = await conversations.list({ limit: 2, after: first.next })
    expect(second.conversations.map(({ id }) => id)).toEqual(['b', 'c'])
    const third = await conversations.list({ limit: 2, after: second.next })
    expect(third.conversations.map(({ id }) => id)).toEqual(['d'])
    expect(third).not.toHaveProperty('next')
    await expect(conversations.list({ after: 'nowhere' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('reads one with a page of its exchanges; a long text is cut there and whole in its exchange', async () => {
    const { conversations } = await openTestConversations()
    await talk(conversations, 3)
    const long = 'so long '.repeat(2_000)
    await conversations.record({
      conversationId: 'c',
      id: 'long',
      userMessage: long,
      assistantMessage: 'read it',
      messages: Array.from({ length: 5 }, (_, at) => ({
        role: 'tool_call',
        content: `step ${at}`,
        toolName: 'Bash',
      })),
    })
    const page = await conversations.read('c', { from: 1, limit: 2 })
    expect(page.exchanges.map(({ id, isCut, steps }) => [id, isCut, steps])).toEqual([
      ['c-1', false, 0],
      ['c-2', false, 0],
    ])
    const last = await conversations.read('c', { from: page.nextFrom! })
    expect(last).not.toHaveProperty('nextFrom')
    expect(last.exchanges).toMatchObject([{ id: 'long', isCut: true, steps: 5 }])
    expect(last.exchanges[0]!.userMessage.length).toBeLessThan(long.length)

    const exchange = await conversations.readExchange('long', { limit: 3 })
    expect(exchange.exchange.userMessage).toBe(long)
    expect(exchange).toMatchObject({ stepCount: 5, nextFrom: 3, conversation: { id: 'c' } })
    const rest = await conversations.readExchange('long', { from: 3, limit: 3 })
    expect(rest.steps.map(({ content }) => content)).toEqual(['step 3', 'step 4'])
    expect(rest).not.toHaveProperty('nextFrom')
    for (const read of [conversations.read('nobody'), conversations.readExchange('nobody')]) {
      await expect(read).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})
