import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { installHooks } from '../../src/agent-config/claude-hooks.ts'
import { mcpConfigFor, writeMcpConfig } from '../../src/agent-config/mcp-config.ts'
import { openRalph } from '../../src/ralph.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import { document, spec } from '../search-index/documents.ts'
import { needs } from '../support/needs.ts'
import { type Animal, animal, rubbish, settings } from './animal.ts'

const execute = (path: string, statements: string) => {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}
const journal = (path: Animal['path']) => path('db', 'memory', 'authentication.jsonl')

const OLD_HOOK = '"/gone/node" "/gone/bin/ralph.js" hook Stop || true'

/** Each with the check that finds it, and whose `--fix` leaves nothing of it. */
const MENDED: [damage: string, check: string, harm: (animal: Animal) => unknown][] = [
  [
    'a collection of a feature that is gone',
    'left-over collections',
    async ({ ralph, path }) => {
      const [known] = await ralph.featureMemory.expectedCollections()
      const index = openSqliteIndex({ path: path('cache', 'index.db') })
      await index.write(spec(`${known!.slice(0, 9)}gone`), { put: [document('one', 'a note')] })
      await index.close()
    },
  ],
  [
    'an index of a database that nobody has used for months',
    'indexes of other databases',
    async ({ home }) => {
      const path = join(home, 'indexes', '1a2b3c4d.db')
      const index = openSqliteIndex({ path })
      await index.write(spec('documents'), { put: [document('one', 'a note')] })
      await index.close()
      utimesSync(path, 0, 0)
    },
  ],
  ['an index of rubbish', 'index', ({ path }) => rubbish(path('cache', 'index.db'))],
  [
    'an index cut short',
    'index',
    ({ path }) => writeFileSync(path('cache', 'index.db'), 'SQLite format 3\0'),
  ],
  [
    'an index with a flipped bit in its version',
    'index',
    ({ path }) => execute(path('cache', 'index.db'), 'PRAGMA user_version = 67'),
  ],
  [
    'an index that says it may not be written',
    'index',
    ({ path }) => {
      const bytes = readFileSync(path('cache', 'index.db'))
      bytes[18]! ^= 4
      writeFileSync(path('cache', 'index.db'), bytes)
    },
  ],
  [
    'a folder in place of the index',
    'index',
    ({ path }) => {
      for (const name of readdirSync(path('cache'))) if (/^index\.db/.test(name)) rmSync(path('cache', name))
      mkdirSync(path('cache', 'index.db'))
    },
  ],
  [
    "another program's database in place of the index",
    'index',
    ({ path }) => {
      for (const name of readdirSync(path('cache'))) if (/^index\.db/.test(name)) rmSync(path('cache', name))
      execute(path('cache', 'index.db'), 'CREATE TABLE theirs (a)')
    },
  ],
  ['an index without a row', 'index', ({ path }) => execute(path('cache', 'index.db'), 'DELETE FROM loose')],
  ["rubbish for the user's index", 'index of the user', ({ home }) => rubbish(join(home, 'index.db'))],
  [
    'a line cut short by a crash',
    'journals',
    ({ path }) => appendFileSync(journal(path), '{"version":1,"rec'),
  ],
  [
    'the marks of a merge',
    'journals',
    ({ path }) => {
      const text = readFileSync(journal(path), 'utf8')
      writeFileSync(journal(path), `<<<<<<< ours\n${text}=======\n>>>>>>> theirs\n`)
    },
  ],
  [
    'a task that waits for one that is not there',
    'board',
    ({ ralph }) => ralph.board.addTask({ title: 'Go on', feature: 'authentication', blockedBy: [99] }),
  ],
  ['a board without tasks', 'project', ({ path }) => rmSync(path('db', 'tasks.yaml'))],
  ['no id', 'project', ({ path }) => rmSync(path('project.json'))],
  [
    'an id in a state of merging',
    'project',
    ({ path }) => writeFileSync(path('project.json'), '<<<<<<< ours\n{'),
  ],
  ['no rules for git', 'git', ({ path }) => rmSync(path('.gitignore'))],
  [
    'rules for git of an earlier version',
    'git',
    ({ path }) => writeFileSync(path('.gitignore'), '# mine\ncache/'),
  ],
  ['no rules for merging', 'git', ({ path }) => writeFileSync(path('.gitattributes'), '* text=auto\n')],
  [
    'hooks of an earlier version',
    'hooks',
    ({ project }) =>
      settings(project, { hooks: { Stop: [{ hooks: [{ type: 'command', command: OLD_HOOK }] }] } }),
  ],
  [
    'only one of our hooks',
    'hooks',
    async ({ project, home }) => {
      const file = join(project, '.claude', 'settings.json')
      await installHooks({ file, project, home, portable: true })
      const all = JSON.parse(readFileSync(file, 'utf8'))
      settings(project, { hooks: { Stop: all.hooks.Stop } })
    },
  ],
  [
    'a server for agents that is gone',
    'MCP',
    async ({ ralph, project, home }) => {
      for (const client of ['claude-code', 'codex', 'opencode'] as const) {
        const wanted = mcpConfigFor({ client, project, userHome: ralph.config.userHome, feature: 'auth' })
        await writeMcpConfig(wanted, home)
        const text = readFileSync(wanted.file, 'utf8')
        writeFileSync(wanted.file, text.replace(/"[^"]*ralph\.js"/, '"/gone/bin/ralph.js"'))
      }
    },
  ],
  [
    'a file half written by a process that is gone',
    'half-written files',
    ({ path }) => {
      const left = path('db', 'tasks.yaml.999999-0123abcd.tmp')
      writeFileSync(left, 'tas')
      utimesSync(left, 1, 1)
    },
  ],
  ['rubbish for a lock', 'locks', ({ path }) => rubbish(path('db', 'board.lock'))],
  [
    'a folder for a lock',
    'locks',
    ({ path }) => {
      rmSync(path('db', 'board.lock'), { force: true })
      mkdirSync(path('db', 'board.lock'))
    },
  ],
  ['rubbish for what was trusted', 'user files', ({ home }) => rubbish(join(home, 'trust.json'))],
  [
    'a lost table',
    'storage',
    async ({ home }) => {
      await (await openSqliteStorage({ path: join(home, 'ralph.db') })).close()
      execute(
        join(home, 'ralph.db'),
        'DROP TABLE conversation_work; DROP TABLE counters; DROP TABLE settings',
      )
    },
  ],
  [
    'lost notes of what was migrated',
    'storage',
    async ({ home }) => {
      await (await openSqliteStorage({ path: join(home, 'ralph.db') })).close()
      execute(join(home, 'ralph.db'), 'DROP TABLE ralph_migrations')
    },
  ],
]

it.each(MENDED)('finds and mends %s', async (_, check, harm) => {
  const { ralph, reopen, ...rest } = await animal()
  await ralph.close()
  await harm({ ralph, ...rest })
  const doctor = await reopen()
  const found = await doctor.health.check(check)
  expect(found).toMatchObject({ level: expect.stringMatching('warning|problem'), mendable: true })
  expect([found.hint, ...(found.list ?? [])].join()).toContain('ralph doctor --fix')
  expect(await doctor.health.check(check, { fix: true })).toMatchObject({
    level: 'ok',
    mended: expect.any(String),
  })
  await doctor.close()
  const after = await reopen()
  expect(await after.health.check(check)).toMatchObject({ level: 'ok' })
  expect(await after.featureMemory.search('authentication', 'middleware')).toHaveLength(1)
})

it('frees what processes that are gone had taken on, and closes what others could read', async () => {
  const { ralph, home } = await animal()
  await ralph.knowledge.capture({
    kind: 'failure_solution',
    project: 'shop',
    failureDescription: 'The build fails',
    solutionSteps: ['Install first'],
  })
  await ralph.close()
  execute(
    join(home, 'ralph.db'),
    `UPDATE knowledge_staging SET lease_owner = '${hostname()}/999999/ab', lease_until = ${Date.now() + 50_000}`,
  )
  const again = await openRalph({ project: ralph.config.project, home, env: { RALPH_EMBEDDER: 'none' } })
  onTestFinished(() => again.close())
  expect(await again.health.check('unfinished work')).toMatchObject({ level: 'ok', mendable: true })
  await again.health.check('unfinished work', { fix: true })
  expect(await again.health.check('unfinished work')).toEqual({
    check: 'unfinished work',
    level: 'ok',
    detail: 'none',
  })
  needs('modes')
  chmodSync(join(home, 'ralph.db'), 0o644)
  // In a closed folder nobody comes to it.
  expect(await again.health.check('privacy')).toMatchObject({ level: 'ok' })
  chmodSync(home, 0o755)
  expect(await again.health.check('privacy')).toMatchObject({ level: 'warning', mendable: true })
  expect(await again.health.check('privacy', { fix: true })).toMatchObject({ level: 'ok' })
})

it('removes a socket at which nobody listens, and no other', async () => {
  needs('modes')
  const { ralph, home } = await animal()
  const address = join(home, 'run', 'hooks.sock')
  mkdirSync(dirname(address), { recursive: true })
  const listening = createServer().listen(address)
  await new Promise((resolve) => listening.once('listening', resolve))
  expect(await ralph.health.check('hook helper', { fix: true })).toMatchObject({ level: 'ok' })
  expect(existsSync(address)).toBe(true)
  const script = `require('net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 'SIGKILL'))`
  listening.close()
  try {
    execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' })
  } catch {
    // killed, as it should be
  }
  expect(await ralph.health.check('hook helper')).toMatchObject({ level: 'warning', mendable: true })
  expect(await ralph.health.check('hook helper', { fix: true })).toMatchObject({ level: 'ok' })
  expect(existsSync(address)).toBe(false)
})

it('leaves nothing that could be mended when all of it happens at once', async () => {
  const { ralph, path, home, project, reopen } = await animal()
  const all = { ralph, path, home, project }
  await ralph.close()
  const harmed = new Set<string>()
  for (const [, check, harm] of MENDED) {
    if (!harmed.has(check)) await harm(all)
    harmed.add(check)
  }
  const doctor = await reopen()
  await doctor.health.examine({ fix: true })
  await doctor.close()
  const after = await (await reopen()).health.examine()
  expect(after.filter(({ mendable }) => mendable)).toEqual([])
  expect(after.filter(({ level }) => level === 'problem')).toEqual([])
})

it('documents: how many, what waits, and a folder that is not there', async () => {
  const { ralph, project } = await animal()
  expect(await ralph.health.check('documents')).toMatchObject({ level: 'ok', detail: 'none added' })
  const folder = join(project, 'notes')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.md'), '# Deploy\n\nWe deploy on Tuesdays.\n')
  await ralph.documents.add([folder])
  const detail = '1 file in 1 piece; 1 wait to be found by meaning (ralph documents sync)'
  expect(await ralph.health.check('documents')).toMatchObject({ level: 'ok', detail })
  rmSync(folder, { recursive: true })
  expect(await ralph.health.check('documents')).toMatchObject({
    level: 'warning',
    hint: expect.stringContaining('ralph documents remove'),
  })
  expect((await ralph.health.status()).documents).toMatchObject({ documents: 1, missing: [folder] })
})
