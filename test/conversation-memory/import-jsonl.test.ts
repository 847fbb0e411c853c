import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestConversations } from './open.ts'

const line = (fields: object) =>
  JSON.stringify({ conversation_id: 'c1', user_message: 'How?', assistant_message: 'So.', ...fields })

async function imported(lines: readonly string[]) {
  const opened = await openTestConversations()
  const path = join(opened.folder, 'history.jsonl')
  await writeFile(path, lines.join('\n'))
  return { ...opened, path, report: await opened.conversations.importJsonl(path) }
}

describe('importing the neutral form', () => {
  it('stores exchanges in order, with titles, times and steps', async () => {
    const { conversations, report } = await imported([
      line({ exchange_id: 'e1', title: 'Timeouts', started_at: '2026-03-01T10:00:00Z' }),
      line({
        exchange_id: 'e2',
        user_message: 'And now?',
        assistant_message: 'Raised to 120 s.',
        completed_at: '2026-03-01T10:05:00Z',
        messages: [
          { role: 'user', content: 'And now?' },
          { role: 'tool_call', content: 'npm test', tool_name: 'Bash' },
          { role: 'tool', content: '41 passed' },
          { role: 'assistant', content: 'Raised to 120 s.' },
        ],
      }),
    ])
    expect(report.exchanges).toMatchObject({ found: 2, added: 2, skipped: 0 })
    const conversation = (await conversations.history.conversation('c1'))!
    expect(conversation).toMatchObject({ title: 'Timeouts', exchangeCount: 2, source: 'jsonl' })
    expect(conversation.startedAt?.toISOString()).toBe('2026-03-01T10:00:00.000Z')
    const exchanges = await conversations.history.exchangesOf('c1')
    expect(exchanges.map(({ id, position }) => [id, position])).toEqual([
      ['e1', 0],
      ['e2', 1],
    ])
    const transcript = await conversations.history.transcript(exchanges[1]!)
    expect(transcript.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: And now?',
      'tool_call: npm test',
      'tool_result: 41 passed',
      'assistant: Raised to 120 s.',
    ])
  })

  it('changes nothing when run twice, with and without ids', async () => {
    const { conversations, path } = await imported([
      line({ exchange_id: 'e1' }),
      line({ user_message: 'continue', assistant_message: 'ok' }),
      line({ user_message: 'continue', assistant_message: 'ok' }),
    ])
    expect(await conversations.history.counts()).toEqual({ conversations: 1, exchanges: 3 })
    const again = await conversations.importJsonl(path)
    expect(again.exchanges).toMatchObject({ found: 3, added: 0, updated: 0, unchanged: 3 })
    expect(await conversations.history.counts()).toEqual({ conversations: 1, exchanges: 3 })
  })

  it('updates an exchange that has grown', async () => {
    const { conversations, folder } = await imported([line({ exchange_id: 'e1' })])
    const path = join(folder, 'later.jsonl')
    await writeFile(path, line({ exchange_id: 'e1', assistant_message: 'So, and then zebra.' }))
    expect((await conversations.importJsonl(path)).exchanges).toMatchObject({ updated: 1, added: 0 })
    const { results } = await conversations.search('zebra')
    expect(results[0]?.exchange.assistantMessage).toBe('So, and then zebra.')
  })

  it('keeps exchanges apart whose ids are the same in two conversations', async () => {
    const { conversations, path } = await imported([
      line({ conversation_id: 'a', exchange_id: 'D1:1', user_message: 'about apples' }),
      line({ conversation_id: 'b', exchange_id: 'D1:1', user_message: 'about bears' }),
    ])
    expect(await conversations.history.counts()).toEqual({ conversations: 2, exchanges: 2 })
    const [bears] = await conversations.history.exchangesOf('b')
    expect(bears?.userMessage).toBe('about bears')
    expect((await conversations.importJsonl(path)).exchanges).toMatchObject({ unchanged: 2 })
  })

  it('leaves out damaged lines, says which and why, and goes on', async () => {
    const { report } = await imported([
      line({ exchange_id: 'e1' }),
      '{"conversation_id": "c1", "user_mess',
      '{"conversation_id":"c1","assistant_message":"x"}',
      line({ started_at: 'the day before' }),
      '',
      line({ user_message: ' ', assistant_message: '' }),
      line({ exchange_id: 'e2', user_message: 'last' }),
    ])
    expect(report.exchanges).toMatchObject({ found: 6, added: 2, skipped: 4 })
    expect(report.skipped.map(({ why }) => why).join('; ')).toMatch(
      /not JSON.*user_message.*started_at.*needs/s,
    )
    expect(report.skipped.find(({ why }) => why === 'not JSON')?.example).toBe('line 2')
  })

  it('refuses a file in which nothing is an exchange, naming the other format', async () => {
    await expect(imported(['{"type":"user","sessionId":"s"}'])).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('claude-code'),
    })
  })

  it('masks secrets before anything is stored', async () => {
    const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const { conversations, report } = await imported([
      line({
        user_message: `use ${key} please`,
        messages: [
          { role: 'tool_call', content: `curl -H "Authorization: token ${key}"`, tool_name: 'Bash' },
        ],
      }),
    ])
    expect(report.secretsMasked).toBeGreaterThan(0)
    const exported: string[] = []
    for await (const text of conversations.exportLines()) exported.push(text)
    expect(exported.join()).not.toContain(key)
    expect(exported.join()).toContain('[redacted')
  })

  it('takes very long messages, null characters and half characters', async () => {
    const { conversations, report } = await imported([
      line({ exchange_id: 'long', user_message: `needle ${'word '.repeat(400_000)}` }),
      line({ exchange_id: 'odd', user_message: 'a\u0000b \ud800 c' }),
    ])
    expect(report.exchanges.added).toBe(2)
    const long = (await conversations.history.exchange('long'))!
    expect(long.userMessage.length).toBeLessThanOrEqual(1_000_000)
    expect(long.userMessage).toContain('[truncated]')
    expect((await conversations.search('needle')).results[0]?.exchange.id).toBe('long')
    expect((await conversations.history.exchange('odd'))!.userMessage).toMatch(/^ab . c$/)
  })

  it('gives back by export what it took in, ready for another machine', async () => {
    const { conversations, folder } = await imported([
      line({ exchange_id: 'e1', title: 'One', tags: ['debugging'], started_at: '2026-03-01T10:00:00Z' }),
      line({ exchange_id: 'e2', user_message: 'x', assistant_message: '', status: 'interrupted' }),
      line({ conversation_id: 'c2', exchange_id: 'e3', messages: [{ role: 'tool_call', content: 'ls' }] }),
    ])
    const lines: string[] = []
    for await (const text of conversations.exportLines()) lines.push(text)
    const other = await openTestConversations()
    const path = join(folder, 'moved.jsonl')
    await writeFile(path, lines.join('\n'))
    await other.conversations.importJsonl(path)
    const again: string[] = []
    for await (const text of other.conversations.exportLines()) again.push(text)
    expect(again).toEqual(lines)
    expect(await other.conversations.tags.all()).toEqual([
      { tag: 'debugging', conversations: 1, automatic: 0 },
    ])
  })

  it('says what is wrong with a file that is not there', async () => {
    const { conversations, folder } = await openTestConversations()
    await expect(conversations.importJsonl(join(folder, 'none.jsonl'))).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
