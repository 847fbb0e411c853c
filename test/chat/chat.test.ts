import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MessageInput, words } from '../../src/chat/input.ts'
import { MarkdownStream } from '../../src/chat/markdown.ts'
import { ChatSession } from '../../src/chat/session.ts'
import { runChat } from '../../src/chat/terminal.ts'
import { anthropicModel } from '../../src/language-model/anthropic.ts'
import type { PaidCalls } from '../../src/services/paid-calls.ts'
import { never, openTestConversations } from '../conversation-memory/open.ts'
import { anthropicMessages } from '../stand-ins/anthropic-messages.ts'
import { type ModelService, startModelService } from '../stand-ins/model-service.ts'

let service: ModelService
beforeEach(async () => {
  service = await startModelService(anthropicMessages)
})
afterEach(() => service.close())

const model = (more = {}) =>
  anthropicModel({
    model: 'test-model',
    apiKey: 'k',
    baseUrl: service.url,
    maxRetries: 0,
    prices: { 'test-model': { input: 1, output: 5 } },
    ...more,
  })

async function remembering(more = {}) {
  const opened = await openTestConversations({ languageModel: model(), ...more })
  await opened.conversations.record(
    {
      conversationId: 'past',
      id: 'past-1',
      userMessage: 'The API client stalls: socket timeout after thirty seconds',
      assistantMessage: 'Set SO_RCVTIMEO to 120 seconds in net.ts.',
      startedAt: new Date('2026-03-10T09:00:00Z'),
    },
    { source: 'chat', title: 'Debugging the API client' },
  )
  await opened.conversations.workers.runOnce(never)
  return opened
}

/** What a session says while it answers. */
function listener() {
  const heard: string[] = []
  return { heard, onText: (piece: string) => void heard.push(piece) }
}

describe('a chat session', () => {
  it('puts what is remembered before the question, streams the answer and stores the exchange', async () => {
    const { conversations } = await remembering()
    const session = new ChatSession({ conversations, project: '/home/dev/shop' })
    service.next({ say: 'Raise SO_RCVTIMEO, as in conversation past.' })
    const { heard, onText } = listener()
    const remembered: string[] = []
    const answer = await session.send(
      'how did we fix the socket timeout of the API client?',
      {
        onText,
        onContext: (found) =>
          remembered.push(...found.conversations.map(({ conversation }) => conversation.id)),
      },
      never,
    )
    expect(heard.length).toBeGreaterThan(2)
    expect(heard.join('')).toBe('Raise SO_RCVTIMEO, as in conversation past.')
    expect(remembered).toEqual(['past'])
    const [request] = service.requests
    expect(request!.body['system']).toContain('Related Past Conversations')
    expect(request!.body['system']).toContain('ID: past')
    expect((request!.body['tools'] as { name: string }[]).map(({ name }) => name)).toContain(
      'fetch_conversation_details',
    )
    const stored = (await conversations.history.exchange(answer.exchangeId!))!
    expect(stored).toMatchObject({ conversationId: session.conversationId, status: 'completed' })
    expect(await conversations.history.conversation(session.conversationId)).toMatchObject({
      source: 'chat',
      project: '/home/dev/shop',
    })
  })

  it('remembers what was said in it, and never finds itself', async () => {
    const { conversations } = await remembering()
    const session = new ChatSession({ conversations })
    service.next({ say: 'Hello Ann.' }, { say: 'Your name is Ann.' })
    await session.send('My name is Ann and my zebra is called Bob', listener(), never)
    await session.send('What is my name, and the zebra?', listener(), never)
    const { messages, system } = service.requests[1]!.body as { messages: unknown[]; system: string }
    expect(JSON.stringify(messages)).toContain('My name is Ann')
    expect(JSON.stringify(messages)).toContain('Hello Ann.')
    expect(system).not.toContain('zebra')
  })

  it('lets the model look things up', async () => {
    const { conversations } = await remembering()
    const session = new ChatSession({ conversations })
    service.next(
      {
        say: 'Let me look.',
        call: { name: 'fetch_conversation_details', input: { conversation_id: 'past' } },
      },
      { call: { name: 'search_conversations', input: { query: 'socket' } } },
      { call: { name: 'fetch_conversation_details', input: {} } },
      { say: 'It was SO_RCVTIMEO.' },
    )
    const used: string[] = []
    const answer = await session.send(
      'what was it?',
      { ...listener(), onTool: (name) => used.push(name) },
      never,
    )
    expect(answer).toMatchObject({ text: 'It was SO_RCVTIMEO.', stop: 'end' })
    expect(used).toEqual(['fetch_conversation_details', 'search_conversations', 'fetch_conversation_details'])
    const last = JSON.stringify(service.requests.at(-1)!.body)
    expect(last).toContain('Debugging the API client')
    expect(last).toContain('give a conversation_id or an exchange_id')
    const exchange = (await conversations.history.exchange(answer.exchangeId!))!
    const transcript = await conversations.history.transcript(exchange)
    expect(transcript.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool_call',
      'tool_call',
      'tool_call',
      'assistant',
    ])
  })

  it('does not call tools for ever', async () => {
    const { conversations } = await remembering()
    service.fallback = { call: { name: 'search_conversations', input: { query: 'x' } } }
    const answer = await new ChatSession({ conversations }).send('loop', listener(), never)
    expect(answer.stop).toBe('tool_limit')
    expect(service.requests).toHaveLength(8)
  })

  it('stores what was asked before a model is called, whatever becomes of it', async () => {
    const { conversations } = await remembering()
    const session = new ChatSession({ conversations })
    service.next({ status: 500 })
    await expect(session.send('The okapi port is 5433', listener(), never)).rejects.toThrow('500')
    expect(await conversations.history.exchangesOf(session.conversationId)).toMatchObject([
      { userMessage: 'The okapi port is 5433', assistantMessage: '', status: 'interrupted' },
    ])
  })

  it('keeps what was said until it was cancelled', async () => {
    const { conversations } = await remembering()
    const stop = new AbortController()
    service.next({ say: 'one two three four five' })
    const answer = await new ChatSession({ conversations }).send(
      'count',
      { onText: () => stop.abort() },
      stop.signal,
    )
    if (answer.stop === 'cancelled') {
      const stored = (await conversations.history.exchange(answer.exchangeId!))!
      expect(stored.status).toBe('interrupted')
      expect('one two three four five').toContain(stored.assistantMessage.trim())
    } else expect(answer.text).toBe('one two three four five')
  })

  it('counts what it costs apart from the workers, and stops at a limit of its own', async () => {
    const { conversations } = await remembering({
      limits: { workersUsd: 0, chatUsd: 0.05 },
      answeredBy: (calls: PaidCalls) => model({ calls }),
    })
    const session = new ChatSession({ conversations })
    service.fallback = { say: 'Yes.', tokens: { input: 2_000, output: 1_000 } }
    await session.send('first', listener(), never)
    expect((await conversations.spend()).chat.spentUsd).toBeCloseTo(0.007, 6)
    await expect(
      (async () => {
        for (let round = 0; round < 10; round++) await session.send('again', listener(), never)
      })(),
    ).rejects.toMatchObject({ code: 'limit_reached' })
    const { chat, workers } = await conversations.spend()
    expect(chat.spentUsd).toBeLessThanOrEqual(0.05)
    expect(workers.spentUsd).toBe(0)
  })

  it('goes on with an earlier conversation', async () => {
    const { conversations } = await remembering()
    const session = new ChatSession({ conversations, conversationId: 'past' })
    expect(await session.resume()).toMatchObject({ id: 'past-1' })
    await session.send('and then?', listener(), never)
    expect(JSON.stringify(service.requests[0]!.body['messages'])).toContain('SO_RCVTIMEO')
    expect(await conversations.history.exchangesOf('past')).toHaveLength(2)
  })
})

