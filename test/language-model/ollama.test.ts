import { describe, expect, it, onTestFinished } from 'vitest'
import { ollamaModel } from '../../src/language-model/ollama.ts'
import { SharedTurns } from '../../src/services/shared-turns.ts'
import { failureOf } from '../contracts/language-model.ts'
import { describeOllamaModel } from '../contracts/ollama-model.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { ask, EMBEDDER, NOBODY, SMALL, start } from './ollama-service.ts'

describeOllamaModel('the stand-in', {
  open: async (model) => (await start()).at(model),
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

describe('an Ollama', () => {
  it('is asked for one answer at a time by all processes of a user', async () => {
    const { service, at } = await start()
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
      const { at } = await start()
      const health = await at(name).check()
      expect(health).toMatchObject({ ok: false, hint: expect.stringContaining('language_model.model') })
      expect((await failureOf(at(name).complete(ask()))).message).toBe(
        `${JSON.stringify(name)} is no name of a model`,
      )
    },
  )

  it('is asked for one answer at a time, first for somebody who watches', async () => {
    const { service, at } = await start()
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
    const { service, at } = await start({ name: 'old', tellsLittle: true })
    const model = at('old')
    const tools = [{ name: 'look_up', description: 'Looks.', parameters: { type: 'object' } }]
    expect((await model.complete(ask({ tools }))).text).toBe('Understood.')
    expect((await model.limits()).tools).toBe(false)
    await model.complete(ask({ tools }))
    expect(service.requests.map(({ body }) => 'tools' in body)).toEqual([true, false, false])
  })

  it('behind a gateway gets the key', async () => {
    const { service, at } = await start()
    await at('smollm2:135m', { apiKey: 'of-the-gateway' }).complete(ask())
    expect(service.requests[0]!.headers.authorization).toBe('Bearer of-the-gateway')
  })

  it.each(['/v1', '/api'])(
    'at an address that ends in %s is told from one that is not running',
    async (path) => {
      const { service } = await start()
      const model = ollamaModel({ model: 'smollm2:135m', baseUrl: service.url + path })
      const error = await failureOf(model.complete(ask()))
      expect(error.hint).toBe(`Set language_model.url to ${service.url}, without ${path}`)
      expect(await model.check()).toMatchObject({ ok: false, hint: error.hint })
    },
  )

  it('that hangs is noticed by the question whether it is there', async () => {
    const { service, at } = await start()
    service.hang(true)
    onTestFinished(() => service.hang(false))
    const health = await at('smollm2:135m').check()
    expect(health).toMatchObject({ ok: false, detail: expect.stringContaining('did not answer in time') })
  })
})
