import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LoopEvent } from '../../src/loop/events.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

const TASKS = '.ralph/db/tasks.yaml'
const told = <Kind extends LoopEvent['kind']>(kind: Kind) =>
  world.events.filter((event): event is Extract<LoopEvent, { kind: Kind }> => event.kind === kind)
const undone = () => told('undone').flatMap(({ what }) => what)
const kept = () => told('kept').flatMap(({ what }) => what)
const ids = async () => (await world.parts.board.tasks()).map(({ id }) => id)

/** Of a task in the file, up to the next one. */
const TASK_2 = String.raw`/  - id: 2\n(?:    .*\n)*/`

describe('without a run', () => {
  it('nothing is undone: the agent could not be started, and a task was deleted in the editor', async () => {
    await world.tasks('pending', 'pending')
    await expect(world.loop({ agent: ['/nowhere/agent'] })).rejects.toThrow('cannot be found')
    await world.tasks('pending')
    await world.agent("setStatus('done'); end()")
    expect(await world.loop()).toMatchObject({ cause: 'done', iterations: 1 })
    expect(undone()).toEqual([])
    expect(await ids()).toEqual([1])
  })

  it('nothing is undone: the agent ended without a word', async () => {
    await world.tasks('pending', 'pending')
    await world.put(
      'agent.mjs',
      `import { writeFileSync } from 'node:fs'; writeFileSync('${TASKS}', 'tasks: []\\n')`,
    )
    await expect(world.loop()).rejects.toThrow('before it did anything')
    expect(undone()).toEqual([])
    expect(await ids()).toEqual([])
  })
})

describe('what somebody else changes while the agent works', () => {
  it('stays, and one line says so, also in a file that the agent writes too', async () => {
    await world.tasks('pending', 'pending', 'pending')
    await world.agent(`
      call('Bash', { command: 'npm test 2>&1 | tail -5' }, 'ok')
      person(TASKS, ${TASK_2}, '')
      rewrite(TASKS, 'status: pending', 'status: done')
      person(TASKS, 'title: Task 3', 'title: Task 3, by Ann')
      end()`)
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual([])
    expect(kept()).toEqual(['task 2 removed', 'task 3: title'])
    expect(await world.parts.board.tasks()).toMatchObject([
      { id: 1, status: 'done' },
      { id: 3, title: 'Task 3, by Ann' },
    ])
  })

  it('stays beside what the agent did and is undone, comments too', async () => {
    await world.tasks('pending', 'pending', 'pending')
    await world.agent(
      `
      person(TASKS, '  - id: 3', '  # Ann: after the release\\n  - id: 3')
      rewrite(TASKS, ${TASK_2}, '')
      rewrite(TASKS, 'title: Task 3', 'title: Mine')
      setStatus('done')
      end()`.replace("setStatus('done')", "rewrite(TASKS, 'status: pending', 'status: done')"),
    )
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual([
      'task 3: not the task of this iteration: changes to title undone',
      'task 2 had vanished: put back',
    ])
    expect(await world.text(TASKS)).toContain('  # Ann: after the release\n  - id: 3\n    title: Task 3\n')
    expect(await ids()).toEqual([1, 2, 3])
  })

  it('is still there in a file that the agent breaks afterwards', async () => {
    await world.tasks('pending', 'pending')
    await world.agent(`
      person(TASKS, '  - id: 2', '  # Ann: after the release\\n  - id: 2')
      rewrite(TASKS, 'tasks:', 'tasks: [')
      end()`)
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual([expect.stringContaining('the whole file is restored')])
    expect(await world.text(TASKS)).toContain('# Ann: after the release')
    expect(await ids()).toEqual([1, 2])
  })

  it('is taken for the agent’s where a command may have done it', async () => {
    await world.tasks('pending', 'pending')
    await world.agent(
      `call('Bash', { command: 'node scripts/tidy.js' }); person(TASKS, ${TASK_2}, ''); end()`,
    )
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual(['task 2 had vanished: put back'])
    expect(kept()).toEqual([])
  })

  it('stays in the settings; what the agent adds goes, and only that', async () => {
    await world.tasks('pending')
    await world.put('.ralph/rag_config.json', '{ "search": { "limit": 7 } }')
    await world.agent(`
      const CONFIG = '.ralph/rag_config.json'
      call('Bash', { command: 'git status' })
      person(CONFIG, '"limit": 7 }', '"limit": 9 }, "storage": { "url": "postgres://ann" }')
      end()`)
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual([])
    expect(kept()).toEqual([expect.stringMatching(/^rag_config\.json: storage would have/)])
    expect(await world.text('.ralph/rag_config.json')).toContain('postgres://ann')

    await world.put('.ralph/rag_config.json', '{ "search": { "limit": 7 } }')
    await world.agent(`
      const CONFIG = '.ralph/rag_config.json'
      person(CONFIG, '"limit": 7', '"limit": 9')
      rewrite(CONFIG, '{ "search"', '{ "loop": { "agent": ["evil"] }, "search"')
      end()`)
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual([expect.stringContaining('loop would have agent = ["evil"]')])
    expect(JSON.parse(await world.text('.ralph/rag_config.json'))).toEqual({ search: { limit: 9 } })
  })
})

describe('an agent that closes or rewrites what is not its own', () => {
  it.each([
    [
      'another task done',
      "rewrite(TASKS, /(id: 2[^]*?status: )pending/, '$1done')",
      'task 2: not the task of this iteration, and set to done: undone',
    ],
    [
      'another task skipped',
      "rewrite(TASKS, /(id: 2[^]*?status: )pending/, '$1skipped')",
      'task 2: not the task of this iteration, and set to skipped: undone',
    ],
    [
      'another task by a shell command',
      "call('Bash', { command: 'sed -i s/x/y/ tasks.yaml' }); person(TASKS, /(id: 2[^]*?status: )pending/, '$1done')",
      'task 2: not the task of this iteration, and set to done: undone',
    ],
    [
      'the words of another task',
      "rewrite(TASKS, 'Task 2', 'Nothing to do')",
      'task 2: not the task of this iteration: changes to title undone',
    ],
    ['a task deleted', `rewrite(TASKS, ${TASK_2}, '')`, 'task 2 had vanished: put back'],
    [
      'another feature',
      "rewrite(FEATURES, 'Takes money.', 'Takes none.')",
      'feature "payments": not the feature of this iteration: changes to description undone',
    ],
    [
      'a feature deleted',
      "write(FEATURES, 'features:\\n  - name: auth\\n')",
      'feature "payments" had vanished: put back',
    ],
    [
      'a discipline',
      "rewrite('.ralph/db/disciplines.yaml', 'Be careful.', 'Be quick.')",
      'discipline "backend": disciplines are for people to change: changes to system_prompt undone',
    ],
  ])('%s: is undone and told', async (_, deed, said) => {
    await world.tasks('pending', 'pending')
    await world.put(
      '.ralph/db/features.yaml',
      'features:\n  - name: auth\n  - name: payments\n    description: Takes money.\n',
    )
    await world.put(
      '.ralph/db/disciplines.yaml',
      'disciplines:\n  - name: backend\n    system_prompt: Be careful.\n',
    )
    const before = await Promise.all(
      ['tasks', 'features', 'disciplines'].map((name) => world.text(`.ralph/db/${name}.yaml`)),
    )
    await world.agent(`${deed}; end()`)
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual([said])
    const after = await Promise.all(
      ['tasks', 'features', 'disciplines'].map((name) => world.text(`.ralph/db/${name}.yaml`)),
    )
    expect(after).toEqual(before)
  })
})
