import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Change } from '../../../src/dashboard/live/changes.ts'
import { projectChanges } from '../../../src/dashboard/live/project-changes.ts'
import { openRalph } from '../../../src/ralph.ts'
import type { SettingsInput } from '../../../src/settings-schema.ts'
import { startPostgres, temporaryDatabase } from '../../stand-ins/postgres.ts'
import { temporaryFolder } from '../../support/temporary.ts'

/** A person can wait two seconds for what nobody tells; a test need not. */
const QUICK = { restMs: 50, everyMs: 200 }

const FILES = ['journal:Log in', 'board', 'receipts', 'settings']
const TABLES = ['gates', 'knowledge', 'conversations', 'documents', 'workers']

it.each([
  ['SQLite', [...FILES, ...TABLES]],
  ['PostgreSQL', TABLES],
])('hears what another process changes, part by part, on %s', async (driver, parts) => {
  const { write, heard } = await world(driver === 'PostgreSQL' ? await onPostgres() : {})
  for (const part of parts) {
    heard.length = 0
    await write(part)
    await vi.waitFor(() => expect(heard).toContain(part), { timeout: 20_000 })
    // What belongs to nobody's view stays quiet: a new talk is no reason to ask for gates again.
    const others = TABLES.filter((table) => table !== part)
    // Documents share conversations' count of changes.
    if (part !== 'workers' && part !== 'documents')
      expect(heard.filter((name) => others.includes(name))).toEqual([])
  }
})

it('hears of a database that goes down, and of its return', async () => {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  const { heard, write } = await world({ storage: { driver: 'postgres', url: server.url } })
  await write('gates')
  await vi.waitFor(() => expect(heard).toContain('gates'), { timeout: 20_000 })
  heard.length = 0
  await server.stop('immediate')
  await vi.waitFor(() => expect(new Set(heard)).toEqual(new Set(TABLES)), { timeout: 20_000 })
  heard.length = 0
  await server.start()
  await vi.waitFor(() => expect(new Set(heard)).toEqual(new Set(TABLES)), { timeout: 20_000 })
})

it('goes on when the project’s folder is deleted and made again', async () => {
  const { write, heard, project } = await world({})
  await write('board')
  await vi.waitFor(() => expect(heard).toContain('board'), { timeout: 20_000 })
  heard.length = 0
  rmSync(project, { recursive: true })
  await vi.waitFor(() => expect(heard).toContain('board'), { timeout: 20_000 })
  heard.length = 0
  mkdirSync(project)
  await write('journal:Log in')
  await vi.waitFor(() => expect(heard).toContain('journal:Log in'), { timeout: 20_000 })
})

async function world(settings: SettingsInput) {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(project)
  const ralph = await openRalph({ project, home, settings, onNotice: () => undefined })
  await ralph.stored.marks() // connecting takes its time, and is no change
  const changes = projectChanges(ralph, QUICK)
  const heard: string[] = []
  const listening = listen(changes.after(await changes.position(), new AbortController().signal), heard)
  onTestFinished(async () => {
    changes.close()
    await listening
    await ralph.close()
  })
  const script = join(import.meta.dirname, 'writer.ts')
  const writer = fork(script, [project, home, JSON.stringify(settings)])
  onTestFinished(() => void writer.kill())
  const write = async (part: string) => {
    writer.send(part)
    await once(writer, 'message')
  }
  return { write, heard, project }
}

async function listen(changes: AsyncIterable<Change>, heard: string[]): Promise<void> {
  for await (const { parts } of changes) heard.push(...(parts ?? ['everything']))
}

async function onPostgres(): Promise<SettingsInput> {
  const { url, remove } = await temporaryDatabase()
  onTestFinished(remove)
  return { storage: { driver: 'postgres', url } }
}
