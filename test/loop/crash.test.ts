import { fork, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RunProcesses } from '../../src/loop/agent/process-tree.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

const KILLS = 6

/** A loop in a process of its own, killed at that time or as soon as that file is there; whether it came to its end. */
async function loopProcess(kill?: number | string): Promise<boolean> {
  await world.put(
    'loop.ts',
    `import { openParts } from '${new URL('./world.ts', import.meta.url)}'
     import { runLoop } from '${new URL('../../src/loop/loop.ts', import.meta.url)}'
     const { parts } = openParts(${JSON.stringify(world.project)})
     process.send('ready')
     const { cause } = await runLoop(parts, ${JSON.stringify(world.options({ stagnationLimit: 50 }))}, () => undefined)
     process.exit(cause === 'done' ? 0 : 3)`,
  )
  const child = fork(join(world.project, 'loop.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exit = new Promise<number | null>((resolve) => child.on('exit', resolve))
  await new Promise((resolve) => child.once('message', resolve))
  const timer = typeof kill === 'number' ? setTimeout(() => child.kill('SIGKILL'), kill) : undefined
  const look = () =>
    typeof kill === 'string' && existsSync(join(world.project, kill)) && child.kill('SIGKILL')
  const looking = setInterval(look, 20)
  const code = await exit
  clearTimeout(timer)
  clearInterval(looking)
  return code === 0
}

it('loses no record and doubles none, whenever it is killed', async () => {
  await world.tasks('pending', 'pending', 'pending')
  // Leaves its own trace of having been started, works for a moment, and succeeds every other time.
  await world.agent(`
    appendFileSync('started.txt', process.env.RALPH_LOOP_RUN + '\\n')
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 150))
    call('Bash', { command: 'make' }, 'Exit code 2\\nError: nothing works in run ' + process.env.RALPH_LOOP_RUN, true)
    if (Math.random() < 0.5) setStatus('done')
    end('Tried it in run ' + process.env.RALPH_LOOP_RUN)`)
  let done = false
  for (let kill = 0; kill < KILLS && !done; kill++) done = await loopProcess(100 + Math.random() * 900)
  while (!done) done = await loopProcess()

  const started = (await world.text('started.txt')).trim().split('\n')
  const recorded = (await world.records()).map((record) =>
    record.timestamp.replace(/[-:.]/g, '').slice(0, 18),
  )
  // A run's name begins with the time stamp of its record.
  expect(recorded.toSorted()).toEqual([...new Set(recorded)].toSorted())
  for (const run of started) expect(recorded).toContain(run.slice(0, 18))
  for (const run of started) expect(await new RunProcesses(run).alive()).toEqual([])
  expect((await world.records()).map((record) => record.iterationNumber)).toEqual(
    recorded.map((_, index) => index + 1),
  )
  expect(await readdir(join(world.project, '.ralph/cache/loop/runs'))).toEqual([])
  expect((await world.parts.featureMemory.verify('auth')).damaged).toEqual([])
})

it('takes away the note of a run that a killed loop was just writing', async () => {
  await world.tasks('pending')
  await world.agent("setStatus('done'); end()")
  await world.put('.ralph/cache/loop/runs/20261117T050010793-7f36da58.json.30197-e5057285.tmp', '{"run_id":')
  expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 1 })
  expect(await readdir(join(world.project, '.ralph/cache/loop/runs'))).toEqual([])
})

it('ends the agent of a killed loop that shows no mark, known by its number and start in the note', async () => {
  await world.tasks('pending')
  await world.agent("setStatus('done'); end()")
  const orphan = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'], { stdio: 'ignore' })
  const exit = new Promise((resolve) => orphan.once('exit', (_, signal) => resolve(signal)))
  const runId = '20261117T050010793-7f36da58'
  const first = await new RunProcesses(runId, { pid: orphan.pid! }).first()
  const note = {
    run_id: runId,
    started_at: '2026-11-17T05:00:10.793Z',
    ...{ review: false, feature: 'auth', task_id: 1, task_title: 'One', discipline: 'backend' },
    ...{ before: { status: 'pending', comments: 0 }, log: 'log', shown_learnings: [], phase: 'running' },
    ...{ pid: first!.pid, pid_started: first!.started },
  }
  await world.put(`.ralph/cache/loop/runs/${runId}.json`, JSON.stringify(note))
  expect(await world.loop()).toMatchObject({ cause: 'done' })
  // Asked first; on a busy machine the second signal may overtake the first.
  expect(await exit).toMatch(/^SIG(TERM|KILL)$/)
})

it('checks the board of an iteration that was cut off, and ends its agent', async () => {
  await world.tasks('pending', 'pending')
  await world.agent(`
    writeFileSync(TASKS, 'tasks: []')
    appendFileSync('started.txt', process.env.RALPH_LOOP_RUN + '\\n')
    setInterval(() => say({ type: 'x' }), 50)`)
  const running = loopProcess(4_000)
  await running
  const [run] = (await world.text('started.txt')).trim().split('\n')
  expect(await new RunProcesses(run!).alive()).not.toEqual([])
  await world.agent("setStatus('done'); end()")
  expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 2 })
  expect(await new RunProcesses(run!).alive()).toEqual([])
  expect(world.events.find((event) => event.kind === 'undone')).toMatchObject({
    what: ['task 1 had vanished: put back', 'task 2 had vanished: put back'],
  })
  expect(await world.records()).toMatchObject([
    { outcome: 'partial' },
    { outcome: 'success' },
    { outcome: 'success' },
  ])
})

it('leaves alone what people edit after the crash', async () => {
  await world.tasks('pending', 'pending', 'pending')
  await world.agent(`
    rewrite(TASKS, 'title: Task 3', 'title: Mine')
    call('Bash', { command: 'node scripts/build.js' })
    writeFileSync('started.txt', '')
    setInterval(() => undefined, 50)`)
  await loopProcess('started.txt')
  const edited = (await world.text('.ralph/db/tasks.yaml')).replace(
    / {2}- id: 2\n(?: {4}.*\n)*/,
    '# Ann: no 2\n',
  )
  await world.put('.ralph/db/tasks.yaml', edited)
  await world.agent("setStatus('done'); end()")
  expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 2 })
  expect((await world.parts.board.tasks()).map(({ id }) => id)).toEqual([1, 3])
  expect(await world.text('.ralph/db/tasks.yaml')).toContain('# Ann: no 2')
})