describe('the chat, line by line', () => {
  async function chat(lines: readonly string[], more = {}) {
    const { conversations } = await remembering(more)
    const input = new PassThrough()
    const output = new PassThrough()
    let text = ''
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    input.end(`${lines.join('\n')}\n`)
    const { failures } = await runChat({ conversations, input, output })
    return { text, failures, conversations }
  }

  it('answers, and carries out commands', async () => {
    service.next({ say: 'Hello **you**.' })
    const { text, failures } = await chat([
      'hi',
      '/search SO_RCVTIMEO',
      '/rag set rag_conversation_limit 5',
      '/rag config',
      '/rag upvote past-1',
      '/embeddings',
      '/summarizer exchange off',
      '/tag add debugging past',
      '/tag list',
      '/model',
      '/list',
      '/quit',
      'never seen',
    ])
    expect(text).toContain('Hello **you**.')
    expect(text).toContain('x-past-1 of c-past')
    expect(text).toContain('rag_conversation_limit is now 5')
    expect(text).toContain('rag_conversation_limit: 5')
    expect(text).toContain('exchange past-1: +1')
    expect(text).toContain('Exchange summarizer: OFF')
    expect(text).toMatch(/- exchanges: \d/)
    expect(text).toContain('debugging (1 conversation)')
    expect(text).toContain('anthropic:test-model answers.')
    expect(text).toMatch(/past +2026-03-10 +1 +Debugging the API client/)
    expect(failures).toBe(0)
    expect(service.requests).toHaveLength(1)
  })

  it('wants "yes" before it deletes vectors', async () => {
    const kept = await chat(['/embeddings off', '/embeddings rebuild', 'no thanks'])
    expect(kept.text).toContain('This deletes 2 vectors')
    expect(kept.text).toContain('Not done.')
    const gone = await chat(['/embeddings off', '/embeddings rebuild exchanges', 'yes', '/embeddings'])
    expect(gone.text).toContain('1 vector deleted')
    expect(gone.text).toContain('1 item waits for embedding, and the pipeline is off')
  })

  it('asks for the "yes" where a terminal shows it: in the prompt, which wipes the line that it stands in', async () => {
    const { conversations } = await remembering()
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
    let shown = ''
    output.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      if (/\x1b\[0JType "yes" to go on: $|Type "yes" to go on: \x1b\[\d+G$/.test(shown)) input.end('no\r')
    })
    input.write('/forget past\r')
    await runChat({ conversations, input, output })
    expect(shown).toContain('This removes "Debugging the API client" with 1 exchange for good.')
    expect(shown).toContain('Not done.')
    expect(await conversations.history.counts()).toMatchObject({ conversations: 1 })
  })

  it('says how to get a model, and offers the rest without one', async () => {
    const { text, failures } = await chat(['hello?', '/search socket', '/rag'], { languageModel: undefined })
    expect(text).toContain('no language model is configured')
    expect(text).toContain('RALPH_MODEL_PROVIDER=ollama')
    expect(text).toContain('past-1')
    expect(text).toContain('Retrieval: ON')
    expect(failures).toBe(1)
  })

  it('survives a service in trouble and commands that do not exist', async () => {
    service.next({ status: 500 }, { say: 'Back again.' })
    const { text, failures } = await chat([
      'one',
      'two',
      '/nonsense',
      '/sumarizer',
      '/rag set rag_min_similarity 7',
      '/rag upvote nobody',
    ])
    expect(text).toMatch(/error: Anthropic.* failed \(500\)/)
    expect(text).toContain('Back again.')
    expect(text).toContain('there is no command /nonsense\nSee all of them')
    expect(text).toContain('there is no command /sumarizer\nDid you mean /summarizer?')
    expect(text).toContain('rag_min_similarity must be from 0 to 1')
    expect(text).toContain('no conversation and no exchange has the id nobody')
    expect(failures).toBe(5)
  })

  it('takes messages of several lines', async () => {
    service.fallback = { say: 'Read.' }
    await chat(['first \\', 'second', '"""', '/not a command', 'but text', '"""'])
    const sent = service.requests.map(
      ({ body }) => (body['messages'] as { content: string }[]).at(-1)!.content,
    )
    expect(sent).toEqual(['first \nsecond', '/not a command\nbut text'])
  })

  it('sends what was pasted when the person says so, in one message, also where it ends within a line', async () => {
    const { conversations } = await remembering()
    service.fallback = { say: 'Read.' }
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
    let shown = ''
    output.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      if (/two$/.test(shown)) setImmediate(() => input.write(' and more\r'))
      if (shown.includes('Read.')) input.end()
    })
    input.write('\x1b[200~one\rtwo\x1b[201~')
    await runChat({ conversations, input, output })
    const sent = service.requests.map(
      ({ body }) => (body['messages'] as { content: string }[]).at(-1)!.content,
    )
    expect(sent).toEqual(['one\ntwo and more'])
  })

  it('exports and imports', async () => {
    const { folder } = await openTestConversations()
    const path = `${folder}/out file.jsonl`
    const { text } = await chat([`/export "${path}"`, `/import --format jsonl "${path}"`])
    expect(text).toContain('1 exchange written')
    expect(text).toContain('0 new exchanges, 0 updated, 1 known')
  })
})

