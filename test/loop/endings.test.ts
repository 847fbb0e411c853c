import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { needs } from '../support/needs.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

const last = async () => (await world.records()).at(-1)!

it('a run that a person stops is stopped, whatever its last words', async () => {
  needs('signals')
  await world.tasks('pending')
  await world.agent(
    "call('Write', { file_path: process.cwd() + '/half.txt' }, 'File created successfully at: half.txt'); process.on('SIGINT', () => { end('I stop here.'); process.exit(0) }); setInterval(() => {}, 50)",
  )
  const stop = new AbortController()
  const running = world.loop({}, { stop: stop.signal })
  await expect
    .poll(() => world.events.some(({ kind }) => kind === 'activity'), { timeout: 15_000 })
    .toBe(true)
  stop.abort()
  await running
  expect(await last()).toMatchObject({
    kind: 'task',
    outcome: 'partial',
    ending: { kind: 'stopped', cause: 'interrupted' },
    filesTouched: [{ path: 'half.txt', action: 'created' }],
    agent: 'claude-code',
    sessionId: 's',
  })
  expect((await last()).errors).toEqual([])
})

it('one that falls silent says for how long, and how long it took', async () => {
  await world.tasks('pending')
  await world.agent('setInterval(() => {}, 50)')
  await world.loop({ silenceLimitMs: 1_000, maxIterations: 1 })
  const record = await last()
  expect(record).toMatchObject({
    outcome: 'timeout',
    ending: { kind: 'stopped', cause: 'silence', detail: 'silent for 1 s', signal: 'SIGTERM' },
  })
  expect(record.durationMs).toBeGreaterThan(900)
})

it('one that the service ended is told by its cause, and what the loop does follows from that', async () => {
  await world.tasks('pending')
  await world.agent("refuse('Credit balance is too low', { api_error_status: 400 })")
  expect(await world.loop()).toMatchObject({ cause: 'agent_unusable', reason: 'Credit balance is too low' })
  expect(await last()).toMatchObject({
    outcome: 'failure',
    ending: { kind: 'service_failed', cause: 'credit', detail: 'Credit balance is too low' },
    errors: [],
  })
  const ended = world.events.find((event) => event.kind === 'iteration_ended')
  expect(ended).toMatchObject({ remark: 'was ended by the service for lack of credit' })
})

it('one that permissions kept from working is refused', async () => {
  await world.tasks('pending')
  await world.agent(
    "call('Bash', { command: 'touch a' }, 'Permission to use Bash has been denied.', true); end('I may not.')",
  )
  await world.loop({ maxIterations: 1 })
  expect(await last()).toMatchObject({ outcome: 'failure', ending: { kind: 'refused' } })
})

it('one that its loop left behind is told as recovered, unless it came to its own end', async () => {
  await world.tasks('pending', 'pending')
  const leave = async (runId: string, startedAt: string, lines: object[]) => {
    const log = join(world.project, `.ralph/cache/loop/logs/${runId}.jsonl`)
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await world.put(`.ralph/cache/loop/logs/${runId}.jsonl`, text)
    const note = {
      ...{ run_id: runId, started_at: startedAt, review: false, feature: 'general', task_id: 1, log },
      ...{ task_title: 'Task 1', discipline: 'general', before: { status: 'pending', comments: 0 } },
      ...{ shown_learnings: [], phase: 'running' },
    }
    await world.put(`.ralph/cache/loop/runs/${runId}.json`, JSON.stringify(note))
  }
  const init = { type: 'system', subtype: 'init', session_id: 'x', cwd: world.project, model: 'm' }
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'All I could do.' }
  await leave('20260101T00000000-a', '2026-01-01T00:00:00.000Z', [init])
  await leave('20260101T00000001-b', '2026-01-01T00:00:01.000Z', [init, result])
  await world.agent("setStatus('done'); end()")
  await world.loop({ maxIterations: 1 })
  const endings = (await world.records('general')).map(({ outcome, ending }) => [outcome, ending])
  expect(endings.slice(0, 2)).toEqual([
    ['partial', { kind: 'stopped', cause: 'recovered' }],
    ['failure', { kind: 'worked' }],
  ])
})

it('reviews are of their own kind, and a session by hand postpones none', async () => {
  await world.tasks('pending', 'pending', 'pending')
  await world.agent("if (task) setStatus('done'); end()")
  await world.loop({ reviewEvery: 2, maxIterations: 2 })
  await world.parts.featureMemory.recordIteration({
    ...{ kind: 'session', feature: 'auth', taskId: 0, taskTitle: 'By hand' },
    ...{ timestamp: new Date().toISOString(), outcome: 'success', summary: 'Looked around.' },
  })
  await world.loop({ reviewEvery: 2, maxIterations: 1 })
  expect((await world.records()).map(({ kind }) => kind)).toEqual(['task', 'task', 'session', 'review'])
})
