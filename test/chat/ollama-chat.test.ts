import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { ChatSession } from '../../src/chat/session.ts'
import { runChat } from '../../src/chat/terminal.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { failureOf } from '../contracts/language-model.ts'
import { never, openTestConversations } from '../conversation-memory/open.ts'
import { type Behaviour, type ModelService, startModelService } from '../stand-ins/model-service.ts'
import { ollamaChatWith } from '../stand-ins/ollama-chat.ts'
import type { OllamaModel } from '../stand-ins/ollama-models.ts'

let service: ModelService
afterEach(() => service.close())

async function chatting(model: OllamaModel, limits = {}) {
  service = await startModelService(ollamaChatWith([model]))
  const languageModel = ollamaModel({ model: model.name, baseUrl: service.url, limits })
  const { conversations } = await openTestConversations({ languageModel })
  return { conversations, session: new ChatSession({ conversations }) }
}

/** What a session says while it answers. */
function listener() {
  const heard = { text: '', remarks: [] as string[], thoughts: 0 }
  return {
    heard,
    onText: (piece: string) => {
      heard.text += piece
    },
    onRemark: (remark: string) => void heard.remarks.push(remark),
    onThinking: () => void heard.thoughts++,
  }
}

/** The chat on a terminal with one question, left once something has been shown. */
async function onTerminal(
  model: OllamaModel,
  question: string,
  behaviour: Behaviour,
  { until = 'error:', pauseMs = 100 } = {},
) {
  const { conversations } = await chatting(model, { pauseMs })
  service.next(behaviour)
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
  let shown = ''
  output.on('data', (chunk) => {
    shown += String(chunk)
    if (shown.includes(until)) input.end()
  })
  input.write(`${question}\r`)
  await runChat({ conversations, input, output })
  return shown
}

describe('a chat with a model of Ollama', () => {
  it('goes on without tools where the model knows none, and says so once', async () => {
    const { session } = await chatting({ name: 'smollm2:135m' })
    const ears = listener()
    await session.send('hello', ears, never)
    await session.send('and again', ears, never)
    expect(ears.heard.remarks).toEqual([
      'the model cannot call tools, so it cannot look into past conversations by itself',
    ])
    for (const { body } of service.requests) expect(body).not.toHaveProperty('tools')
  })

  it('tells that a model thinks, and lets it', async () => {
    const { session } = await chatting({ name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] })
    const ears = listener()
    service.next({ think: 'Let me think.', say: 'Yes.' })
    expect((await session.send('sure?', ears, never)).text).toBe('Yes.')
    expect(ears.heard).toMatchObject({ text: 'Yes.', thoughts: 3, remarks: [] })
    expect(service.requests[0]!.body).not.toHaveProperty('think')
  })

  it.each([
    ['falls silent', { silentAfter: 3 }, 'timeout'],
    ['dies', { error: 'error reading llama-server response: unexpected EOF' }, 'unavailable'],
  ])('keeps the part that was there when the model %s', async (_, live, code) => {
    const model: OllamaModel = { name: 'llama3.2', capabilities: ['completion', 'tools'] }
    const { conversations, session } = await chatting(model, { pauseMs: 1_000 })
    service.next({ say: 'It is set in net.ts', live })
    await expect(session.send('where?', listener(), never)).rejects.toMatchObject({ code })
    const [exchange] = await conversations.history.exchangesOf(session.conversationId)
    expect(exchange).toMatchObject({ userMessage: 'where?', status: 'interrupted' })
    expect(exchange!.assistantMessage).toMatch(/^It is set/)
  })

  it('sends as much of the conversation as the model takes, and says that there was more', async () => {
    const { session } = await chatting({
      name: 'small',
      capabilities: ['completion', 'tools'],
      context: 2_048,
    })
    const ears = listener()
    for (let at = 0; at < 6; at++) await session.send(`${at}: ${'word '.repeat(250)}`, ears, never)
    expect(ears.heard.remarks).toEqual([
      'the model has room for the latest exchanges only; earlier ones are found by what they say',
    ])
    const sent = service.requests.at(-1)!.body
    const messages = sent['messages'] as { role: string; content: string }[]
    const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content.split(':')[0])
    expect(asked.at(-1)).toBe('5')
    expect(asked.length).toBeLessThan(6)
    expect(asked.length).toBeGreaterThan(1)
    expect(sent['options']).toEqual({ num_ctx: 2_048, num_predict: 512 })
  })

  it('refuses a message that the model cannot take, and forgets nothing silently', async () => {
    const { session } = await chatting({
      name: 'small',
      capabilities: ['completion', 'tools'],
      context: 2_048,
    })
    const ears = listener()
    await expect(session.send('word '.repeat(12_000), ears, never)).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('larger context'),
    })
    expect(ears.heard.remarks).toEqual(['the model has no room for tools beside this'])
    expect(service.requests).toEqual([])
  })

  it('shows on the terminal that it thinks, what it lacks and what broke off', async () => {
    const model: OllamaModel = { name: 'thinker', capabilities: ['completion', 'thinking'] }
    const shown = await onTerminal(model, 'where is it?', {
      think: 'Let me think.',
      say: 'It is set in net.ts',
      live: { silentAfter: 6 },
    })
    expect(shown).toContain('(the model cannot call tools')
    expect(shown).toContain('thinking…')
    expect(shown).toMatch(
      /It is set[\s\S]*\n[\s\S]*\(broken off; what is above is kept\)[\s\S]*error:[\s\S]*said nothing for 0\.1 s/,
    )
    expect(shown).toContain('silence_limit_seconds')
  })

  it.each<[string, Behaviour, string]>([
    ['went round in circles', { say: 'so '.repeat(40) }, '(cut: the model only repeated itself)'],
    ['was too long', { say: 'It is', stop: 'length' }, '(cut: the answer was too long)'],
    [
      'was never begun for thinking',
      { think: 'Well, let me see.', say: '', stop: 'length' },
      '(cut: the model thought',
    ],
  ])('says why an answer ends that %s', async (_, behaviour, end) => {
    const model: OllamaModel = { name: 'thinker', capabilities: ['completion', 'tools', 'thinking'] }
    expect(await onTerminal(model, 'where?', behaviour, { until: end, pauseMs: 30_000 })).toContain(end)
    // Room for thoughts beside the answer.
    expect(service.requests[0]!.body['options']).toMatchObject({ num_predict: 4_096, num_ctx: 8_192 })
  })

  it('says that it waits for another answer', async () => {
    const { conversations, session } = await chatting({
      name: 'llama3.2',
      capabilities: ['completion', 'tools'],
    })
    service.next({ slow: 60_000 })
    const enough = new AbortController()
    const asked = { messages: [{ role: 'user' as const, content: 'sum up' }], maxTokens: 50 }
    const summary = failureOf(conversations.languageModel!.complete(asked, enough.signal))
    const onWaiting = () => enough.abort()
    const { text } = await session.send('where?', { ...listener(), onWaiting }, never)
    expect((await summary).code).toBe('cancelled')
    expect(text).toBe('Understood.')
  })
})