describe('markdown while it arrives', () => {
  const marked = new MarkdownStream((style, text) => `<${style}>${text}</${style}>`)
  const render = (text: string, size: number) => {
    let shown = ''
    for (let at = 0; at < text.length; at += size) shown += marked.push(text.slice(at, at + size))
    return (shown + marked.end()).replace(/<\/(\w+)><\1>/g, '')
  }
  const text = '# Title\nsome **bold** and `code*s` * not a list\n```ts\nconst a = `**x**`\n```\nend'
  const expected =
    '<bold>Title</bold>\nsome <bold>bold</bold> and <cyan>code*s</cyan> * not a list\n<dim>```ts</dim>\n<cyan>const a = `**x**`</cyan>\n<dim>```</dim>\nend'

  it.each([1, 2, 3, 7, 1_000])('looks the same in pieces of %i', (size) => {
    expect(render(text, size)).toBe(expected)
  })

  it('loses nothing of text that only looks like markdown', () => {
    for (const odd of ['a * b', '2 ** 3 ** 4', 'a ` b', '#hash', '#', '``', '*', ' `', 'x\n   '])
      expect(render(odd, 1).replace(/<\/?\w+>/g, '')).toBe(
        odd.replaceAll('**', '').replaceAll('`', odd.includes('``') || odd.length < 3 ? '`' : ''),
      )
  })
})

describe('input', () => {
  it('takes words apart, quotes kept together', () => {
    expect(words('set key "two words" \'and these\' plain')).toEqual([
      'set',
      'key',
      'two words',
      'and these',
      'plain',
    ])
    expect(words('')).toEqual([])
  })

  it('knows when a message is complete', () => {
    const input = new MessageInput()
    expect(input.push('one')).toEqual({ text: 'one', quoted: false })
    expect(input.push('one\\')).toBeUndefined()
    expect(input.open).toBe(true)
    expect(input.push('two')).toEqual({ text: 'one\ntwo', quoted: false })
    input.push('"""')
    input.push('a')
    expect(input.rest()).toEqual({ text: 'a', quoted: true })
    expect(input.open).toBe(false)
  })
})
