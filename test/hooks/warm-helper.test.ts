import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { askWarmHelper } from '../../src/hooks/ask-helper.ts'
import { serveHelper } from '../../src/hooks/helper.ts'
import { warmMarkPath } from '../../src/hooks/helper-address.ts'
import { sessionsDir } from '../../src/hooks/places.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { builtCommand } from '../support/built-command.ts'
import { READ, TEST_FAILED, world } from './support.ts'

/** A project with a helper that has everything loaded; what a hook of it would ask. */
async function warmWorld() {
  await builtCommand() // or it is built meanwhile, and the helper is of another build
  const { ralph, project, home } = await world([TEST_FAILED])
  const served = serveHelper(ralph)
  onTestFinished(async () => {
    // Without its address it ends by itself.
    await rm(join(home, 'run'), { recursive: true, force: true })
    await served
  })
  const ask = (fields: object, { left = 60_000, env = {} } = {}) =>
    askWarmHelper(home, {
      hook: {
        text: JSON.stringify({
          hook_event_name: 'PreToolUse',
          session_id: 's',
          cwd: project,
          transcript_path: join(project, 'none.jsonl'),
          ...fields,
        }),
      },
      caller: { parent: process.pid, remainingMs: () => left },
      env: { RALPH_HOME: home, ...env },
    })
  await expect.poll(() => ask({ hook_event_name: 'unknown' }), { timeout: 50_000 }).toBeDefined()
  return { ask, home, project, config: ralph.config }
}

it('answers a whole hook, as the hook itself would', { timeout: 120_000 }, async () => {
  const { ask, project, config } = await warmWorld()
  const read = READ(join(project, 'src/pay.ts'))
  expect((await ask(read))?.answer).toContain('expected 100 to be 120')
  // Once per session, and nothing where there is nothing to say.
  expect(await ask(read)).toEqual({ answer: undefined })
  // In the loop by what the hook's environment says, not the helper's.
  const start = { hook_event_name: 'SessionStart', source: 'startup', session_id: 'in-loop' }
  expect(await ask(start, { env: { RALPH_LOOP_RUN: 'run-1' } })).toEqual({ answer: undefined })
  expect((await ask({ ...start, session_id: 'by-hand' }))?.answer).toContain('Memory')
  if (process.platform === 'linux')
    expect(new SessionNotes(sessionsDir(config), 'by-hand').pending()?.process?.pid).toBe(process.pid)
})

it('does not count as told what comes too late to be heard', { timeout: 120_000 }, async () => {
  const { ask, project } = await warmWorld()
  const read = READ(join(project, 'src/pay.ts'))
  expect(await ask(read, { left: -1 })).toEqual({ answer: undefined })
  expect((await ask(read))?.answer).toContain('expected 100 to be 120')
})

it('does not answer for another build, nor where there is none', { timeout: 120_000 }, async () => {
  const { ask, home } = await warmWorld()
  await writeFile(warmMarkPath(home), 'another build')
  expect(await ask({})).toBeUndefined()
  await rm(warmMarkPath(home))
  expect(await ask({})).toBeUndefined()
})

it('is started by the first step that had to do without one, for its code alone', {
  timeout: 120_000,
}, async () => {
  const { hook, project, home, ralph } = await world([TEST_FAILED])
  const claim = join(home, 'cache', 'hooks', 'helper.claim')
  await rm(claim)
  const read = READ(join(project, 'src/pay.ts'))
  // Not by what comes once per session: where a server answers the steps, none is needed.
  await hook('Stop')
  expect(existsSync(claim)).toBe(false)
  expect((await hook('PreToolUse', read)).context).toContain('expected 100 to be 120')
  await expect.poll(() => existsSync(warmMarkPath(home)), { timeout: 60_000 }).toBe(true)
  expect((await hook('PreToolUse', { ...read, session_id: 'b' })).context).toContain('expected 100')
  expect(existsSync(ralph.config.paths.userDatabase)).toBe(false)
  await rm(join(home, 'run'), { recursive: true })
})

it('is served before others where the system allows that', { timeout: 120_000 }, async () => {
  const command = await builtCommand()
  const { project, home } = await world([TEST_FAILED])
  const start = (...args: string[]): ChildProcess => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, RALPH_HOME: home },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  const mayBe = () => {
    try {
      setPriority(start('-e', 'setInterval(() => {}, 1e3)').pid!, -7)
      return -7
    } catch {
      return 0
    }
  }
  const helper = start(command, 'hook', 'background', project, 'serve')
  await expect.poll(() => existsSync(warmMarkPath(home)), { timeout: 60_000 }).toBe(true)
  expect(getPriority(helper.pid!)).toBe(mayBe())
})
