import { copyFile, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestConversations } from './open.ts'
import { recordings } from './session-lines.ts'

describe('recordings of the real agent', () => {
  async function recorded(name: string, as = `p/${name}`) {
    const opened = await openTestConversations()
    const path = join(opened.folder, as)
    await mkdir(dirname(path), { recursive: true })
    await copyFile(join(recordings, name), path)
    return { ...opened, path, report: await opened.conversations.importSessions(path) }
  }

  it('reads an interactive session', async () => {
    const { conversations } = await recorded('interactive.jsonl')
    const [conversation] = await conversations.history.list()
    expect(conversation?.exchangeCount).toBe(1)
    const [exchange] = await conversations.history.exchangesOf(conversation!.id)
    expect(exchange).toMatchObject({
      userMessage: 'Please write a file.',
      assistantMessage: 'Interactive done.',
      status: 'completed',
    })
  })

  it('reads a resumed and compacted session without its compaction', async () => {
    const { conversations } = await recorded('resumed-and-compacted.jsonl')
    const [conversation] = await conversations.history.list()
    const exchanges = await conversations.history.exchangesOf(conversation!.id)
    expect(exchanges.map(({ userMessage, assistantMessage }) => [userMessage, assistantMessage])).toEqual([
      ['Say hello.', 'Hello from the scripted model.'],
      ['Second turn.', 'Answer of this run.'],
    ])
  })

  it('keeps what a killed session had done', async () => {
    const { conversations } = await recorded('sigkilled.jsonl')
    const [exchange] = await conversations.history.exchangesOf((await conversations.history.list())[0]!.id)
    expect(exchange).toMatchObject({
      userMessage: 'Write a large file.',
      status: 'interrupted',
      assistantMessage: 'Starting.',
    })
    const steps = (await conversations.history.steps([exchange!.id])).get(exchange!.id)!
    expect(steps.map(({ content }) => content)).toContain('echo step one')
  })

  it('reads a headless session and its sub-agent', async () => {
    const session = 'dcd6e858-73bb-4f97-9734-5dc5b39c3160'
    const { conversations, folder } = await recorded('headless-hooks-main.jsonl', `p/${session}.jsonl`)
    const sub = join(folder, `p/${session}/subagents/agent-a3e1a3bc73e81de36.jsonl`)
    await mkdir(dirname(sub), { recursive: true })
    await copyFile(join(recordings, 'headless-hooks-subagent.jsonl'), sub)
    await conversations.importSessions(join(folder, 'p'))
    expect((await conversations.history.exchangesOf(session))[0]).toMatchObject({
      userMessage: 'Do some hooked work.',
      assistantMessage: 'Hooked work done.',
    })
    const below = (await conversations.history.conversation(`${session}/a3e1a3bc73e81de36`))!
    expect(below.parentId).toBe(session)
  })

  it('gives the same exchanges whatever byte a session was cut at', async () => {
    const whole = await readFile(join(recordings, 'resumed-and-compacted.jsonl'))
    const { conversations, folder } = await openTestConversations()
    const path = join(folder, 'session.jsonl')
    await writeFile(path, whole)
    for (let size = 0; size <= whole.length; size += 1_777) {
      await writeFile(path, whole.subarray(0, size))
      if ((await stat(path)).size === 0) continue
      await conversations.importSessions(path)
    }
    await writeFile(path, whole)
    await conversations.importSessions(path)
    await truncate(path, whole.length)
    const [conversation] = await conversations.history.list()
    const exchanges = await conversations.history.exchangesOf(conversation!.id)
    expect(exchanges.map(({ assistantMessage }) => assistantMessage)).toEqual([
      'Hello from the scripted model.',
      'Answer of this run.',
    ])
  })
})
