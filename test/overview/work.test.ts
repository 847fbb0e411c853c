import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function opened(): Promise<Ralph> {
  const folder = await temporaryFolder()
  const project = join(folder, 'shop')
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project, home: join(folder, 'home'), env, onNotice: () => undefined })
  onTestFinished(() => ralph.close())
  return ralph
}

it('is all zeros where nothing was done', async () => {
  const ralph = await opened()
  expect(await ralph.overview.work()).toEqual({
    iterations: 0,
    outcomes: { success: 0, failure: 0, partial: 0, timeout: 0, rate_limited: 0 },
    costUsd: 0,
    tokens: 0,
    tasks: { done: 0, open: 0 },
    features: [],
    days: [],
  })
  expect(await ralph.overview.told()).toMatchObject({ receipts: 0, told: 0, used: 0 })
})

it('sums up features, the most recently active first, and days over all of them', async () => {
  const ralph = await opened()
  const { featureMemory, board } = ralph
  await board.addFeature({ name: 'cart', displayName: 'The cart' })
  await board.addFeature({ name: 'quiet' })
  await board.addTask({ title: 'One', feature: 'cart', status: 'done' })
  await board.addTask({ title: 'Two', feature: 'cart', status: 'skipped' })
  await board.addTask({ title: 'Three', feature: 'cart' })
  const record = (feature: string, day: string, fields: Parameters<typeof newIteration>[0]) =>
    featureMemory.recordIteration(newIteration({ feature, timestamp: `${day}T10:00:00Z`, ...fields }))
  await record('cart', '2026-02-07', { outcome: 'failure', costUsd: 0.5, tokensUsed: 100 })
  await record('cart', '2026-02-08', { outcome: 'success', costUsd: 0.25 })
  await record('cart', '2026-02-08', { outcome: 'rate_limited' })
  await record('login', '2026-02-08', { outcome: 'success', costUsd: 1 })
  await record('login', '2026-02-09', { outcome: 'success' })
  const work = await ralph.overview.work()
  expect(work).toMatchObject({
    iterations: 5,
    outcomes: { success: 3, failure: 1, rate_limited: 1 },
    successRate: 0.75,
    costUsd: 1.75,
    tokens: 100,
    tasks: { done: 1, open: 1 },
  })
  expect(work.features.map(({ name, onBoard }) => [name, onBoard])).toEqual([
    ['login', false],
    ['cart', true],
    ['quiet', true],
  ])
  expect(work.features[1]).toMatchObject({
    displayName: 'The cart',
    tasks: { done: 1, open: 1 },
    successRate: 0.5,
    outcomes: ['failure', 'success', 'rate_limited'],
    totals: { iterations: 3, costUsd: 0.75, withoutCost: 1, last: '2026-02-08T10:00:00.000Z' },
  })
  expect(work.features[2]).not.toHaveProperty('successRate')
  expect(work.days.map(({ day, iterations, costUsd }) => [day, iterations, costUsd])).toEqual([
    ['2026-02-07', 1, 0.5],
    ['2026-02-08', 3, 1.25],
    ['2026-02-09', 1, 0],
  ])
})

it('goes on with the journals when the board is broken, and with the others when a journal is', async () => {
  const ralph = await opened()
  await ralph.featureMemory.recordIteration(newIteration({ feature: 'cart' }))
  mkdirSync(join(ralph.config.paths.memory, 'odd.jsonl'))
  writeFileSync(join(ralph.config.paths.database, 'tasks.yaml'), 'tasks: [')
  const work = await ralph.overview.work()
  expect(work.boardTrouble).toContain('tasks.yaml')
  expect(work.features.map(({ name, trouble }) => [name, trouble !== undefined])).toEqual([
    ['cart', false],
    ['odd', true],
  ])
})

it('tells what it knows when it may not wait, and the rest as soon as it is read', async () => {
  const ralph = await opened()
  await ralph.featureMemory.recordIteration(newIteration({ feature: 'cart' }))
  const first = await ralph.overview.work({ patienceMs: 0 })
  expect(first.features).toMatchObject([{ name: 'cart' }])
  await expect
    .poll(async () => (await ralph.overview.work({ patienceMs: 0 })).features)
    .toMatchObject([{ name: 'cart', totals: { iterations: 1 } }])
  expect((await ralph.overview.work()).features[0]).not.toHaveProperty('counting')
  await ralph.featureMemory.forget('cart', {})
  expect((await ralph.overview.work()).features).toEqual([])
})
