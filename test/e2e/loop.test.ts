import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HELD_BACK } from '../../src/held-back.ts'
import { RunProcesses } from '../../src/loop/agent/process-tree.ts'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
import { needs } from '../support/needs.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

let project: string
let home: string
beforeEach(async () => {
  const root = await temporaryFolder()
  project = join(root, 'shop')
  home = join(root, 'home')
  makeCheckout(project)
  await mkdir(home)
})

const ENV = { RALPH_EMBEDDER: 'none' }
const isLinux = process.platform === 'linux'
const ralph = (...args: string[]) => runRalph(args, { cwd: project, home, env: ENV })
const text = (path: string) => readFile(join(project, path), 'utf8')

describe('the board from the command line', () => {
  it('is made, read, changed and removed', async () => {
    await ralph('init')
    expect(
      (await ralph('feature', 'add', 'auth', '--description', 'Lets people in.', '--json')).json,
    ).toMatchObject({
      feature: { name: 'auth', description: 'Lets people in.', context_files: [] },
    })
    const added = await ralph(
      'task',
      'add',
      'Build the form',
      '--feature',
      'auth',
      '--criterion',
      'a',
      'b',
      '--priority',
      'high',
      '--json',
    )
    expect(added.json).toMatchObject({
      task: { id: 1, acceptance_criteria: ['a', 'b'], priority: 2, status: 'pending' },
    })
    await ralph('task', 'add', 'Send mail', '--feature', 'auth', '--blocked-by', '1')
    const { stdout } = await ralph('task', 'list')
    expect(stdout).toMatch(
      /id +status +priority +feature +title\n1 +pending +2 +auth +Build the form\n2 +pending \(waits\)/,
    )
    await ralph('task', 'set', '1', '--status', 'done')
    await ralph('task', 'comment', '2', 'The server is mocked', '--author', 'ann')
    expect((await ralph('feature', 'show', 'auth', '--json')).json).toMatchObject({
      feature: { current_state: '1/2 tasks complete. Done: "Build the form". To do: "Send mail".' },
    })
    expect((await ralph('task', 'list', '--ready', '--json')).json).toMatchObject({
      tasks: [{ id: 2, comments: [{ author: 'ann' }] }],
    })
    expect(await text('.ralph/db/tasks.yaml')).toContain('# Tasks: each belongs to a feature')
    expect((await ralph('discipline', 'add', 'web', '--skill', 'css')).code).toBe(0)
    expect((await ralph('discipline', 'list', '--json')).json).toMatchObject({
      disciplines: [{ name: 'web', skills: ['css'] }],
    })
  })

  it('reads long texts from files and clears fields', async () => {
    await writeFile(join(project, 'long.md'), 'First line.\nSecond line.\n')
    await ralph('feature', 'add', 'auth', '--architecture', '@long.md', '--acronym', 'AU')
    expect((await ralph('feature', 'set', 'auth', '--clear', 'acronym', '--json')).json).toMatchObject({
      feature: { architecture: 'First line.\nSecond line.' },
    })
    expect(await text('.ralph/db/features.yaml')).not.toContain('AU')
  })

  it('leaves no trace of a removed feature', async () => {
    await ralph('feature', 'add', 'auth')
    const run =
      '{"type":"result","subtype":"success","is_error":false,"result":"Did something worth remembering."}\n'
    await writeFile(join(project, 'run.jsonl'), run)
    await ralph(
      'memory',
      'record',
      '--feature',
      'auth',
      '--task-id',
      '1',
      '--task-title',
      'T',
      '--transcript',
      'run.jsonl',
    )
    await ralph('memory', 'search', 'something', '--feature', 'auth')
    await ralph('feature', 'use', 'auth')
    expect((await ralph('feature', 'remove', 'auth')).stderr).toContain(
      'has 1 recorded iteration; nothing was removed',
    )
    expect((await ralph('feature', 'remove', 'auth', '--yes')).code).toBe(0)
    expect(existsSync(join(project, '.ralph/db/memory/auth.jsonl'))).toBe(false)
    expect((await ralph('status', '--json')).stdout).not.toContain('"auth"')
    expect((await ralph('doctor', '--json')).stdout).not.toContain('of features that are gone')
    expect((await ralph('feature', 'use', '--json')).json).toEqual({ feature: null })
  })

  it.each([
    [['task', 'show', 'x'], 2, '"x" is no task id'],
    [['task', 'show', '9'], 1, 'there is no task 9'],
    [['task', 'set', '1'], 2, 'nothing to change was given'],
    [['task', 'add', 'T', '--priority', 'soon'], 2, '--priority must be 0 to 9'],
    [['feature', 'set', 'nope', '--acronym', 'N'], 1, 'there is no feature "nope"'],
    [
      ['feature', 'add', 'a', '--description', 'x'.repeat(3_001)],
      1,
      'description: has 3,001 characters, the limit is 3,000',
    ],
    [
      ['feature', 'add', 'a', '--knowledge', '../secret'],
      1,
      'knowledge_paths.0: must be a path inside the project',
    ],
    [['feature', 'add', 'a', '--architecture', '@missing.md'], 1, 'missing.md does not exist'],
    [['loop', '--max-cost', '-1'], 2, '--max-cost must be a number above 0'],
  ])('refuses %j', async (args, code, message) => {
    const result = await ralph(...args)
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(message)
  })
})

