import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { startModelService } from '../stand-ins/model-service.ts'
import { ollamaChatWith } from '../stand-ins/ollama-chat.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function opened(env: NodeJS.ProcessEnv) {
  const project = await temporaryFolder()
  const ralph = await openRalph({
    project,
    home: join(project, 'home'),
    env: { RALPH_EMBEDDER: 'none', ...env },
    onNotice: () => undefined,
  })
  onTestFinished(() => ralph.close())
  return ralph.health
}

it('looks at the language model, in any spelling, and says what it takes to have it', async () => {
  const service = await startModelService(
    ollamaChatWith([{ name: 'llama3.2' }, { name: 'all-minilm', capabilities: ['embedding'] }]),
  )
  onTestFinished(() => service.close())
  const look = async (model: string) => {
    const env = { RALPH_MODEL_PROVIDER: 'ollama', RALPH_MODEL: model, OLLAMA_HOST: service.url }
    const health = await opened(env)
    return { doctor: await health.check('language model'), status: (await health.status()).languageModel }
  }
  const detail = `library/Llama3.2:latest at Ollama, ${service.url}`
  expect(await look('library/Llama3.2:latest')).toEqual({
    doctor: { check: 'language model', level: 'ok', detail },
    status: { ok: true, detail },
  })
  const missing = { detail: 'no-such not found', hint: 'Run: ollama pull no-such' }
  expect(await look('no-such')).toMatchObject({
    doctor: { level: 'problem', ...missing },
    status: { ok: false, ...missing },
  })
  expect(await look('all-minilm')).toMatchObject({
    doctor: { level: 'problem', hint: expect.stringContaining('language_model.model to a model that chats') },
  })
  // Nothing was written by any of them to find that out.
  expect(service.requests).toEqual([])
})

it('has nothing to say of a language model that nobody has asked for', async () => {
  const health = await opened({})
  expect(await health.check('language model')).toMatchObject({ level: 'ok' })
  expect(await health.status()).not.toHaveProperty('languageModel')
})
