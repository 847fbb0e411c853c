import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openPatiently } from '../../src/conversation-commands/open-patiently.ts'
import { workerCommands } from '../../src/conversation-commands/workers.ts'
import { RalphError } from '../../src/errors.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { openPostgresStorage } from '../../src/storage/postgres.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { startPostgres } from '../stand-ins/postgres.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { type Opened, openTestConversations } from './open.ts'

const PATIENT = { timeout: 60_000, interval: 50 }

const ask = ({ conversations }: Opened, id: string) =>
  conversations.record({
    conversationId: 'c',
    id,
    userMessage: 'Why does it fail?',
    assistantMessage: 'A typo.',
  })

const summarised = ({ conversations }: Opened, id: string) =>
  vi.waitFor(async () => expect((await conversations.history.exchange(id))?.summary).toBeDefined(), PATIENT)

const saidToWait = ({ notices }: Opened) =>
  notices.filter(({ message }) => message.startsWith('the workers wait and try again: '))

/** `ralph workers run`, which must still be running at the end of the test. */
function runWorkers({ conversations }: Opened): { end: () => Promise<unknown> } {
  const interrupt = new AbortController()
  const command = workerCommands.find(({ name }) => name === 'workers run')!
  const context = { conversations, signal: interrupt.signal, onProgress: () => undefined }
  const ended = command.run(context, { words: [], options: {} }).catch((error: unknown) => error)
  const end = async () => {
    interrupt.abort()
    return ended
  }
  onTestFinished(async () => void (await end()))
  return { end }
}

it('workers wait while another process keeps SQLite locked, say so once, and go on', async () => {
  const path = join(await temporaryFolder(), 'ralph.db')
  const opened = await openTestConversations({
    storage: await openSqliteStorage({ path, busyTimeoutMs: 100 }),
  })
  await ask(opened, 'first')
  const running = runWorkers(opened)
  await summarised(opened, 'first')
  await ask(opened, 'second')
  const other = new DatabaseSync(path)
  other.exec('BEGIN EXCLUSIVE')
  opened.conversations.workers.signal()
  await vi.waitFor(() => expect(saidToWait(opened)).toHaveLength(1), PATIENT)
  other.exec('ROLLBACK')
  other.close()
  await summarised(opened, 'second')
  expect(saidToWait(opened)).toHaveLength(1)
  expect(saidToWait(opened)[0]!.message).toContain('was busy')
  expect(await running.end()).toMatchObject({ data: {} })
}, 90_000)

it('workers wait while PostgreSQL is down, say so once, and go on', async () => {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  const opened = await openTestConversations({ storage: await openPostgresStorage({ url: server.url }) })
  await ask(opened, 'first')
  const running = runWorkers(opened)
  await summarised(opened, 'first')
  await server.stop('immediate')
  await vi.waitFor(() => expect(saidToWait(opened)).toHaveLength(1), PATIENT)
  await server.start()
  await vi.waitFor(() => ask(opened, 'second'), PATIENT)
  await summarised(opened, 'second')
  expect(saidToWait(opened)).toHaveLength(1)
  expect(await running.end()).toMatchObject({ data: {} })
}, 120_000)

describe('a storage that is down at the start', () => {
  const down = () =>
    new RalphError('unavailable', 'the database is down', { hint: 'start it', retryable: true })

  it('is waited for, which is said once', async () => {
    const said: Notice[] = []
    const notices = new Notices((notice) => said.push(notice))
    let tries = 0
    const open = async () => {
      if (++tries < 4) throw down()
      return 'open'
    }
    expect(await openPatiently(open, { notices, signal: new AbortController().signal })).toBe('open')
    expect(said).toEqual([
      expect.objectContaining({
        message: 'the workers wait and try again: the database is down',
        hint: 'start it',
      }),
    ])
  })

  it('is waited for no longer once the command is ended, not even for its answer', async () => {
    const failing = async () => {
      throw down()
    }
    const silent = () => new Promise<never>(() => undefined)
    for (const open of [failing, silent]) {
      const interrupt = new AbortController()
      const notices = new Notices(() => interrupt.abort())
      const waiting = openPatiently<never>(open, { notices, signal: interrupt.signal })
      if (open === silent) interrupt.abort()
      await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
    }
  })

  it('is not waited for where waiting does not help', async () => {
    const refused = async () => {
      throw new RalphError('invalid_input', 'wrong password')
    }
    const { signal } = new AbortController()
    const notices = new Notices(() => undefined)
    await expect(openPatiently(refused, { notices, signal })).rejects.toThrow('wrong password')
  })
})
