import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RalphError } from '../../src/errors.ts'
import { AgentLoop } from '../../src/loop/agent-loop.ts'
import { loopKnowledge } from '../../src/loop/knowledge.ts'
import { ProjectKnowledge } from '../../src/project-knowledge/project-knowledge.ts'
import { WaitingIterations } from '../../src/project-knowledge/waiting-iterations.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { makeWorld, type World } from './world.ts'

let world: World
let storage: Storage
let knowledge: ProjectKnowledge
let isDown = false
beforeEach(async () => {
  isDown = false
  world = await makeWorld()
  storage = await openSqliteStorage({ path: join(world.project, 'home', 'ralph.db') })
  const { index, embedder, notices } = world.retrieval
  knowledge = new ProjectKnowledge({ storage, index, embedder, notices })
  const reached = new Proxy(knowledge, {
    get(target, name: keyof ProjectKnowledge) {
      if (isDown) throw new RalphError('unavailable', 'PostgreSQL is down', { retryable: true })
      const member = target[name]
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const { project, board } = world.parts
  world.parts.knowledge = loopKnowledge(reached, { project, board, gate: 'review' })
})
afterEach(async () => {
  await storage.close()
  await world.close()
})

/** Each task fails its test once, and passes it the second time. */
const AGENT = `
  const before = existsSync('attempts') ? readFileSync('attempts', 'utf8') : ''
  appendFileSync('attempts', task + ';')
  const name = ['cart', 'invoice'][task - 1]
  const message = 'Exit code 1\\nAssertionError: the total of the ' + name + ' is off by its tax'
  if (!before.includes(task + ';')) {
    write('src/' + name + '.ts', 'const tax = 0')
    call('Bash', { command: 'npm test ' + name }, message, true)
    end('The total is still wrong.')
  } else {
    write('src/' + name + '.ts', 'const tax = total * rate')
    call('Bash', { command: 'npm test ' + name }, '1 passing')
    setStatus('done')
    end('Computed the tax of task ' + task + ' after the discount.')
  }`

const waiting = () => new WaitingIterations({ home: join(world.project, 'home'), project: world.project })
const solutions = async () =>
  (await knowledge.staged()).entries.map((entry) =>
    entry.kind === 'failure_solution' ? String(entry.solutionSteps).split('\n')[0] : entry.kind,
  )

it('hands on what was solved and what waits for a person while the storage was down, once, as soon as it is back', async () => {
  isDown = true
  await world.tasks('pending', 'pending')
  await world.agent(AGENT)
  await world.loop({ stagnationLimit: 10 })
  expect((await world.records()).map(({ outcome }) => outcome)).toContain('success')
  // Those that have something to tell.
  expect(waiting().all()).toHaveLength(2)
  expect(await solutions()).toEqual([])

  // Still down, and nothing to do: everything goes on waiting.
  await world.loop()
  expect(waiting().all()).toHaveLength(2)

  isDown = false
  await rm(join(world.project, '.ralph', 'cache'), { recursive: true, force: true })
  await world.loop()
  expect(waiting().all()).toEqual([])
  expect(await solutions()).toEqual(
    expect.arrayContaining([
      'Computed the tax of task 1 after the discount.',
      'Computed the tax of task 2 after the discount.',
    ]),
  )
  expect(await solutions()).toHaveLength(2)
  expect((await knowledge.gates.waiting()).map(({ taskId }) => taskId).sort()).toEqual(['1', '2'])

  // Told of twice, as after a crash in between, it is known already.
  for (const { feature, iterationNumber: iteration, timestamp } of await world.records())
    await waiting().add({ feature, iteration, timestamp, patterns: [] })
  expect(await new AgentLoop(world.parts).handOnWaiting()).toBe((await world.records()).length)
  expect(await solutions()).toHaveLength(2)
  expect(await knowledge.gates.waiting()).toHaveLength(2)
})

it('hands nothing on of what a clone brought in its journal', async () => {
  isDown = true
  await world.tasks('pending')
  await world.agent(AGENT)
  await world.loop()
  waiting().forget()
  isDown = false
  await world.loop()
  expect(await solutions()).toEqual([])
})
