/** What the page hears when something it stands on breaks while it is open: never a crash, always what to do. */
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tellStory } from '../../src/demo/tell-story.ts'
import type { SettingsInput } from '../../src/settings-schema.ts'
import { startPostgres } from '../stand-ins/postgres.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { dashboardWorld } from '../support/dashboard.ts'
import { rawRequest } from '../support/raw-request.ts'

const FEATURE = '/api/features/checkout'
const OF_FEATURE = [
  FEATURE,
  `${FEATURE}/iterations`,
  `${FEATURE}/iterations?outcome=failure`,
  `${FEATURE}/trend`,
  `${FEATURE}/errors`,
  `${FEATURE}/files`,
  `${FEATURE}/iterations/3`,
  `${FEATURE}/iterations/3/told`,
  `${FEATURE}/iterations/3/left`,
]
const OF_BOARD = [`${FEATURE}/tasks`, `${FEATURE}/learnings`]
const OF_DATABASE = [
  '/api/gates?state=waiting',
  '/api/knowledge',
  '/api/knowledge/entries',
  '/api/knowledge/staged',
  '/api/conversations',
  '/api/conversations/about',
]
const OF_SEVERAL = [
  '/api/workers',
  '/api/workers/queue?worker=embedding',
  '/api/session',
  '/api/overview/waiting',
  '/api/overview/work',
  '/api/overview/told',
  '/api/overview/health',
  '/api/search?query=cart',
  '/api/search/features',
  '/api/knowledge/patterns?question=cart',
  '/api/conversations/search?query=cart',
  '/api/map',
  '/api/doctor',
]
const OF_FILES = ['/api/receipts', '/api/receipts/totals', '/api/settings']
const ALL = [...OF_FEATURE, ...OF_BOARD, ...OF_DATABASE, ...OF_SEVERAL, ...OF_FILES]

it('PostgreSQL goes down: what is in files is shown, the rest says so, and all is back when it is', async () => {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  const { statuses } = await world({ storage: { driver: 'postgres', url: server.url } })
  expect(await statuses(ALL)).toEqual(all(ALL, 200))
  await server.stop('immediate')
  expect(await statuses(OF_DATABASE)).toEqual(all(OF_DATABASE, 503))
  const ofFiles = [...OF_FEATURE, ...OF_BOARD, ...OF_FILES, '/api/session', '/api/overview/work']
  expect(await statuses(ofFiles)).toEqual(all(ofFiles, 200))
  noDefect(await statuses(OF_SEVERAL))
  await server.start()
  expect(await statuses(ALL)).toEqual(all(ALL, 200))
})

it('Qdrant goes down: only what searches is less', async () => {
  const server = await startQdrant()
  onTestFinished(() => server.close())
  const { statuses } = await world({ index: { driver: 'qdrant', url: server.url } })
  expect(await statuses(ALL)).toEqual(all(ALL, 200))
  await server.close()
  const others = [...OF_FEATURE, ...OF_BOARD, ...OF_DATABASE, ...OF_FILES]
  expect(await statuses(others)).toEqual(all(others, 200))
  noDefect(await statuses(OF_SEVERAL))
  await server.restart()
  expect(await statuses(ALL)).toEqual(all(ALL, 200))
})

it('a journal is damaged: what is left of it is shown, and none of it is lost', async () => {
  const { statuses, ralph } = await world()
  expect(await statuses(ALL)).toEqual(all(ALL, 200))
  const { path } = ralph.featureMemory.journal('checkout')
  const whole = readFileSync(path)
  const damages: (() => void)[] = [
    () => appendFileSync(path, '{"version":1,"record":{"iteration_nu'),
    () => appendFileSync(path, '\nnot json\n{"version":99}\n\x00\xff\n'),
    () => appendFileSync(path, `${'x'.repeat(5_000_000)}\n`),
    () => truncateSync(path, Math.floor(whole.length / 2)),
    () => truncateSync(path, 0),
    () => rmSync(path),
  ]
  for (const damage of damages) {
    damage()
    noDefect(await statuses([...OF_FEATURE, ...OF_BOARD, ...OF_SEVERAL]))
    writeFileSync(path, whole)
  }
  expect(await statuses(ALL)).toEqual(all(ALL, 200))
  expect(readFileSync(path)).toEqual(whole)
})

it('a board or settings file is broken: the rest is shown', async () => {
  const { statuses, ralph } = await world()
  const { database, projectFile } = ralph.config.paths
  for (const path of [join(database, 'features.yaml'), join(database, 'tasks.yaml'), projectFile]) {
    writeFileSync(path, 'features: [\n  "unclosed\n')
    noDefect(await statuses(ALL))
    expect(await statuses(OF_DATABASE)).toEqual(all(OF_DATABASE, 200))
  }
})

it('the project’s folder is deleted: the page says so, and nothing is made in its place', async () => {
  const { statuses, project } = await world()
  renameSync(project, `${project} elsewhere`)
  const others = ALL.filter((path) => path !== '/api/session')
  expect(await statuses(ALL)).toEqual({ ...all(others, 503), '/api/session': 200 })
  expect(existsSync(project)).toBe(false)
  renameSync(`${project} elsewhere`, project)
  expect(await statuses(ALL)).toEqual(all(ALL, 200))
})

it('the user’s folder is deleted', async () => {
  const { statuses, home } = await world()
  rmSync(home, { recursive: true })
  noDefect(await statuses(ALL))
})

async function world(settings: SettingsInput = {}) {
  const shown = await dashboardWorld({ settings })
  await tellStory(shown.ralph)
  const { port } = shown
  const { headers } = await rawRequest(port, { path: `/${new URL(shown.dashboard.address).search}` })
  const cookie = headers['set-cookie']![0]!.split(';')[0]!
  /** What each is answered with; where that is an error, it says what is wrong. */
  const statuses = async (paths: readonly string[]) => {
    const answers: Record<string, number | string> = {}
    for (const path of paths) {
      const { status, json, text } = await rawRequest(port, { path, headers: { cookie } })
      answers[path] = status === 500 ? text : status
      if (status >= 400) expect(json.error.message, path).not.toBe('')
    }
    return answers
  }
  return { ...shown, statuses }
}

function all(paths: readonly string[], status: number): Record<string, number> {
  return Object.fromEntries(paths.map((path) => [path, status]))
}

function noDefect(answers: Record<string, number | string>): void {
  expect(
    Object.entries(answers).filter(([, status]) => typeof status === 'string' || status === 400),
  ).toEqual([])
}
