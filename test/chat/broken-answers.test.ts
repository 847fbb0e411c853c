import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ChatSession } from '../../src/chat/session.ts'
import { runChat } from '../../src/chat/terminal.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { never, openTestConversations } from '../conversation-memory/open.ts'
import { type ModelService, startModelService } from '../stand-ins/model-service.ts'
import { ollamaChat } from '../stand-ins/ollama-chat.ts'

let service: ModelService
beforeAll(async () => {
  service = await startModelService(ollamaChat)
})
afterAll(() => service.close())

const SAYING = 'The okapi lives in the Ituri forest of Congo and hides very well there.'
const quiet = { onText: () => undefined }

async function chatting() {
  const languageModel = ollamaModel({ model: 'test-model', baseUrl: service.url, limits: {} })
  const opened = await openTestConversations({ languageModel })
  return { ...opened, session: new ChatSession({ conversations: opened.conversations }) }
}

describe('an answer that breaks', () => {
  it('is kept as far as it came when the connection ends, and the model is told that it broke off', async () => {
    const { conversations, session } = await chatting()
    service.next({ say: SAYING, live: { lostAfter: 6 } }, { say: 'As I said.' })
    await expect(session.send('Where does the okapi live?', quiet, never)).rejects.toThrow('went away')
    expect(await conversations.history.exchangesOf(session.conversationId)).toMatchObject([
      { assistantMessage: expect.stringMatching(/^The okapi lives in the/), status: 'interrupted' },
    ])
    await session.send('And then?', quiet, never)
    const sent = JSON.stringify(service.requests.at(-1)!.body['messages'])
    expect(sent).toContain('(broken off here)')
    const { results } = await conversations.search('okapi Ituri')
    expect(results[0]?.exchange).toMatchObject({ status: 'interrupted' })
  })

  it('is kept when a tool fails in a way nobody foresaw, and the conversation goes on', async () => {
    const { conversations, session } = await chatting()
    const details = conversations.details.bind(conversations)
    conversations.details = () => Promise.reject(new Error('the disk is on fire'))
    const call = { name: 'fetch_conversation_details', input: { conversation_id: 'x' } }
    service.next({ say: 'Let me look.', call }, { say: 'Hello again.' })
    await expect(session.send('What was it?', quiet, never)).rejects.toThrow('on fire')
    conversations.details = details
    const [kept] = await conversations.history.exchangesOf(session.conversationId)
    expect(kept).toMatchObject({ userMessage: 'What was it?', status: 'interrupted' })
    expect(await conversations.history.transcript(kept!)).toContainEqual({
      role: 'assistant',
      content: 'Let me look.',
    })
    expect((await session.send('Are you there?', quiet, never)).text).toBe('Hello again.')
  })

  it('is kept when it is stopped before the model was asked', async () => {
    const { conversations, session } = await chatting()
    const stop = new AbortController()
    stop.abort()
    expect(await session.send('never mind', quiet, stop.signal)).toMatchObject({ stop: 'cancelled' })
    expect(await conversations.history.exchangesOf(session.conversationId)).toMatchObject([
      { userMessage: 'never mind', status: 'interrupted' },
    ])
  })

  it('is stored later when the storage would not take its end', async () => {
    const { conversations, session } = await chatting()
    const record = conversations.record.bind(conversations)
    conversations.record = (exchange, facts) =>
      exchange.status === 'open' ? record(exchange, facts) : Promise.reject(new Error('the storage is down'))
    service.next({ say: SAYING }, { say: 'Yes.' })
    await expect(session.send('Where does the okapi live?', quiet, never)).rejects.toThrow('storage is down')
    conversations.record = record
    await session.send('Is it stored now?', quiet, never)
    expect(await conversations.history.exchangesOf(session.conversationId)).toMatchObject([
      { assistantMessage: SAYING, status: 'completed' },
      { assistantMessage: 'Yes.', status: 'completed' },
    ])
  })
})

describe('a chat that is killed in the middle of an answer', () => {
  it('leaves what had come, which the next one ends, and which then is summarised and embedded', async () => {
    const { conversations, folder } = await chatting()
    service.next({ say: `${SAYING} `.repeat(50), live: { everyMs: 20 } })
    const script = fileURLToPath(new URL('./chat-process.ts', import.meta.url))
    const child = spawn(process.execPath, [script, folder, service.url, 'okapis'], { stdio: 'inherit' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const stored = async () => (await conversations.history.exchangesOf('okapis'))[0]
    while (!(await stored())?.assistantMessage.includes('Ituri')) await sleep(50)
    expect(await conversations.closeAbandoned()).toBe(0)
    await conversations.letGo('okapis')
    await conversations.workers.runOnce(never)
    expect(await stored()).toMatchObject({ status: 'open' })
    expect(await stored()).not.toHaveProperty('summary')
    expect((await conversations.workers.embeddings()).exchange).toEqual({ embedded: 0, waiting: 0 })

    child.kill('SIGKILL')
    await once(child, 'exit')
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
    let shown = ''
    output.on('data', (chunk) => {
      shown += String(chunk)
      if (shown.includes('broken off')) input.end()
    })
    await runChat({ conversations, input, output, resume: 'okap' })
    expect(shown).toMatch(/Going on with "Where does the okapi live\?" \(1 exchange\)/)
    expect(await stored()).toMatchObject({ status: 'interrupted', userMessage: 'Where does the okapi live?' })
    await conversations.workers.runOnce(never)
    expect(await stored()).toHaveProperty('summary')
    expect((await conversations.workers.embeddings()).exchange).toEqual({ embedded: 1, waiting: 0 })
  })
})

describe('a conversation that does not exist', () => {
  it('is not gone on with: the error names those that may be meant', async () => {
    const { conversations } = await chatting()
    const tell = { userMessage: 'How do I prune roses?', assistantMessage: 'In spring.' }
    for (const conversationId of ['abcd1234', 'abcd9999'])
      await conversations.record({ ...tell, conversationId })
    const resume = (typed: string) =>
      runChat({ conversations, input: new PassThrough(), output: new PassThrough(), resume: typed })
    await expect(resume('c-abdc1234')).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringMatching(/^Did you mean c-abcd1234 "How do I prune roses\?"\? See the ids with/),
    })
    await expect(resume('prune roses')).rejects.toMatchObject({ hint: expect.stringContaining('c-abcd') })
    await expect(resume('zzzzzz')).rejects.toMatchObject({ hint: expect.stringMatching(/^See the ids/) })
    await expect(resume('abcd')).rejects.toThrow(/may be any of these/)
  })
})
