import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

const recording = (name: string) =>
  fileURLToPath(new URL(`../fixtures/stream-json/${name}.jsonl`, import.meta.url))
const TASK = ['--feature', 'auth', '--task-id', '7', '--task-title', 'Build login form']

async function project() {
  const folder = await temporaryFolder()
  const cwd = join(folder, 'shop')
  const home = join(folder, 'home')
  makeCheckout(cwd)
  await mkdir(home)
  const ralph = (...args: string[]) => runRalph(args, { cwd, home })
  return { folder, cwd, home, ralph }
}

describe('the installed command', { timeout: 120_000 }, () => {
  it('records a run, finds it, and finds it again without the cache', async () => {
    const { cwd, ralph } = await project()
    expect(await ralph('init')).toMatchObject({ code: 0 })
    const recorded = await ralph(
      'memory',
      'record',
      ...TASK,
      '--transcript',
      recording('02-failing-checks'),
      '--json',
    )
    expect(recorded).toMatchObject({ code: 0, stderr: '' })
    expect(recorded.json).toMatchObject({
      record: { iteration_number: 1, task_id: 7, feature: 'auth', errors: expect.any(Array) },
    })

    const search = () =>
      ralph('memory', 'search', 'tests are failing', '--feature', 'auth', '--json', '--min-score', '0')
    const found = await search()
    expect(found.json).toMatchObject({
      results: [
        {
          record: { iteration_number: 1 },
          score: expect.any(Number),
          relevance: expect.any(String),
          matched: expect.any(Array),
          age: 'from iteration 1, the latest',
        },
      ],
    })
    await rm(join(cwd, '.ralph', 'cache'), { recursive: true })
    expect((await search()).json).toEqual(found.json)
  })

  it('reads a transcript from standard input', async () => {
    const { cwd, home } = await project()
    const input = await readFile(recording('00-hello'), 'utf8')
    const result = await runRalph(['memory', 'record', ...TASK, '--transcript', '-', '--json'], {
      cwd,
      home,
      input,
    })
    expect(result.json).toMatchObject({ record: { outcome: 'success' } })
  })

  it('says that a run is recorded already, and takes a session without a task', async () => {
    const { ralph } = await project()
    const file = recording('40-resume-first')
    const session = ['memory', 'record', '--feature', 'auth', '--task-title', 'By hand', '--transcript', file]
    const first = await ralph(...session, '--json')
    expect(first.json).toMatchObject({
      status: 'recorded',
      record: { kind: 'session', task_id: 0, agent: 'claude-code', ending: { kind: 'done' } },
    })
    const again = await ralph(...session, '--json')
    expect(again).toMatchObject({
      code: 0,
      json: { status: 'known', record: { iteration_number: 1 } },
      stderr: expect.stringContaining('recorded already, as iteration 1: nothing was stored'),
    })
    expect(await ralph(...session, '--kind', 'task')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('needs its task'),
    })
  })

  it.each([
    ['text that is no JSON', 'hello\nworld\n', /no transcript/],
    ["an unknown agent's output", '{"type":"run.began","run":"r"}\n', /no transcript/],
    ['nothing', '', /empty/],
    ['a binary file', Buffer.from([0, 1, 2, 3, 255]), /binary/],
  ])('refuses %s as a transcript with one line and a next step', async (_, content, message) => {
    const { cwd, ralph } = await project()
    await writeFile(join(cwd, 'bad.jsonl'), content)
    const result = await ralph('memory', 'record', ...TASK, '--transcript', 'bad.jsonl')
    expect(result.code).toBe(1)
    expect(result.stdout).toBe('')
    expect(result.stderr).toMatch(message)
    expect(result.stderr).toMatch(/\n {2}→ /)
  })

  it('refuses a directory and a missing file as a transcript', async () => {
    const { ralph } = await project()
    expect(await ralph('memory', 'record', ...TASK, '--transcript', '.')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a folder'),
    })
    expect(await ralph('memory', 'record', ...TASK, '--transcript', 'none')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('does not exist'),
    })
  })

  it.each([
    [['memory', 'search', 'x'], /--feature/],
    [['memory', 'search', 'x', '--feature', 'a', '--limit', '-1'], /whole number/],
    [['memory', 'search', 'x', '--feature', 'a', '--min-score', '7'], /0 to 1/],
    [['memory', 'nonsense'], /unknown command/],
    [['nonsense'], /unknown command/],
  ])('exits 2 on wrong usage: %j', async (args, message) => {
    const { ralph } = await project()
    expect(await ralph(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })

  it('keeps features apart that differ in case, and takes any name that fits a file', async () => {
    const { ralph } = await project()
    for (const feature of ['Login', 'login', 'a/b/../c', '🚀 launch']) {
      const args = [
        'memory',
        'record',
        '--feature',
        feature,
        '--task-id',
        '1',
        '--task-title',
        `for ${feature}`,
        '--transcript',
        recording('00-hello'),
      ]
      expect(await ralph(...args)).toMatchObject({ code: 0 })
    }
    for (const feature of ['Login', 'login', 'a/b/../c', '🚀 launch']) {
      const { json } = await ralph('memory', 'recent', '--feature', feature, '--json')
      expect(json).toMatchObject({ iterations: [{ feature, task_title: `for ${feature}` }] })
    }
    const long = await ralph('memory', 'recent', '--feature', 'x'.repeat(300))
    expect(long).toMatchObject({ code: 1, stderr: expect.stringContaining('too long') })
  })

  it('exits 1 from verify when a line is damaged, and names the line', async () => {
    const { cwd, ralph } = await project()
    await ralph('memory', 'record', ...TASK, '--transcript', recording('00-hello'))
    expect(await ralph('memory', 'verify')).toMatchObject({ code: 0 })
    await appendFile(join(cwd, '.ralph', 'db', 'memory', 'auth.jsonl'), '{"version":2,"record":{}}\n')
    expect(await ralph('memory', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('line 2: journal entry of version 2'),
    })
  })

  it('moves memory between machines', async () => {
    const from = await project()
    await from.ralph('memory', 'record', ...TASK, '--transcript', recording('00-hello'))
    const exported = await from.ralph('memory', 'export', '--feature', 'auth')
    const to = await project()
    await writeFile(join(to.cwd, 'memory.jsonl'), exported.stdout)
    expect((await to.ralph('memory', 'import', 'memory.jsonl', '--json')).json).toMatchObject({
      imported: 1,
      known: 0,
    })
    expect((await to.ralph('memory', 'export', '--feature', 'auth')).stdout).toBe(exported.stdout)
  })

  it('never forgets without being told twice', async () => {
    const { ralph } = await project()
    await ralph('memory', 'record', ...TASK, '--transcript', recording('00-hello'))
    expect(await ralph('memory', 'forget', '--feature', 'auth')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--yes'),
    })
    expect((await ralph('memory', 'forget', '--feature', 'auth', '--yes', '--json')).json).toEqual({
      forgotten: 1,
    })
  })

  it('says what is there when a feature is unknown', async () => {
    const { ralph } = await project()
    await ralph('memory', 'record', ...TASK, '--transcript', recording('00-hello'))
    const result = await ralph('memory', 'search', 'anything', '--feature', 'atuh')
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('Features with memory: auth') })
  })

  it('loses nothing with twenty writers, some killed', async () => {
    const { cwd, home, ralph } = await project()
    const command = await builtCommand()
    const env = { ...process.env, RALPH_HOME: home, NO_COLOR: '1' }
    const run = await readFile(recording('00-hello'), 'utf8')
    const acknowledged: number[] = []
    const writers = Array.from({ length: 20 }, async (_, at) => {
      // Each a run of its own.
      await writeFile(join(cwd, `run${at}.jsonl`), run.replaceAll('0533890d', `0000000${at}`.slice(-8)))
      const args = [
        'memory',
        'record',
        '--feature',
        'auth',
        '--task-id',
        String(at),
        '--task-title',
        `task ${at}`,
        '--transcript',
        `run${at}.jsonl`,
        '--json',
      ]
      const child = spawn(process.execPath, [command, ...args], {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      if (at % 4 === 0) setTimeout(() => child.kill('SIGKILL'), 200 + at * 40)
      const [code] = await once(child, 'close')
      if (code === 0) acknowledged.push(at)
    })
    await Promise.all(writers)
    expect(acknowledged.length).toBeGreaterThanOrEqual(15)
    expect(await ralph('memory', 'verify')).toMatchObject({ code: 0 })
    const { iterations } = (await ralph('memory', 'recent', '--feature', 'auth', '--count', '100', '--json'))
      .json as {
      iterations: { task_id: number; iteration_number: number }[]
    }
    expect(acknowledged.filter((task) => !iterations.some(({ task_id }) => task_id === task))).toEqual([])
    expect(new Set(iterations.map(({ iteration_number }) => iteration_number)).size).toBe(iterations.length)
  })

  it('has help with an example for every command', async () => {
    const { ralph } = await project()
    const { stdout } = await ralph('memory', 'search', '--help')
    expect(stdout).toContain('$ ralph memory search')
  })

  it('reports status and health', async () => {
    const { ralph } = await project()
    expect((await ralph('status', '--verbose')).stdout).toMatch(/\n {2}RAG: active \(/)
    expect(await ralph('doctor', '--fix')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('✓ embedder'),
    })
    expect((await ralph('doctor', '--json')).json).toMatchObject({ ok: true })
  })
})
