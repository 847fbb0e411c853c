import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { document, spec } from '../search-index/documents.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

it("looks through the user's index as well as the project's, and makes neither", async () => {
  const folder = await temporaryFolder()
  const [home, project] = [join(folder, 'home'), folder]
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project, home, env, onNotice: () => undefined })
  onTestFinished(() => ralph.close())
  const { config, health } = ralph
  const found = async (check: string) => (await health.examine()).find((finding) => finding.check === check)
  expect(await found('index of the user')).toMatchObject({ level: 'ok', detail: 'nothing in it yet' })
  expect(existsSync(config.paths.userIndex)).toBe(false)
  const places = { index: config.paths.index, 'index of the user': config.paths.userIndex }
  for (const [check, path] of Object.entries(places)) {
    const index = openSqliteIndex({ path })
    await index.write(spec('notes'), { put: [document('one', 'a note'), document('two', 'another')] })
    await index.close()
    expect(await found(check)).toMatchObject({ level: 'ok' })
    const database = new DatabaseSync(path)
    database.exec('DELETE FROM loose WHERE document = 1')
    database.close()
    expect(await found(check)).toMatchObject({ level: 'warning', hint: 'ralph doctor --fix' })
  }
})

it('tries to write where it says that one can', async () => {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  const ralph = await openRalph({
    project: folder,
    home,
    env: { RALPH_EMBEDDER: 'none' },
    onNotice: () => undefined,
  })
  onTestFinished(() => ralph.close())
  const found = async () => (await ralph.health.examine()).find(({ check }) => check === 'writable')
  // It need not be there, but it must be possible to make it.
  expect(await found()).toMatchObject({ level: 'ok' })
  mkdirSync(home, { recursive: true })
  expect(await found()).toMatchObject({ level: 'ok' })
  expect(readdirSync(home).filter((name) => name.includes('doctor'))).toEqual([])
  // Something stands there that no file can be made in, whatever its permissions say.
  rmSync(home, { recursive: true })
  writeFileSync(home, '')
  expect(await found()).toMatchObject({
    level: 'problem',
    detail: expect.stringContaining(`${home} cannot be written`),
  })
})

it('names its checks, does one of them, and tells what it mended', async () => {
  const project = await temporaryFolder()
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project, home: join(project, 'home'), env, onNotice: () => undefined })
  onTestFinished(() => ralph.close())
  expect(await ralph.health.checks()).toContain('project')
  // Whether there is to be a memory is for a person to say.
  expect(await ralph.health.check('project', { fix: true })).toMatchObject({
    level: 'warning',
    hint: 'ralph init',
  })
  expect(existsSync(join(project, '.ralph'))).toBe(false)
  await ralph.featureMemory.recordIteration(newIteration())
  expect(await ralph.health.check('project')).toMatchObject({
    level: 'ok',
    detail: expect.stringContaining('journals and no board'),
  })
  writeFileSync(join(project, '.ralph', 'db', 'tasks.yaml'), 'tasks: []\n')
  expect(await ralph.health.check('project')).toMatchObject({ level: 'warning', mendable: true })
  const mended = await ralph.health.check('project', { fix: true })
  expect(mended).toMatchObject({ level: 'ok', mended: expect.stringContaining('.ralph/db/features.yaml') })
  expect(mended).not.toHaveProperty('mendable')
  expect(existsSync(join(project, '.ralph', 'db', 'features.yaml'))).toBe(true)
  await expect(ralph.health.check('everything')).rejects.toMatchObject({ code: 'not_found' })
})

it('empties an index that is damaged, which loses nothing', async () => {
  const project = await temporaryFolder()
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project, home: join(project, 'home'), env, onNotice: () => undefined })
  onTestFinished(() => ralph.close())
  await ralph.featureMemory.recordIteration(newIteration())
  await ralph.featureMemory.search('authentication', 'middleware')
  const database = new DatabaseSync(ralph.config.paths.index)
  database.exec('DELETE FROM loose WHERE document = 1')
  database.close()
  expect(await ralph.health.check('index')).toMatchObject({ level: 'warning', mendable: true })
  expect(await ralph.health.check('index', { fix: true })).toMatchObject({
    level: 'ok',
    mended: expect.stringContaining('built it from the journals'),
  })
  expect(await ralph.featureMemory.search('authentication', 'middleware')).toHaveLength(1)
})

it('lists all that is odd about the board, and what became of the settings since it was opened', async () => {
  const project = await temporaryFolder()
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project, home: join(project, 'home'), env, onNotice: () => undefined })
  onTestFinished(() => ralph.close())
  await ralph.board.addTask({ title: 'Lost', feature: 'nowhere', blockedBy: [99] })
  expect(await ralph.health.check('board')).toMatchObject({
    level: 'warning',
    list: [expect.stringContaining('task 99'), expect.stringContaining('"nowhere"')],
  })
  expect(await ralph.health.check('settings')).toMatchObject({ level: 'ok' })
  writeFileSync(ralph.config.paths.projectFile, '{ "search": { "limit": 0 } }')
  expect(await ralph.health.check('settings')).toMatchObject({
    level: 'problem',
    detail: expect.stringContaining('search.limit'),
  })
})