/** Reads its prompt from stdin as claude does, ignores claude's flags, does what `script` says. */
async function agent(script: string): Promise<void> {
  await writeFile(
    join(project, 'agent.mjs'),
    `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
     let prompt = ''
     for await (const chunk of process.stdin) prompt += chunk
     const say = (event) => console.log(JSON.stringify(event))
     const done = () => { const file = '.ralph/db/tasks.yaml'; writeFileSync(file, readFileSync(file, 'utf8').replace('status: pending', 'status: done')) }
     const end = (result) => say({ type: 'result', subtype: 'success', is_error: false, result, total_cost_usd: 0.02 })
     say({ type: 'system', subtype: 'init', session_id: 's', cwd: process.cwd(), model: 'claude-haiku-4-5', tools: [] })
     ${script}`,
  )
  await writeFile(
    join(project, '.ralph', 'rag_config.json'),
    JSON.stringify({ loop: { agent: [process.execPath, join(project, 'agent.mjs')] } }),
  )
  expect(await ralph('trust', '--yes')).toMatchObject({ code: 0 })
}

async function board(): Promise<void> {
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  await writeFile(join(project, '.ralph', 'db', 'features.yaml'), 'features:\n  - name: auth\n')
  await writeFile(
    join(project, '.ralph', 'db', 'tasks.yaml'),
    'tasks:\n  - id: 1\n    title: Build the form\n    feature: auth\n    status: pending\n',
  )
}

