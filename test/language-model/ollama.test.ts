import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { CompletionRequest } from '../../src/language-model/language-model.ts'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { promptedSummariser } from '../../src/language-model/prompted.ts'
import { SharedTurns } from '../../src/services/shared-turns.ts'
import { SilentServices } from '../../src/services/silent-services.ts'
import { failureOf, question } from '../contracts/language-model.ts'
import { describeOllamaModel } from '../contracts/ollama-model.ts'
import { type ModelService, startModelService } from '../stand-ins/model-service.ts'
import { ollamaChatWith } from '../stand-ins/ollama-chat.ts'
import type { OllamaModel } from '../stand-ins/ollama-models.ts'
import { temporaryFolder } from '../support/temporary.ts'

const SMALL: OllamaModel = { name: 'smollm2:135m' }
const THINKER: OllamaModel = { name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] }
const EMBEDDER: OllamaModel = { name: 'all-minilm', capabilities: ['embedding'] }

let service: ModelService
const opened: ModelService[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function start(...models: OllamaModel[]) {
  service = await startModelService(ollamaChatWith(models.length > 0 ? models : [SMALL, THINKER, EMBEDDER]))
  opened.push(service)
  return service
}

const at = (model: string, more = {}) => ollamaModel({ model, baseUrl: service.url, ...more })
const ask = (more: Partial<CompletionRequest> = {}): CompletionRequest => ({
  messages: question,
  maxTokens: 50,
  ...more,
})
const NOBODY = { onText: () => undefined }

describeOllamaModel('the stand-in', {
  open: async (model) => {
    await start()
    return at(model)
  },
  model: SMALL.name,
  embeddingModel: EMBEDDER.name,
})

/** A model each: one that chats, one that embeds. */
const realUrl = process.env['RALPH_TEST_OLLAMA_URL']
const realModel = process.env['RALPH_TEST_OLLAMA_CHAT_MODEL']
if (realUrl && realModel)
  describeOllamaModel(`${realUrl}, ${realModel}`, {
    open: (model) => ollamaModel({ model, baseUrl: realUrl }),
    model: realModel,
    embeddingModel: process.env['RALPH_TEST_OLLAMA_MODEL'],
  })

describe('an answer of Ollama', () => {
  it('may take as long as it likes, as long as it goes on', async () => {
    await start()
    const limits = { startMs: 200, pauseMs: 200 }
    service.next({ say: 'a b c d e f g h', live: { everyMs: 50 } })
    expect((await at('smollm2:135m', { limits }).complete(ask())).text).toBe('a b c d e f g h')
  })

  it('lives while it thinks', async () => {
    await start()
    let thoughts = 0
    service.next({ think: 'Well, let me see now.', say: 'Done.', live: { everyMs: 50 } })
    const { text } = await at('qwen3', { limits: { startMs: 200, pauseMs: 200 } }).stream(ask(), {
      onText: () => undefined,
      onThinking: () => void thoughts++,
    })
    expect(text).toBe('Done.')
    expect(thoughts).toBe(5)
  })

  it('ends when it pauses for too long, with what to raise', async () => {
    await start()
    const heard: string[] = []
    service.next({ say: 'It is set in net.ts.', live: { silentAfter: 3 } })
    const error = await failureOf(
      at('smollm2:135m', { limits: { pauseMs: 100 } }).stream(ask(), {
        onText: (piece) => void heard.push(piece),
      }),
    )
    expect(heard.join('')).toBe('It is set ')
    expect(error).toMatchObject({ code: 'timeout', retryable: true })
    expect(error.message).toMatch(/has said nothing for 0\.1 s in the middle of its answer$/)
    expect(error.hint).toContain('language_model.silence_limit_seconds')
  })

  it('is not waited for in vain twice', async () => {
    await start()
    const silent = new SilentServices()
    service.next({ slow: 10_000 })
    const error = await failureOf(at('smollm2:135m', { limits: { startMs: 100 }, silent }).complete(ask()))
    expect(error.message).toContain('did not begin to answer within 0.1 s')
    expect(error.hint).toContain('language_model.start_limit_seconds')
    expect((await failureOf(at('smollm2:135m', { silent }).complete(ask()))).message).toContain('left alone')
    expect(service.requests).toHaveLength(1)
  })

  it('does not depend on the fetch of Node, which gives up after five minutes whatever we set', async () => {
    await start()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
    onTestFinished(() => void vi.unstubAllGlobals())
    expect((await at('smollm2:135m').complete(ask())).text).toBe('Understood.')
  })

  it('may begin later the longer the prompt is', async () => {
    await start({ name: 'long', context: 40_000 })
    service.fallback = { slow: 400, afterwards: { say: 'Read.' } }
    const model = at('long', { limits: { startMs: 100 } })
    const long = [{ role: 'user' as const, content: 'word '.repeat(20_000) }]
    expect((await model.complete(ask({ messages: long }))).text).toBe('Read.')
    expect((await failureOf(model.complete(ask()))).message).toContain('within 0.1 s')
  })

  it('that goes round in circles is cut by Ollama without a last part, and is no crash', async () => {
    await start()
    service.fallback = { say: `It says: ${'so '.repeat(60)}` }
    const { text, stop } = await at('smollm2:135m').stream(ask(), NOBODY)
    expect(stop).toBe('repetition')
    expect(text).toBe(`It says: ${'so '.repeat(31)}`)
    const account = { asked: 'Where is it?', actions: [], answered: 'In net.ts.', finished: true }
    expect(await failureOf(promptedSummariser(at('smollm2:135m')).exchange(account))).toMatchObject({
      message: 'ollama:smollm2:135m gave no summary (repetition)',
      retryable: true,
    })
  })

  it('that is lost with the server is told from one that was never begun', async () => {
    await start()
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
    await start()
    const warned = vi.spyOn(console, 'warn')
    onTestFinished(() => warned.mockRestore())
    service.next({ broken: 'json' })
    const error = await failureOf(at('smollm2:135m').stream(ask(), NOBODY))
    expect(error).toMatchObject({ retryable: true, message: expect.stringContaining('half an answer') })
    expect(warned).not.toHaveBeenCalled()
  })

  it('tells of a runner that dies before it or in the middle of it', async () => {
    await start()
    const early = 'model runner has unexpectedly stopped, this may be due to resource limitations'
    service.next({ say: '', live: { error: early } })
    expect(await failureOf(at('smollm2:135m').stream(ask(), NOBODY))).toMatchObject({
      message: `Ollama's runner of smollm2:135m stopped: ${early}`,
      retryable: true,
    })

    await start()
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
    await start()
    service.next({ say: 'It is', broken: 'half' } as never)
    const error = await failureOf(at('smollm2:135m').stream(ask(), NOBODY))
    expect(error).toMatchObject({ retryable: true, hint: expect.stringContaining('Ask again') })
    expect(error.message).toMatch(/stopped in the middle of its answer: unexpected EOF$/)
  })

  it('comes without thinking where a summary is wanted', async () => {
    await start()
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
    expect((await failureOf(summariser.exchange(account))).message).toBe(
      'ollama:qwen3 gave no summary (length)',
    )
    // What it thinks in spite of all that has room beside the summary.
    expect(service.requests[0]!.body['options']).toMatchObject({ num_predict: 2_048 })
  })

  it('comes with as little thinking as a model can be told to', async () => {
    await start({ name: 'gpt-oss', family: 'gptoss', capabilities: ['completion', 'tools', 'thinking'] })
    await at('gpt-oss').complete(ask({ think: false }))
    await at('gpt-oss').complete(ask())
    expect(service.requests.map(({ body }) => body['think'])).toEqual(['low', undefined])
  })

  it('remembers what it thought when it calls a tool', async () => {
    await start()
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

describe('the context of a model of Ollama', () => {
  const words = (count: number) => [{ role: 'user' as const, content: 'word '.repeat(count).trim() }]
  const sizes = () => service.requests.map(({ body }) => (body['options'] as { num_ctx: number }).num_ctx)

  it('is as large as prompt and answer need, in few steps that do not shrink, and never larger than the model', async () => {
    await start({ name: 'long', context: 10_000 })
    const model = at('long')
    for (const count of [10, 5_000, 10, 9_000])
      expect((await model.complete(ask({ messages: words(count) }))).usage.inputTokens).toBe(count)
    expect(sizes()).toEqual([4_096, 8_192, 8_192, 10_000])
    expect(service.requests[0]!.body).toMatchObject({ truncate: false, shift: false })
  })

  it('is that which another process has loaded the model with, where it is large enough', async () => {
    await start({ name: 'long', context: 40_000 })
    await at('long').complete(ask({ messages: words(9_000) }))
    // Another process, which would have asked for less and made the server load the model again.
    await at('LONG:latest').complete(ask())
    await at('long').complete(ask({ messages: words(20_000) }))
    expect(sizes()).toEqual([16_384, 16_384, 32_768])
  })

  it('grows when the server counts more tokens than we do', async () => {
    await start({ name: 'long', context: 30_000, tokensPerWord: 3 })
    const { usage } = await at('long').complete(ask({ messages: words(3_900) }))
    expect(usage.inputTokens).toBe(11_700)
    expect(sizes()).toEqual([4_096, 8_192, 16_384])
  })

  it('is never passed without a word', async () => {
    await start({ name: 'short', context: 2_048 })
    const error = await failureOf(at('short').complete(ask({ messages: words(20_000) })))
    expect(error).toMatchObject({ code: 'invalid_input', hint: expect.stringContaining('larger context') })
    expect(error.message).toMatch(/has up to \d+ tokens, and short takes 2048 with the answer/)
    expect(service.requests).toHaveLength(0)
    // What only the server can tell.
    expect((await failureOf(at('short').complete(ask({ messages: words(2_200) })))).message).toContain(
      'longer than short takes',
    )
  })

  it('is what a summary is made for', async () => {
    await start({ name: 'short', context: 1_024 })
    const exchange = {
      asked: 'why so? '.repeat(900),
      actions: [],
      answered: 'so. '.repeat(900),
      finished: true,
    }
    const summariser = promptedSummariser(at('short'))
    await summariser.exchange(exchange)
    await summariser.conversation({ title: 'long', exchanges: Array.from({ length: 40 }, () => exchange) })
    expect(sizes()).toEqual([1_024, 1_024])
    for (const { body } of service.requests) {
      expect((body['options'] as { num_predict: number }).num_predict).toBe(256)
      expect(JSON.stringify(body)).toContain('[…]')
    }
  })
})

describe('an Ollama', () => {
  it('is asked for one answer at a time by all processes of a user', async () => {
    await start()
    const folder = await temporaryFolder()
    service.fallback = { say: 'one two three', live: { everyMs: 5 } }
    // Each with a queue of its own, as in processes of their own.
    const processes = Array.from({ length: 3 }, () =>
      at('smollm2:135m', { shared: new SharedTurns(folder) }).complete(ask()),
    )
    expect((await Promise.all(processes)).map(({ text }) => text)).toEqual(Array(3).fill('one two three'))
    expect(service.mostAtOnce).toBe(1)
  })

  it.each(['no/such/name/anywhere', 'name with spaces', ':'])(
    'says of %j that it is no name',
    async (name) => {
      await start()
      const health = await at(name).check()
      expect(health).toMatchObject({ ok: false, hint: expect.stringContaining('language_model.model') })
      expect((await failureOf(at(name).complete(ask()))).message).toBe(
        `${JSON.stringify(name)} is no name of a model`,
      )
    },
  )

  it('is asked for one answer at a time, first for somebody who watches', async () => {
    await start()
    const model = at('smollm2:135m')
    expect(model.atOnce).toBe(1)
    service.fallback = ({ body }) => ({ say: JSON.stringify(body['messages']), live: { everyMs: 1 } })
    const order: string[] = []
    const answer = (name: string, asking: Promise<unknown>) => asking.then(() => void order.push(name))
    const stop = new AbortController()
    const waiting = model.complete(ask(), stop.signal)
    const all = [
      answer('first', Promise.resolve(waiting)),
      answer('second', model.complete(ask())),
      answer('third', model.complete(ask())),
      answer('watched', model.stream(ask(), NOBODY)),
    ]
    const cancelled = new AbortController()
    const given = failureOf(model.complete(ask(), cancelled.signal))
    cancelled.abort()
    expect((await given).code).toBe('cancelled')
    await Promise.all(all)
    expect(order).toEqual(['first', 'watched', 'second', 'third'])
    expect(service.mostAtOnce).toBe(1)
    expect(service.requests).toHaveLength(4)
  })

  it('that does not tell what a model can do is asked without tools once it has refused them', async () => {
    await start({ name: 'old', tellsLittle: true })
    const model = at('old')
    const tools = [{ name: 'look_up', description: 'Looks.', parameters: { type: 'object' } }]
    expect((await model.complete(ask({ tools }))).text).toBe('Understood.')
    expect((await model.limits()).tools).toBe(false)
    await model.complete(ask({ tools }))
    expect(service.requests.map(({ body }) => 'tools' in body)).toEqual([true, false, false])
  })

  it('behind a gateway gets the key', async () => {
    await start()
    await at('smollm2:135m', { apiKey: 'of-the-gateway' }).complete(ask())
    expect(service.requests[0]!.headers.authorization).toBe('Bearer of-the-gateway')
  })

  it.each(['/v1', '/api'])(
    'at an address that ends in %s is told from one that is not running',
    async (path) => {
      await start()
      const model = ollamaModel({ model: 'smollm2:135m', baseUrl: service.url + path })
      const error = await failureOf(model.complete(ask()))
      expect(error.hint).toBe(`Set language_model.url to ${service.url}, without ${path}`)
      expect(await model.check()).toMatchObject({ ok: false, hint: error.hint })
    },
  )

  it('that hangs is noticed by the question whether it is there', async () => {
    await start()
    service.hang(true)
    onTestFinished(() => service.hang(false))
    const health = await at('smollm2:135m').check()
    expect(health).toMatchObject({ ok: false, detail: expect.stringContaining('did not answer in time') })
  })
})
