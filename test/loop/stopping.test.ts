import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { needs } from '../support/needs.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

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
    expect(world.told('board_problem')[0]!.message).toContain('circle')
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
    expect(world.told('recovered')).toEqual([])
  })

  it('when the agent prints what nobody can read, with nothing recorded', async () => {
    await world.tasks('pending')
    await world.put('agent.mjs', "console.log('I have fixed it.\\nAll is well.')")
    await expect(world.loop()).rejects.toThrow(
      'what the agent printed is no transcript: none of its 2 lines is JSON',
    )
    await world.put('agent.mjs', `console.log('{"kind":"work-began","number":1}')`)
    await expect(world.loop()).rejects.toThrow('its only line is not from a run of an agent')
    expect(await world.records()).toEqual([])
    await world.agent("setStatus('done'); end()")
    expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 1 })
    expect(world.told('recovered')).toEqual([])
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
    needs('signals')
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
    expect(world.told('waiting')).toHaveLength(4)
    expect(world.told('waiting')[0]!.reason).toContain('429')
  })

  it('when the agent is refused something, and says so once', async () => {
    await world.tasks('pending', 'pending')
    await world.agent(
      "call('Bash', { command: 'npm test' }, 'This command requires approval', true); setStatus('done'); end()",
    )
    await world.loop()
    expect(world.told('trouble')).toMatchObject([{ message: 'the agent was not allowed 1 of its actions' }])
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
    while (world.told('iteration_started').length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20))
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
