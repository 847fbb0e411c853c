import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { LoopEvent } from '../../src/loop/events.ts'
import { readReceipts } from '../../src/receipts/read.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

const told = <Kind extends LoopEvent['kind']>(kind: Kind) =>
  world.events.filter((event): event is Extract<LoopEvent, { kind: Kind }> => event.kind === kind)

describe('a loop', () => {
  it('works through the tasks, records each, and stops when all are done', async () => {
    await world.tasks('pending', 'pending')
    await world.agent("setStatus('done'); end('Finished task ' + task + ' without trouble.')")
    const summary = await world.loop()
    expect(summary).toMatchObject({
      cause: 'done',
      reason: 'all 2 tasks are done',
      iterations: 2,
      outcomes: { success: 2 },
      tokens: 220,
    })
    expect(summary.costUsd).toBeCloseTo(0.2)
    expect(await world.records()).toMatchObject([
      { iterationNumber: 1, taskId: 1, outcome: 'success', summary: 'Finished task 1 without trouble.' },
      { iterationNumber: 2, taskId: 2, outcome: 'success' },
    ])
    expect(world.events[0]).toMatchObject({ kind: 'status', line: 'RAG: active (test)' })
    expect((await world.parts.board.tasks()).map((task) => typeof task.completed)).toEqual([
      'string',
      'string',
    ])
    expect(await readdir(join(world.project, '.ralph/cache/loop/runs'))).toEqual([])
  })

  it('gives the agent its prompt, its MCP servers, and a mark', async () => {
    await world.tasks('pending')
    await world.put(
      '.ralph/db/disciplines.yaml',
      'disciplines:\n  - {name: web, mcp_servers: {docs: {command: d}}}\n',
    )
    await world.put(
      '.ralph/db/tasks.yaml',
      'tasks:\n  - id: 1\n    title: T\n    feature: auth\n    discipline: web\n    status: pending\n',
    )
    await world.agent(
      "writeFileSync('seen.json', JSON.stringify({ argv: process.argv.slice(2), run: process.env.RALPH_LOOP_RUN, prompt, mcp: JSON.parse(readFileSync(process.argv[3])) })); setStatus('done'); end()",
    )
    const { settings } = world.parts
    const isTrusted: typeof settings.isTrusted = ({ name, lines }) =>
      name === 'discipline web' && lines.join() === 'mcp_servers.docs.command = "d"'
    Object.assign(world.parts, { settings: { ...settings, isTrusted } })
    await world.loop({ agent: [...world.options().agent, '{mcp_config}'] })
    const seen = JSON.parse(await world.text('seen.json'))
    expect(seen.prompt).toContain('## Your task: 1, "T"')
    expect(seen.run).toBe(told('iteration_started')[0]!.run)
    expect(seen.mcp.mcpServers).toEqual({
      docs: { command: 'd' },
      ralph: { command: 'ralph', args: ['mcp', '--feature=auth', `--run=${seen.run}`] },
    })
  })

  it('tells the next attempt what failed', async () => {
    await world.tasks('pending')
    await world.agent(`
      appendFileSync('prompts.txt', prompt + '\\n=====\\n')
      if (prompt.includes('The last run')) { setStatus('done'); end('Used the other driver this time, and the suite passes.') }
      else { call('Bash', { command: 'npm test' }, 'Exit code 1\\nError: Cannot find module mysql2 in src/db.ts', true); end('Could not get the tests to pass.') }`)
    const summary = await world.loop()
    expect(summary.outcomes).toEqual({ failure: 1, success: 1 })
    const [first, second] = (await world.text('prompts.txt')).split('=====')
    expect(first).not.toContain('The last run')
    expect(second).toContain('## The last run on this task\n\nIteration 1 worked and was not done.')
    expect(second).toContain('Could not get the tests to pass.')
    expect(second!.match(/Cannot find module mysql2/g)).toHaveLength(1)
  })

  it('keeps receipts of what it put into each prompt and how it ended', async () => {
    await world.tasks('pending')
    await world.agent(
      "if (prompt.includes('The last run')) { setStatus('done') }; end('I looked into it for a while.')",
    )
    await world.loop()
    const { receipts } = await readReceipts(join(world.project, '.ralph/receipts'))
    expect(receipts).toHaveLength(2)
    expect(receipts[0]).toMatchObject({
      surface: 'loop',
      event: 'prompt',
      taskId: 1,
      items: [{ kind: 'hand_over', source: 'iteration 1' }],
      ending: { outcome: 'success', iterationNumber: 2 },
    })
  })

  it('undoes what an agent does to the board, loudly, and keeps its work', async () => {
    await world.tasks('pending', 'pending')
    await world.agent(
      "if (task === 1) writeFileSync(TASKS, 'tasks:\\n  - id: 1\\n    title: Task 1\\n    feature: auth\\n    status: done\\n'); else setStatus('done'); end()",
    )
    const summary = await world.loop()
    expect(told('undone')[0]!.what).toEqual(['task 2 had vanished: put back'])
    expect(summary).toMatchObject({ cause: 'done', outcomes: { success: 2 } })
  })
})

