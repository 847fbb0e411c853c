import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { promptedSummariser } from '../../src/language-model/prompted.ts'
import { SilentServices } from '../../src/services/silent-services.ts'
import { failureOf, question } from '../contracts/language-model.ts'
import { ask, NOBODY, start } from './ollama-service.ts'

/** Shorter than the whole answer, far longer than a pause in it, on a busy machine too. */
const SHORT = { startMs: 1_000, pauseMs: 1_000 }

describe('an answer of Ollama', () => {
  it('may take as long as it likes, as long as it goes on', async () => {
    const { service, at } = await start()
    service.next({ say: 'a b c d e f g h', live: { everyMs: 150 } })
    expect((await at('smollm2:135m', { limits: SHORT }).complete(ask())).text).toBe('a b c d e f g h')
  })

  it('lives while it thinks', async () => {
    const { service, at } = await start()
    let thoughts = 0
    service.next({ think: 'Well, let me see now.', say: 'Done.', live: { everyMs: 200 } })
    const { text } = await at('qwen3', { limits: SHORT }).stream(ask(), {
      onText: () => undefined,
      onThinking: () => void thoughts++,
    })
    expect(text).toBe('Done.')
    expect(thoughts).toBe(5)
  })

  it('ends when it pauses for too long, with what to raise', async () => {
    const { service, at } = await start()
    const heard: string[] = []
    service.next({ say: 'It is set in net.ts.', live: { silentAfter: 3 } })
    const error = await failureOf(
      at('smollm2:135m', { limits: { pauseMs: 1_000 } }).stream(ask(), {
        onText: (piece) => void heard.push(piece),
      }),
    )
    expect(heard.join('')).toBe('It is set ')
    expect(error).toMatchObject({ code: 'timeout', retryable: true })
    expect(error.message).toMatch(/has said nothing for 1 s in the middle of its answer$/)
    expect(error.hint).toContain('language_model.silence_limit_seconds')
  })

  it('is not waited for in vain twice', async () => {
    const { service, at } = await start()
    const silent = new SilentServices()
    service.next({ slow: 10_000 })
    const error = await failureOf(at('smollm2:135m', { limits: { startMs: 100 }, silent }).complete(ask()))
    expect(error.message).toContain('did not begin to answer within 0.1 s')
    expect(error.hint).toContain('language_model.start_limit_seconds')
    expect((await failureOf(at('smollm2:135m', { silent }).complete(ask()))).message).toContain('left alone')
    expect(service.requests).toHaveLength(1)
  })

  it('does not depend on the fetch of Node, which gives up after five minutes whatever we set', async () => {
    const { at } = await start()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect((await at('smollm2:135m').complete(ask())).text).toBe('Understood.')
  })

  it('may begin later the longer the prompt is', async () => {
    const { service, at } = await start({ name: 'long', context: 40_000 })
    service.fallback = { slow: 400, afterwards: { say: 'Read.' } }
    const model = at('long', { limits: { startMs: 100 } })
    const long = [{ role: 'user' as const, content: 'word '.repeat(20_000) }]
    expect((await model.complete(ask({ messages: long }))).text).toBe('Read.')
    expect((await failureOf(model.complete(ask()))).message).toContain('within 0.1 s')
  })

  it('that goes round in circles is cut by Ollama without a last part, and is no crash', async () => {
    const { service, at } = await start()
    service.fallback = { say: `It says: ${'so '.repeat(60)}` }
    const { text, stop } = await at('smollm2:135m').stream(ask(), NOBODY)
    expect(stop).toBe('repetition')
    expect(text).toBe(`It says: ${'so '.repeat(31)}`)
    const account = { asked: 'Where is it?', actions: [], answered: 'In net.ts.', finished: true }
    expect(await promptedSummariser(at('smollm2:135m')).exchange(account)).toMatchObject({
      by: 'extractive, for ollama:smollm2:135m',
      insteadOf: 'it only repeated itself',
    })
  })

  it('that is lost with the server is told from one that was never begun', async () => {
    const { service, at } = await start()
    service.next({ say: 'It is set in net.ts.', live: { lostAfter: 3 } })
    const heard: string[] = []
    const lost = await failureOf(
      at('smollm2:135m').stream(ask(), { onText: (piece) => void heard.push(piece) }),
    )
    expect(heard.join('')).toBe('It is set ')
    expect(lost).toMatchObject({ code: 'unavailable', retryable: true })
    expect(lost.message).toBe(`Ollama at ${service.url} went away in the middle of its answer`)
  })

  it('that ends in half a line is neither taken for whole nor written to the terminal', async () => {
    const { service, at } = await start()
    const warned = vi.spyOn(console, 'warn')
    onTestFinished(() => warned.mockRestore())
    service.next({ broken: 'json' })
    const error = await failureOf(at('smollm2:135m').stream(ask(), NOBODY))
    expect(error).toMatchObject({ retryable: true, message: expect.stringContaining('half an answer') })
    expect(warned).not.toHaveBeenCalled()
  })

  it('tells of a runner that dies before it', async () => {
    const { service, at } = await start()
    const early = 'model runner has unexpectedly stopped, this may be due to resource limitations'
    service.next({ say: '', live: { error: early } })
    expect(await failureOf(at('smollm2:135m').stream(ask(), NOBODY))).toMatchObject({
      message: `Ollama's runner of smollm2:135m stopped: ${early}`,
      retryable: true,
    })
  })

  it('tells of a runner that dies in the middle of it', async () => {
    const { service, at } = await start()
    const error = 'an error was encountered while running the model: unexpected EOF'
    service.next({ say: 'It is', live: { error } })
    expect(await failureOf(at('smollm2:135m').stream(ask(), NOBODY))).toMatchObject({
      code: 'unavailable',
      retryable: true,
      message: `Ollama's runner of smollm2:135m stopped in the middle of its answer: ${error}`,
      hint: expect.stringContaining('Ask again'),
    })
  })

  it('tells of an answer that ends before it is done', async () => {
    const { service, at } = await start()
    service.next({ say: 'It is', broken: 'half' } as never)
    const error = await failureOf(at('smollm2:135m').stream(ask(), NOBODY))
    expect(error).toMatchObject({ retryable: true, hint: expect.stringContaining('Ask again') })
    expect(error.message).toMatch(/stopped in the middle of its answer: unexpected EOF$/)
  })

  it('comes without thinking where a summary is wanted', async () => {
    const { service, at } = await start()
    const summariser = promptedSummariser(at('qwen3'))
    const account = { asked: 'Where is it?', actions: [], answered: 'In net.ts.', finished: true }
    service.fallback = { think: 'Hmm. '.repeat(50), say: 'It is in net.ts.' }
    expect((await summariser.exchange(account)).text).toBe('It is in net.ts.')
    expect(service.requests[0]!.body['think']).toBe(false)
    // Some write down what they think, whatever they are told.
    for (const say of ['<think>Let me see.</think>\nIt is there.', 'Let me see.</think>It is there.']) {
      service.next({ say })
      expect((await summariser.exchange(account)).text).toBe('It is there.')
    }
    service.next({ say: '<think>Let me see what', stop: 'length' })
    expect((await summariser.exchange(account)).insteadOf).toMatch(/went into thinking/)
    // What it thinks in spite of all that has room beside the summary.
    expect(service.requests[0]!.body['options']).toMatchObject({ num_predict: 2_048 })
  })

  it('comes with as little thinking as a model can be told to', async () => {
    const { service, at } = await start({
      name: 'gpt-oss',
      family: 'gptoss',
      capabilities: ['completion', 'tools', 'thinking'],
    })
    await at('gpt-oss').complete(ask({ think: false }))
    await at('gpt-oss').complete(ask())
    expect(service.requests.map(({ body }) => body['think'])).toEqual(['low', undefined])
  })

  it('remembers what it thought when it calls a tool', async () => {
    const { service, at } = await start()
    service.next({ think: 'I should look.', say: '', call: { name: 'look_up', input: {} } } as never)
    const tools = [{ name: 'look_up', description: 'Looks.', parameters: { type: 'object' } }]
    const { toolCalls, opaque, text } = await at('qwen3').complete(ask({ tools }))
    const results = [{ callId: toolCalls[0]!.id, name: 'look_up', content: 'x', isError: false }]
    const assistant = { role: 'assistant' as const, content: text, toolCalls, opaque }
    await at('qwen3').complete(ask({ tools, messages: [...question, assistant, { role: 'tool', results }] }))
    expect(JSON.stringify(service.requests[1]!.body)).toContain('"thinking":"I should look."')
    expect(service.requests[1]!.body['messages']).toMatchObject([
      {},
      { tool_calls: [{ id: 'call_a1b2c3d4' }] },
      { role: 'tool', tool_name: 'look_up', tool_call_id: 'call_a1b2c3d4' },
    ])
  })
})