describe('ralph loop', () => {
  it('says what it does on stderr, in plain lines', async () => {
    await board()
    await agent("done(); end('Built it as asked, and the tests pass.')")
    const { code, stdout, stderr } = await ralph('loop')
    expect(code).toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^RAG: /)
    expect(stderr).toContain('▶ task 1 Build the form (auth)')
    expect(stderr).toContain('✓ success iteration 1')
    expect(stderr).toContain('Built it as asked, and the tests pass.')
    expect(stderr).toMatch(/■ the task is done\n {2}1 iteration \(1 success\)/)
  })

  it('prints an event per line for programs', async () => {
    await board()
    await agent("done(); end('Built it as asked, and the tests pass.')")
    const { stdout } = await ralph('loop', '--json')
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map((event) => event.kind).filter((kind) => kind !== 'activity')).toEqual([
      'status',
      'iteration_started',
      'iteration_ended',
      'stopped',
    ])
    expect(events.at(-1)).toMatchObject({
      cause: 'done',
      iterations: 1,
      cost_usd: 0.02,
      outcomes: { success: 1 },
    })
    expect(events.find((event) => event.kind === 'iteration_ended')).toMatchObject({
      iteration_number: 1,
      task_status: 'done',
      outcome: 'success',
    })
  })

  it('shows in a dry run what would come next', async () => {
    await board()
    const { code, stdout } = await ralph('loop', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('## Your task: 1, "Build the form"')
  })

  it('runs drawn iterations without memory: prompt, servers, hooks and commands say nothing of it', async () => {
    await board()
    await agent(`
      const { spawnSync } = await import('node:child_process')
      // As Codex starts servers, and as an agent might that wants to know: with nothing that names the run.
      const { PATH, HOME, RALPH_HOME, RALPH_EMBEDDER } = process.env
      const started = (words, input) => spawnSync(process.execPath, [${JSON.stringify(await builtCommand())}, ...words], { input, encoding: 'utf8', env: { PATH, HOME, RALPH_HOME, RALPH_EMBEDDER } }).stdout
      const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } } }
      const server = started(['mcp', '--feature', 'auth'], JSON.stringify(hello) + '\\n')
      const found = started(['memory', 'search', 'basketTotal', '--feature', 'auth'])
      const kept = started(['learnings', 'add', 'basketTotal is a getter, ' + process.pid, '--feature', 'auth', '--reason', 'seen', '--source', 'agent'])
      const failed = { tool_name: 'Bash', tool_input: { command: 'npx tsc' }, error: 'Exit code 2\\nTypeError: basketTotal is not a function' }
      const asked = { session_id: process.env.RALPH_LOOP_RUN, transcript_path: '/none', cwd: process.cwd(), hook_event_name: 'PostToolUseFailure', ...failed }
      const hook = spawnSync(process.execPath, [${JSON.stringify(await builtCommand())}, 'hook', 'PostToolUseFailure'], { input: JSON.stringify(asked), encoding: 'utf8', env: { ...process.env, RALPH_HOOK_DEADLINE_MS: '20000' } })
      const servers = JSON.parse(readFileSync(process.argv[process.argv.indexOf('--mcp-config') + 1], 'utf8')).mcpServers
      appendFileSync('given.jsonl', JSON.stringify({ prompt, hook: hook.stdout, server, found, kept, servers: Object.keys(servers) }) + '\\n')
      say({ type: 'assistant', message: { id: 'm', model: 'm', content: [{ type: 'tool_use', id: 'c', name: 'Bash', input: failed.tool_input }] } })
      say({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', is_error: true, content: failed.error }] } })
      say({ type: 'assistant', message: { id: 'n', model: 'm', content: [{ type: 'tool_use', id: 'd', name: 'Read', input: { file_path: process.cwd() + '/.ralph/db/memory/auth.jsonl' } }] } })
      say({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'd', content: 'one line' }] } })
      end('Could not call basketTotal, whatever was tried.')`)
    await ralph('config', 'set', 'loop.holdout_seed', 'seed')
    const flags = ['--holdout', '0.5', '--max-iterations', '4', '--stagnation', '50']
    const { stderr } = await ralph('loop', ...flags)
    expect(stderr).toMatch(
      /hold-out: 0.5 of the iterations on tasks go without memory, to compare \(seed seed\)/,
    )
    const records = (await text('.ralph/db/memory/auth.jsonl')).trim().split('\n')
    const memories = records.map((line) => JSON.parse(line).record.memory)
    const drawn = memories.map(({ given }) => !given)
    expect(drawn).toEqual([true, false, true, false])
    expect(memories.map(({ draw }) => draw)).toEqual(
      [1, 2, 3, 4].map((iteration) => ({ seed: 'seed', iteration })),
    )
    // Read by hand, which nobody can prevent: counted where it makes a difference.
    expect(memories.map(({ looked_up }) => looked_up)).toEqual([1, undefined, 1, undefined])
    expect(
      stderr
        .split('\n')
        .flatMap((line) =>
          line.startsWith('▶') ? [line.includes('without memory: drawn by hold-out 0.5')] : [],
        ),
    ).toEqual(drawn)
    const runs = (await text('given.jsonl')).trim().split('\n')
    for (const [at, line] of runs.entries()) {
      const { prompt, hook, server, found, kept, servers } = JSON.parse(line)
      const says = at > 0 && !drawn[at]
      expect(prompt.includes('basketTotal')).toBe(says)
      expect(hook.includes('met before')).toBe(says)
      expect(servers).toEqual(drawn[at] ? [] : ['ralph'])
      expect(server.includes(HELD_BACK)).toBe(isLinux && drawn[at])
      if (isLinux) expect(found === `${HELD_BACK}\n`).toBe(drawn[at])
      expect(/^kept\. /.test(kept)).toBe(isLinux && drawn[at])
    }
    expect((await ralph('learnings', 'list', '--feature', 'auth')).stdout).toContain(
      'basketTotal is a getter',
    )
    expect((await ralph('effect', '--json')).json).toMatchObject({
      runs: { told: 2, withheld: 1, nothing_to_say: 1, looked_up: 1 },
      draws: { checked: 4, seeds: ['seed'], differing: [], unchecked: 0 },
    })
    expect((await ralph('effect')).stdout).toMatch(/1 of the 1 run without memory read files of it by hand/)
    const status = (await ralph('status', '--json')).json as { holdout?: object }
    expect(status.holdout).toBeUndefined()
    await ralph('config', 'set', 'loop.holdout', '0.5')
    const without = drawn.filter(Boolean).length
    expect((await ralph('status', '--json')).json).toMatchObject({
      holdout: { share: 0.5, drawn: 4, without },
    })
    expect((await ralph('status')).stdout).toContain(`${without} of 4 iterations so far`)
    expect(
      (await ralph('receipts', '--limit', '50')).stdout.match(/ · withheld/g)?.length ?? 0,
    ).toBeGreaterThanOrEqual(drawn.slice(1).filter(Boolean).length)
  })

  it('exits with 1 when somebody has to look', async () => {
    await board()
    await agent("end('Nothing was done this time either.')")
    const { code, stderr } = await ralph('loop', '--stagnation', '2')
    expect(code).toBe(1)
    expect(stderr).toContain('2 iterations in a row changed no task')
  })

  it.each([
    [
      'once',
      1,
      "process.on('SIGINT', () => { end('Was in the middle of it, and stopped.'); process.exit(0) }); setInterval(() => say({ type: 'x' }), 50)",
    ],
    [
      'twice, when the agent does not listen',
      2,
      "process.on('SIGINT', () => writeFileSync('heard', '')); setInterval(() => say({ type: 'x' }), 50)",
    ],
  ])('records what happened when interrupted %s', async (_, times, script) => {
    needs('signals')
    await board()
    await agent(script)
    const child = spawn(process.execPath, [await builtCommand(), 'loop', '--json'], {
      cwd: project,
      env: { PATH: process.env['PATH'], HOME: home, RALPH_HOME: home, ...ENV },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    const closed = once(child, 'close')
    while (!output.includes('"activity"')) await sleep(50)
    child.kill('SIGINT')
    if (times === 2) {
      await vi.waitFor(() => text('heard'), { timeout: 10_000 })
      child.kill('SIGINT')
    }
    const [code] = await closed
    expect(code).toBe(130)
    const journal = await text('.ralph/db/memory/auth.jsonl')
    expect(journal.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(journal).record.outcome).toBe('partial')
    const { run } = JSON.parse(output.split('\n').find((line) => line.includes('iteration_started'))!)
    expect(await new RunProcesses(run).alive()).toEqual([])
  })
})

describe('ralph prompt', () => {
  it('prints the prompt, and beside it what it costs', async () => {
    await board()
    const { stdout, stderr } = await ralph('prompt', '1')
    expect(stdout).toContain('## Your task: 1, "Build the form"')
    expect(stderr).toMatch(/section +tokens\n/)
    expect(stderr).toMatch(/whole prompt +\d+/)
    const { prompt } = (await ralph('prompt', '1', '--budget', '300', '--json')).json as {
      prompt: { tokens: number; left_out: string[] }
    }
    expect(prompt.tokens).toBeLessThanOrEqual(300)
  })
})
