import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { rejectWork } from '../../src/loop/gate.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { TOOLBOX } from '../loop/world.ts'
import { temporaryDatabase } from '../stand-ins/postgres.ts'
import { saidBy } from '../support/in-process.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** Does every task at once, and keeps what it was told. */
const AGENT = `${TOOLBOX}
appendFileSync('prompts.txt', prompt)
write('src/task-' + task + '.ts', 'export const attempt = ' + Math.random())
setStatus('done')
end('Did task ' + task + '.')`

const GATE = { loop: { gate: 'review' } }
const QUICK = { timeLimitMs: 20_000, silenceLimitMs: 20_000, stagnationLimit: 3, reviewEvery: 0 }

/** Ann's clone, in which the loop has done two tasks; Bob's, made of it when both waited at the gate; and a third one. */
async function clones() {
  const [{ url, remove }, folder] = [await temporaryDatabase(), await temporaryFolder()]
  onTestFinished(remove)
  const env = { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: url, RALPH_EMBEDDER: 'none' }
  const clone = async (name: string) => {
    const place = { home: join(folder, name, 'home'), project: join(folder, name, 'shop') }
    const own = { ...env, RALPH_USER: name }
    const ralph = await openRalph({
      ...place,
      env: own,
      settings: GATE,
      via: 'page',
      onNotice: () => undefined,
    })
    onTestFinished(() => ralph.close())
    const run = (...words: string[]) => saidBy(words, { cwd: place.project, home: place.home, env: own })
    return { ...place, ralph, run }
  }
  const first = join(folder, 'ann', 'shop')
  mkdirSync(join(first, '.ralph', 'db'), { recursive: true })
  writeFileSync(join(first, 'agent.mjs'), AGENT)
  const ann = await clone('ann')
  await ann.ralph.board.addFeature({ name: 'cart' })
  for (const title of ['Sum up the cart', 'Print the invoice'])
    await ann.ralph.board.addTask({ feature: 'cart', title })
  await loop(ann.ralph)
  // As git would: without what is only this machine's.
  const filter = (path: string) => !path.includes(join('.ralph', 'cache'))
  for (const to of ['bob', 'cat']) cpSync(first, join(folder, to, 'shop'), { recursive: true, filter })
  return { ann, bob: await clone('bob'), cat: await clone('cat') }
}

async function loop({ loop, config }: Ralph, more: { dryRun?: boolean } = {}) {
  const kinds: string[] = []
  const agent = [process.execPath, join(config.project, 'agent.mjs')]
  const options = { ...QUICK, agent, promptBudget: 8_000, ...more }
  const { iterations, cause } = await loop.run(options, ({ kind }) => kinds.push(kind))
  return { iterations, cause, sentBack: kinds.filter((kind) => kind === 'sent_back').length }
}

const statuses = async ({ board }: Ralph) => (await board.tasks()).map(({ status }) => status)
const gateOf = async ({ knowledge, config }: Ralph, taskId: string) =>
  (await knowledge.gates.waiting({ project: config.project })).find((gate) => gate.taskId === taskId)!.id

async function decide({ knowledge, board, identity }: Ralph, gates: { approve: string; reject: string }) {
  await knowledge.gates.approve(gates.approve)
  await rejectWork({ gates: knowledge.gates, board, identity }, gates.reject, { feedback: 'Round up' })
}

it('takes up on every clone what was decided at a gate on another one: once, and nothing that changed since', async () => {
  const { ann, bob, cat } = await clones()
  expect(await statuses(bob.ralph)).toEqual(['done', 'done'])
  await decide(bob.ralph, { approve: await gateOf(bob.ralph, '1'), reject: await gateOf(bob.ralph, '2') })
  expect(await statuses(bob.ralph)).toEqual(['done', 'pending'])
  expect(await statuses(ann.ralph)).toEqual(['done', 'done'])
  expect((await ann.run('gate', 'list')).stderr).toContain('Task 2 was sent back on another clone')
  await loop(ann.ralph, { dryRun: true })
  expect(await statuses(ann.ralph)).toEqual(['done', 'done'])

  // What was approved stays done; what was rejected is done again with the feedback, and asks again.
  expect(await loop(ann.ralph)).toEqual({ iterations: 1, cause: 'done', sentBack: 1 })
  expect(readFileSync(join(ann.project, 'prompts.txt'), 'utf8')).toContain('Round up')
  expect(await ann.ralph.featureMemory.recent('cart', 1)).toMatchObject([{ taskId: 2, outcome: 'success' }])
  expect(await ann.ralph.knowledge.gates.waiting()).toMatchObject([{ taskId: '2', attempt: 2 }])
  expect(await loop(ann.ralph)).toEqual({ iterations: 0, cause: 'done', sentBack: 0 })

  // Approved since: a clone that never heard of the rejection has nothing to send back.
  await ann.ralph.knowledge.gates.approve(await gateOf(ann.ralph, '2'))
  expect(await loop(cat.ralph)).toEqual({ iterations: 0, cause: 'done', sentBack: 0 })
})

it('leaves alone what git brought already, and what somebody called done after it was rejected', async () => {
  const { ann, bob, cat } = await clones()
  await decide(bob.ralph, { approve: await gateOf(bob.ralph, '1'), reject: await gateOf(bob.ralph, '2') })
  cpSync(bob.ralph.config.paths.database, ann.ralph.config.paths.database, { recursive: true })
  expect(await statuses(ann.ralph)).toEqual(['done', 'pending'])
  await ann.ralph.board.patchTask(2, { status: 'done' })
  expect(await loop(ann.ralph)).toEqual({ iterations: 0, cause: 'done', sentBack: 0 })
  expect(await statuses(ann.ralph)).toEqual(['done', 'done'])

  await cat.ralph.board.patchTask(2, { status: 'skipped' })
  expect(await loop(cat.ralph)).toMatchObject({ sentBack: 0 })
  expect(await statuses(cat.ralph)).toEqual(['done', 'skipped'])
})