describe('an agent that cleans up too much', () => {
  const START =
    "import { rmSync, cpSync, existsSync as there } from 'node:fs'\nconst JOURNAL = '.ralph/db/memory/auth.jsonl'\n"

  it('cannot delete what is remembered, nor end the loop by deleting our cache', async () => {
    await world.tasks('pending', 'pending')
    await world.agent(
      `${START} if (task === 2) { rmSync('.ralph', { recursive: true }) } else setStatus('done'); end('Worked on ' + task)`,
    )
    const summary = await world.loop({ maxIterations: 2 })
    expect(summary.iterations).toBe(2)
    const undone = told('undone').flatMap(({ what }) => what)
    expect(undone).toContain('task 1 had vanished: put back')
    expect(undone).toContain('the journal of "auth" was deleted: 1 record put back')
    expect((await world.records()).map((record) => record.taskId)).toEqual([1, 2])
  })

  it('cannot put the journal back to an older version', async () => {
    await world.tasks('pending', 'pending', 'pending')
    await world.agent(`${START}
      if (task === 2) cpSync(JOURNAL, 'committed')
      if (task === 3) { rmSync(JOURNAL); cpSync('committed', JOURNAL) }
      setStatus('done'); end('Worked on ' + task)`)
    await world.loop()
    expect(told('undone')[0]!.what).toEqual([
      'the journal of "auth" was replaced by another version: 1 record put back',
    ])
    expect((await world.records()).map((record) => record.taskId)).toEqual([1, 2, 3])
  })
})

