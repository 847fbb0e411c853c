import { spawnSync } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readReceipts } from '../../../src/receipts/read.ts'
import { eventually, TEST_FAILED, world } from '../../hooks/support.ts'

describe('when the user asks something', { timeout: 180_000 }, () => {
  const PROMPT = { prompt: 'How did we get rid of the zebra timeout in the Redis client?' }

  it('conversations about the same are told, once, and only where they are strong', async () => {
    const { hook, ralph, home } = await world([TEST_FAILED])
    await ralph.conversations.record({
      conversationId: 'c-redis',
      userMessage: 'How do we get rid of the zebra timeout in the Redis client?',
      assistantMessage:
        'Raise socket_timeout to five seconds in src/redis.ts; the zebra default is too short.',
    })
    // Meaning takes part only after the embedder has run.
    const env = { RALPH_EMBEDDER: 'none' }
    await hook('SessionStart', { source: 'startup' }, { env })
    const told = await eventually(async () => (await hook('UserPromptSubmit', PROMPT, { env })).context)
    expect(told).toContain('Related Past Conversations')
    expect(told).toContain('c-redis')
    expect(told).toContain('socket_timeout')
    expect((await hook('UserPromptSubmit', PROMPT, { env })).stdout).toBe('')
    const other = { ...PROMPT, session_id: 'other' }
    await hook('SessionStart', { source: 'startup', session_id: 'other' }, { env })
    expect(
      (await hook('UserPromptSubmit', { ...other, prompt: 'Please write a poem about the sea.' }, { env }))
        .stdout,
    ).toBe('')
    expect((await hook('UserPromptSubmit', { ...other, prompt: 'yes' }, { env })).stdout).toBe('')
    expect(
      (await hook('UserPromptSubmit', { ...other, prompt: '/clear the zebra timeout' }, { env })).stdout,
    ).toBe('')
    const { receipts } = await readReceipts(ralph.config.paths.receipts, {
      run: 'ad9592dc-06cc-43a9-b775-d4d91b2cc03b',
    })
    expect(receipts[0]).toMatchObject({
      event: 'UserPromptSubmit',
      items: [{ kind: 'conversation', source: 'conversation c-redis', score: expect.any(Number) }],
    })
    await expect.poll(() => readdir(join(home, 'run'))).toEqual(['hooks.sock', 'hooks.warm'])
  })

  it('a helper that crashed is replaced', async () => {
    const { hook, ralph, home } = await world()
    await ralph.conversations.record({
      conversationId: 'c',
      userMessage: 'How do we get rid of the zebra timeout in the Redis client?',
      assistantMessage: 'Gone.',
    })
    await mkdir(join(home, 'run'))
    // What a crashed process leaves behind: an address where nobody listens.
    const { status } = spawnSync(process.execPath, [
      '-e',
      `require('net').createServer().listen(${JSON.stringify(join(home, 'run', 'hooks.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`,
    ])
    expect(status).toBeNull()
    const env = { RALPH_EMBEDDER: 'none' }
    const told = await eventually(async () => (await hook('UserPromptSubmit', PROMPT, { env })).context)
    expect(told).toContain('zebra timeout')
  })
})
