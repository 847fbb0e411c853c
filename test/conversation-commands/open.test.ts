import { describe, expect, it } from 'vitest'
import { runShared } from '../../src/chat/slash.ts'
import { never, openTestConversations } from '../conversation-memory/open.ts'

async function chat() {
  const { conversations } = await openTestConversations()
  const record = (conversationId: string, id: string, userMessage: string, assistantMessage: string) =>
    conversations.record(
      {
        ...{ conversationId, id, userMessage, assistantMessage },
        messages: [{ role: 'tool_call', toolName: 'Bash', content: 'lsof -i :8080' }],
      },
      { source: 'chat', title: `About ${conversationId}` },
    )
  await record('api', 'api-0', 'Deploy the API', 'Done.')
  await record('api', 'api-1', 'The socket timeout is too short', 'Raised the timeout to 120 seconds.')
  await record('api', 'api-2', 'Now the docs', 'Written.')
  await record(
    'long',
    'long-0',
    'Print the timeout table',
    Array.from({ length: 150 }, (_, n) => `row ${n}`).join('\n'),
  )
  const numbered = {}
  const run = async (...words: string[]) => {
    const result = await runShared(words, {
      conversations,
      numbered,
      onProgress: () => undefined,
      signal: never,
    })
    return { ...result, text: result.text((_, text) => text) }
  }
  return { run, numberOf: async (id: string) => 1 + (await found(run)).indexOf(id) }
}

async function found(run: (...words: string[]) => Promise<{ data: object }>): Promise<string[]> {
  const { results } = (await run('search', 'timeout', '--min-similarity', '0')).data as {
    results: { exchange: { id: string } }[]
  }
  return results.map(({ exchange }) => exchange.id)
}

describe('/open', () => {
  it('shows a numbered result where it was said', async () => {
    const { run, numberOf } = await chat()
    const number = await numberOf('api-1')
    expect((await run('search', 'timeout', '--min-similarity', '0')).text).toContain(`${number}. About api`)
    const { text, remark } = await run('open', String(number))
    expect(text).toContain('About api  exchange 2 of 3')
    expect(text).toMatch(
      /↑ x-api-0 {2}Deploy the API\n\nuser {7}The socket timeout is too short\n.*--full[^\n]*\nassistant {2}Raised/s,
    )
    expect(text).toMatch(/↓ x-api-2 {2}Now the docs$/)
    expect(remark).toBe('All of it: /show c-api')
    expect((await run('open', String(number), '--full')).text).toContain('tool_call Bash: lsof -i :8080')
  })

  it('turns the pages of a long one', async () => {
    const { run, numberOf } = await chat()
    const number = String(await numberOf('long-0'))
    expect((await run('open', number)).remark).toContain(`Page 1 of 3: /open ${number} --page 2`)
    const last = await run('open', number, '--page', '3')
    expect(last.text).toContain('row 149')
    expect(last.text).not.toContain('row 100')
    await expect(run('open', number, '--page', '4')).rejects.toThrow('there is no page 4: it has 3')
  })

  it('takes the id of an exchange or a conversation, also without a search', async () => {
    const { run } = await chat()
    expect((await run('open', 'x-api-2')).text).toContain('exchange 3 of 3')
    expect((await run('open', 'c-api')).text).toContain('exchange 1 of 3')
  })

  it('says what is wrong with a number', async () => {
    const { run } = await chat()
    await expect(run('open', '1')).rejects.toMatchObject({
      message: '1 of what? Nothing was searched for yet',
      hint: 'Search first: /search timeout',
    })
    const results = (await found(run)).length
    await expect(run('open', '99')).rejects.toThrow(
      `there is no result 99: the last search found 1 to ${results}`,
    )
    await expect(run('open', '0')).rejects.toThrow('there is no result 0')
    await run('search', 'quetzalcoatl', '--min-similarity', '0.9')
    await expect(run('open', '1')).rejects.toThrow('the last search found nothing')
    await expect(run('open', 'x-nothing')).rejects.toThrow('there is no exchange nothing')
  })
})
