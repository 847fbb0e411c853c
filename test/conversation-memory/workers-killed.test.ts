import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startModelService } from '../stand-ins/model-service.ts'
import { openAiCompatibleChat } from '../stand-ins/openai-chat.ts'
import { openTestConversations } from './open.ts'

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url))
const ITEMS = 60

async function startWorkers(folder: string, url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, folder, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  return child
}

it('loses no finished work and leaves nothing stuck however often workers are killed', async () => {
  const service = await startModelService(openAiCompatibleChat, {
    fallback: (request) => ({
      slow: 20,
      afterwards: { say: `Note on ${JSON.stringify(request.body).match(/problem \d+/)?.[0]}.` },
    }),
  })
  onTestFinished(() => service.close())
  const { conversations, folder } = await openTestConversations()
  for (let number = 0; number < ITEMS; number++) {
    await conversations.record({
      conversationId: `c${number % 5}`,
      id: `e${number}`,
      userMessage: `Please fix problem ${number} now`,
      assistantMessage: 'Done.',
    })
  }
  await conversations.settings.writeText('summarizer_conversation_enabled', 'off')
  await conversations.settings.writeText('summarizer_idle_timeout', '1')
  await conversations.settings.writeText('embedding_pipeline_poll_interval', '1')
  const summarised = async () => {
    const counts = await Promise.all(
      Array.from(
        { length: ITEMS },
        async (_, number) => (await conversations.history.exchange(`e${number}`))?.summary,
      ),
    )
    return counts.filter((summary) => summary !== undefined).length
  }

  let kills = 0
  let running = await Promise.all([startWorkers(folder, service.url), startWorkers(folder, service.url)])
  for (let round = 0; round < 4; round++) {
    await sleep(120 + round * 60)
    const before = await summarised()
    const [victim, survivor] = running as [ChildProcess, ChildProcess]
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    kills++
    expect(await summarised()).toBeGreaterThanOrEqual(before)
    running = [survivor, await startWorkers(folder, service.url)]
  }
  for (let wait = 0; wait < 300; wait++) {
    const { exchange } = await conversations.workers.embeddings()
    if ((await summarised()) === ITEMS && exchange.embedded === ITEMS) break
    await sleep(100)
  }
  for (const child of running) child.kill('SIGKILL')

  for (let number = 0; number < ITEMS; number++) {
    expect((await conversations.history.exchange(`e${number}`))?.summary).toBe(`Note on problem ${number}.`)
  }
  expect(await conversations.workers.embeddings()).toMatchObject({
    exchange: { embedded: ITEMS, waiting: 0 },
  })
  // Only what was under way in a killed process is asked for again: at most four calls each.
  expect(service.requests.length).toBeLessThanOrEqual(ITEMS + kills * 4)
  // What no process lived to settle is spent at its worst: nothing that was billed is missing.
  const { workers } = await conversations.spend()
  expect(workers.spentUsd).toBeGreaterThanOrEqual(service.billed * 0.0002 - 1e-9)
  const { results } = await conversations.search('problem 17', { limit: 1 })
  expect(results[0]?.exchange.id).toBe('e17')
})
