import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../src/config.ts'
import { processStat } from '../src/files/process-stat.ts'
import { isHeldBack, isPlainlyHeldBack } from '../src/held-back.ts'
import { needs } from './support/needs.ts'
import { temporaryFolder } from './support/temporary.ts'

const RUN = { RALPH_LOOP_RUN: 'run-1' }
/** As a system lists them that has no `/proc`: a server below Codex, and a person's terminal beside it. */
const TABLE = new Map([
  [100, { parent: 1, started: 'Tue Nov 17 09:00:00 2026' }],
  [200, { parent: 100, started: 'Tue Nov 17 10:00:00 2026' }],
  [300, { parent: 200, started: 'Tue Nov 17 10:00:01 2026' }],
  [400, { parent: 300, started: 'Tue Nov 17 10:00:02 2026' }],
  [500, { parent: 100, started: 'Tue Nov 17 10:00:03 2026' }],
])

/** A project in which a loop has noted this run. */
async function noted(note?: Record<string, unknown>, env: Record<string, string> = {}) {
  const folder = await temporaryFolder()
  const project = join(folder, 'shop')
  const runs = join(project, '.ralph', 'cache', 'loop', 'runs')
  mkdirSync(runs, { recursive: true })
  if (note) writeFileSync(join(runs, 'run-1.json'), JSON.stringify(note))
  return resolveConfig({ project, home: join(folder, 'home'), env })
}

const going = { phase: 'running', memory: { given: false, pieces: 3 } }
const CODEX = { ...going, pid: 200, pid_started: 'Tue Nov 17 10:00:00 2026' }
const elsewhere = (parent: number) => ({ parent, platform: 'darwin' as const, list: async () => TABLE })

it('is told by the environment of the run', async () => {
  const withheld = await noted(undefined, { ...RUN, RALPH_LOOP_MEMORY: 'withheld' })
  expect([await isHeldBack(withheld), isPlainlyHeldBack(withheld)]).toEqual([true, true])
  for (const env of [{ ...RUN, RALPH_LOOP_MEMORY: 'given' }, RUN, { RALPH_LOOP_MEMORY: 'withheld' }])
    expect(await isHeldBack(await noted(undefined, env))).toBe(false)
})

it('is told where neither the environment nor /proc says it, by the note of the run', async () => {
  const config = await noted(CODEX)
  expect(await isHeldBack(config, elsewhere(300))).toBe(true)
  expect(await isHeldBack(config, elsewhere(200))).toBe(true)
  // A terminal of the person's, at the same time.
  expect(await isHeldBack(config, elsewhere(500))).toBe(false)
})

it.each([
  ['was told', { ...CODEX, memory: { given: true, pieces: 3 } }],
  ['is over', { ...CODEX, phase: 'ended' }],
  ['has not begun', going],
  [
    'ended long ago, when its number was another one’s',
    { ...CODEX, pid_started: 'Mon Nov 16 08:00:00 2026' },
  ],
])('does not hold back from what is below a run that %s', async (_, note) => {
  expect(await isHeldBack(await noted(note), elsewhere(300))).toBe(false)
})

it('lists no process while no run goes without memory', async () => {
  const list = () => Promise.reject(new Error('nobody needs to know'))
  expect(await isHeldBack(await noted(), { ...elsewhere(300), list })).toBe(false)
  const told = { ...CODEX, memory: { given: true, pieces: 1 } }
  expect(await isHeldBack(await noted(told), { ...elsewhere(300), list })).toBe(false)
})

it('knows on Linux whoever is below the run, whatever of its environment is handed on', async () => {
  needs('environments')
  const env = { PATH: process.env['PATH'], RALPH_LOOP_MEMORY: 'withheld' }
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3); console.log("up")'], { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  expect(isPlainlyHeldBack(await noted(), { parent: child.pid! })).toBe(true)
  expect(isPlainlyHeldBack(await noted())).toBe(false)
  // Also where nobody may read its environment: by the note.
  const started = processStat(process.pid)!.started
  const config = await noted({ ...going, pid: process.pid, pid_started: started })
  expect(await isHeldBack(config, { parent: process.pid })).toBe(true)
  expect(await isHeldBack(config, { parent: process.ppid })).toBe(false)
})