describe('it stops', () => {
  it('when nothing changes but what we note ourselves', async () => {
    await world.tasks('pending')
    await world.put('.ralph/db/features.yaml', 'features:\n  - name: auth\n    description: x\n')
    await world.put('src/form.ts', 'x')
    await world.agent(
      "call('Bash', { command: 'npm test' }, 'Exit code 1\\nTypeError: Cannot read properties of undefined (reading user) at src/form.ts:3:1', true); edit('src/form.ts', /$/, 'y'); end('Still failing, whatever was tried here.')",
    )
    expect(await world.loop({ stagnationLimit: 4 })).toMatchObject({ cause: 'stagnation', iterations: 4 })
    // There was something to note, and it went into features.yaml meanwhile.
    const [feature] = parse(await world.text('.ralph/db/features.yaml')).features
    expect(feature.context_files).toMatchObject([{ path: 'src/form.ts' }])
  })

  it('when iterations change nothing, also if they wreck the board each time', async () => {
    await world.tasks('pending')
    await world.agent(
      "writeFileSync(TASKS, 'broken: [' + Math.random()); end('Something happened here, but what?')",
    )
    expect(await world.loop()).toMatchObject({ cause: 'stagnation', iterations: 3, outcomes: { failure: 3 } })
  })

  it('at the limits of iterations and cost', async () => {
    await world.tasks('pending', 'pending', 'pending')
    await world.agent("setStatus('done'); end()")
    expect(await world.loop({ maxIterations: 1 })).toMatchObject({ cause: 'iterations', iterations: 1 })
    const summary = await world.loop({ maxCost: 0.15 })
    expect(summary).toMatchObject({ cause: 'cost', iterations: 2, reason: '$0.20 spent, the limit is $0.15' })
  })

  it('when a limit of cost is set and the agent does not tell its cost', async () => {
    await world.tasks('pending', 'pending')
    await world.agent("setStatus('done'); end('Did it without a bill.', { total_cost_usd: undefined })")
    expect(await world.loop({ maxCost: 1 })).toMatchObject({ cause: 'cost', iterations: 1 })
  })

  it('in the middle of a run that becomes too expensive', async () => {
    await world.tasks('pending')
    await world.agent("end(); setInterval(() => say({ type: 'x' }), 20)")
    expect(await world.loop({ maxCostPerIteration: 0.05, maxIterations: 1 })).toMatchObject({ iterations: 1 })
    expect(await world.records()).toHaveLength(1)
  })

  it.each([
    ['nothing_ready', 'there are no tasks (ralph task add "TITLE" --feature NAME)', []],
    ['nothing_ready', 'no task is ready: 1 (marked as blocked)', ['blocked']],
    ['done', 'all 2 tasks are done', ['done', 'skipped']],
  ])('when there is nothing to do: %s, %s', async (cause, reason, statuses) => {
    if (statuses.length > 0) await world.tasks(...statuses)
    expect(await world.loop()).toMatchObject({ cause, reason, iterations: 0 })
  })

  it('on a circle of waiting tasks, and says so', async () => {
    await world.put(
      '.ralph/db/tasks.yaml',
      'tasks:\n- {id: 1, title: a, blocked_by: [2]}\n- {id: 2, title: b, blocked_by: [1]}\n',
    )
    expect(await world.loop()).toMatchObject({
      cause: 'nothing_ready',
      reason: 'no task is ready: 1 (waits for 2), 2 (waits for 1)',
    })
    expect(told('board_problem')[0]!.message).toContain('circle')
  })

  it('with an error on a board that cannot be read, and starts no agent', async () => {
    await world.put('.ralph/db/tasks.yaml', 'tasks:\n  - id: 1\n    title: "a\n')
    await expect(world.loop()).rejects.toThrow('tasks.yaml:3: not valid YAML')
  })

  it('when the agent ends at once without a word', async () => {
    await world.tasks('pending')
    await world.put('agent.mjs', "console.error('unknown option --x'); process.exit(2)")
    await expect(world.loop()).rejects.toThrow(
      'the agent ended with code 2 before it did anything; it said: unknown option --x',
    )
    await expect(world.loop({ agent: ['no-such-agent'] })).rejects.toThrow('"no-such-agent" cannot be found')
    // Nor later: there is nothing to recover.
    await world.agent("setStatus('done'); end()")
    expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 1 })
    expect(await world.records()).toHaveLength(1)
    expect(told('recovered')).toEqual([])
  })

  it('when the agent prints what nobody can read, with nothing recorded', async () => {
    await world.tasks('pending')
    await world.put('agent.mjs', "console.log('I have fixed it.\\nAll is well.')")
    await expect(world.loop()).rejects.toThrow(
      'what the agent printed is no transcript: none of its 2 lines is JSON',
    )
    await world.put('agent.mjs', `console.log('{"type":"thread.started","thread_id":"t"}')`)
    await expect(world.loop()).rejects.toThrow('its only line is not from a run of an agent')
    expect(await world.records()).toEqual([])
    await world.agent("setStatus('done'); end()")
    expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 1 })
    expect(told('recovered')).toEqual([])
  })

  it('when the agent has no key', async () => {
    await world.tasks('pending')
    await world.agent("refuse('Invalid API key · Please run /login')")
    expect(await world.loop()).toMatchObject({
      cause: 'agent_unusable',
      reason: 'Invalid API key · Please run /login',
      iterations: 1,
    })
  })

  it('cleanly when interrupted, with what happened recorded', async () => {
    await world.tasks('pending')
    await world.agent(
      "setStatus('in_progress'); process.on('SIGINT', () => { end('Was in the middle of the work.'); process.exit(0) }); setInterval(() => {}, 50)",
    )
    const stop = new AbortController()
    const running = world.loop({}, { stop: stop.signal })
    while (!(await world.text('.ralph/db/tasks.yaml')).includes('in_progress'))
      await new Promise((r) => setTimeout(r, 50))
    stop.abort()
    expect(await running).toMatchObject({ cause: 'interrupted', iterations: 1, outcomes: { partial: 1 } })
    expect(await world.records()).toMatchObject([
      { outcome: 'partial', summary: 'Was in the middle of the work.' },
    ])
  })
})

