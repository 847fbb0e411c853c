import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readReceipts } from '../../src/receipts/read.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

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
    expect(seen.run).toBe(world.told('iteration_started')[0]!.run)
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
    expect(world.told('undone')[0]!.what).toEqual(['task 2 had vanished: put back'])
    expect(summary).toMatchObject({ cause: 'done', outcomes: { success: 2 } })
  })
})

describe('an agent that cleans up too much', () => {
  const START =
    "import { rmSync, cpSync, existsSync as there } from 'node:fs'\nconst JOURNAL = '.ralph/db/memory/auth.jsonl'\n"

  it('cannot delete what is remembered, nor end the loop by deleting our cache', async () => {
    await world.tasks('pending', 'pending')
    await world.agent(
      `${START} if (task === 2) { rmSync('.ralph', { recursive: true, maxRetries: 50, retryDelay: 20 }) } else setStatus('done'); end('Worked on ' + task)`,
    )
    const summary = await world.loop({ maxIterations: 2 })
    expect(summary.iterations).toBe(2)
    const undone = world.told('undone').flatMap(({ what }) => what)
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
    expect(world.told('undone')[0]!.what).toEqual([
      'the journal of "auth" was replaced by another version: 1 record put back',
    ])
    expect((await world.records()).map((record) => record.taskId)).toEqual([1, 2, 3])
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
    expect(world.told('dry_run')[0]!.prompt).toContain('## Your task: 1, "Task 1"')
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