describe('it goes on', () => {
  it('after a rate limit, when it is time, without counting it as standing still', async () => {
    await world.tasks('pending')
    await world.agent(`
      const tries = existsSync('tries') ? Number(readFileSync('tries', 'utf8')) : 0
      writeFileSync('tries', String(tries + 1))
      if (tries < 4) refuse('API Error: Request rejected (429)', { api_error_status: 429 })
      else { setStatus('done'); end() }`)
    const summary = await world.loop({ stagnationLimit: 2 })
    expect(summary).toMatchObject({ cause: 'done', outcomes: { rate_limited: 4, success: 1 } })
    expect(told('waiting')).toHaveLength(4)
    expect(told('waiting')[0]!.reason).toContain('429')
  })

  it('when the agent is refused something, and says so once', async () => {
    await world.tasks('pending', 'pending')
    await world.agent(
      "call('Bash', { command: 'npm test' }, 'This command requires approval', true); setStatus('done'); end()",
    )
    await world.loop()
    expect(told('trouble')).toMatchObject([{ message: 'the agent was not allowed 1 of its actions' }])
  })

  it('after an agent that took too long', async () => {
    await world.tasks('pending')
    await world.agent(
      "if (prompt.includes('when its time')) { setStatus('done'); end() } else setInterval(() => {}, 50)",
    )
    expect(await world.loop({ timeLimitMs: 1_500 })).toMatchObject({
      cause: 'done',
      outcomes: { timeout: 1, success: 1 },
    })
  })

  it('when memory is in trouble, and says so once', async () => {
    await world.tasks('pending', 'pending')
    await world.agent("setStatus('done'); end()")
    const learnFrom = () => Promise.reject(new Error('no learning today'))
    Object.assign(world.parts.learnings, { learnFrom })
    expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 2 })
    expect(world.notices.filter(({ key }) => key === 'loop:learnings')).toHaveLength(1)
    expect(world.notices.map(({ message }) => message).join()).toContain('no learning today')
  })

  it('by itself only once per project', async () => {
    await world.tasks('pending')
    await world.agent(
      "while (!existsSync('go')) await new Promise((r) => setTimeout(r, 50)); setStatus('done'); end()",
    )
    const first = world.loop()
    while (told('iteration_started').length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
    const { fork } = await import('node:child_process')
    await world.put(
      'second.ts',
      `
      import { openParts } from '${new URL('./world.ts', import.meta.url)}'
      import { runLoop } from '${new URL('../../src/loop/loop.ts', import.meta.url)}'
      const { parts } = openParts(${JSON.stringify(world.project)})
      await runLoop(parts, ${JSON.stringify(world.options())}, () => {}).catch((error) => { console.log(error.message); process.exit(7) })`,
    )
    const second = fork(join(world.project, 'second.ts'), { stdio: 'ignore' })
    const code = await new Promise((resolve) => second.on('exit', resolve))
    expect(code).toBe(7)
    await world.put('go', '')
    expect(await first).toMatchObject({ cause: 'done' })
  })
})

describe('which task comes next', () => {
  it('follows priority, then fewest recent failures', async () => {
    await world.put(
      '.ralph/db/tasks.yaml',
      `tasks:
  - {id: 1, title: later, feature: auth, priority: low}
  - {id: 2, title: fails, feature: auth, priority: 1}
  - {id: 3, title: fails too, feature: auth, priority: 1}
`,
    )
    await world.agent("end('Could not do it, whatever was tried.')")
    await world.loop({ maxIterations: 3 })
    expect((await world.records()).map((record) => record.taskId)).toEqual([2, 3, 2])
  })

  it('can be narrowed to a feature or a task', async () => {
    await world.put(
      '.ralph/db/tasks.yaml',
      'tasks:\n- {id: 1, title: a, feature: auth}\n- {id: 2, title: b, feature: pay}\n- {id: 3, title: c, feature: pay}\n',
    )
    await world.agent("end('Looked at it and left it as it is.')")
    await world.loop({ feature: 'pay', maxIterations: 1 })
    await world.loop({ task: 3, maxIterations: 1 })
    expect((await world.records('pay')).map((record) => record.taskId)).toEqual([2, 3])
    expect(await world.loop({ task: 9 })).toMatchObject({ reason: 'there are no tasks with id 9' })
  })

  it('is only shown in a dry run', async () => {
    await world.tasks('pending')
    expect(await world.loop({ dryRun: true })).toMatchObject({ cause: 'dry_run', iterations: 0 })
    expect(told('dry_run')[0]!.prompt).toContain('## Your task: 1, "Task 1"')
  })
})

describe('reviews', () => {
  it('come every so many iterations with a prompt of their own', async () => {
    await world.tasks('pending', 'pending', 'pending')
    await world.agent(
      "if (task) { setStatus('done'); end('Built part ' + task + ' of the feature.') } else { appendFileSync('reviews.txt', prompt); end('Looked at everything: it holds together.') }",
    )
    const summary = await world.loop({ reviewEvery: 2 })
    expect(summary).toMatchObject({ cause: 'done', iterations: 4 })
    expect((await world.records()).map(({ taskId, modelTier }) => [taskId, modelTier])).toEqual([
      [1, 'haiku'],
      [2, 'haiku'],
      [0, 'opus'],
      [3, 'haiku'],
    ])
    const prompt = await world.text('reviews.txt')
    expect(prompt).toContain('a review of the feature "auth"')
    expect(prompt).toContain('Iteration 2 (task 2, "Task 2") was done. "Built part 2')
    expect(prompt).toContain('append_feature_learning')
  })
})

describe('context files', () => {
  it('grow by what is touched again and again, and lose what is gone', async () => {
    await world.tasks('pending', 'pending', 'pending', 'pending')
    await world.put(
      '.ralph/db/features.yaml',
      'features:\n  - name: auth\n    description: x\n    context_files:\n      - src/gone.ts\n      - src/mine.ts # ours\n',
    )
    await world.put('src/form.ts', 'x')
    await world.put('src/mine.ts', 'x')
    await world.put('package.json', '{}')
    await world.agent(
      "edit('src/form.ts', /$/, 'y'); edit('package.json', /$/, ' '); setStatus('done'); end()",
    )
    await world.loop()
    const [feature] = parse(await world.text('.ralph/db/features.yaml')).features
    expect(feature.context_files).toEqual([
      'src/mine.ts',
      { path: 'src/form.ts', source: 'auto', touch_count: 3 },
    ])
    expect(await world.text('.ralph/db/features.yaml')).toContain('- src/mine.ts # ours')
  })
})
