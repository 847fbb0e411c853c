import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { TrustStore } from '../../src/trust/trust-store.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

const TASKS = '.ralph/db/tasks.yaml'
const undone = () => world.told('undone').flatMap(({ what }) => what)
const kept = () => world.told('kept').flatMap(({ what }) => what)
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

  it('stays to the remark, wherever in the entry it stands or above which', async () => {
    await world.tasks('pending', 'pending', 'pending')
    await world.agent(`
      person(TASKS, '  - id: 3', '  # Ann: after the release\\n  - id: 3')
      person(TASKS, 'title: Task 2', 'title: Task 2 # Bob: ask me')
      rewrite(TASKS, /(id: 2[^]*?status: )pending/, '$1done')
      rewrite(TASKS, /(id: 3[^]*?status: )pending/, '$1done')
      end()`)
    const before = await world.text(TASKS)
    await world.loop({ maxIterations: 1 })
    expect(undone()).toHaveLength(2)
    expect(await world.text(TASKS)).toBe(
      before
        .replace('  - id: 3', '  # Ann: after the release\n  - id: 3')
        .replace('title: Task 2', 'title: Task 2 # Bob: ask me'),
    )
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
      'task 2: set to done by another task’s iteration: restored',
    ],
    [
      'another task skipped',
      "rewrite(TASKS, /(id: 2[^]*?status: )pending/, '$1skipped')",
      'task 2: set to skipped by another task’s iteration: restored',
    ],
    [
      'another task by a shell command',
      "call('Bash', { command: 'sed -i s/x/y/ tasks.yaml' }); person(TASKS, /(id: 2[^]*?status: )pending/, '$1done')",
      'task 2: set to done by another task’s iteration: restored',
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

it('what was undone is in the record, and told to the next run, once', async () => {
  await world.tasks('pending', 'pending', 'pending')
  await world.agent(`
    appendFileSync('prompts.txt', prompt + '=====')
    if (task === 1) rewrite(TASKS, /(id: 2[^]*?status: )pending/, '$1done')
    rewrite(TASKS, new RegExp('(id: ' + task + '[^]*?status: )pending'), '$1done')
    end()`)
  await world.loop()
  const said = 'task 2: set to done by another task’s iteration: restored'
  expect((await world.records()).map((record) => record.undone)).toEqual([[said], undefined, undefined])
  const told = (await world.text('prompts.txt')).split('=====').map((prompt) => prompt.includes(said))
  expect(told.slice(0, 3)).toEqual([false, true, false])
})

it('an agent that rewrites what the project’s settings start is not started from it', async () => {
  await world.tasks('pending', 'pending')
  await world.put('.ralph/rag_config.json', JSON.stringify({ loop: { agent: ['node', 'agent.mjs'] } }))
  await world.agent("setStatus('done'); writeFileSync('agent.mjs', 'steal()'); end()")
  const config = await resolveConfig({ project: world.project, home: join(world.project, 'home'), env: {} })
  await new TrustStore({ file: config.paths.trust, project: config.project }).trustOnly(config.demands.all)
  const summary = await world.loop()
  expect(summary).toMatchObject({ cause: 'agent_unusable', iterations: 1 })
  expect(summary.reason).toContain('ralph trust')
})

describe('an agent that deletes .ralph', () => {
  const KEPT: Record<string, string> = {
    '.ralph/.gitignore': 'cache/\n',
    '.ralph/.gitattributes': '*.jsonl merge=union\n',
    '.ralph/project.json': '{"id":"5b6f7c80-0000-4000-8000-000000000000"}',
    '.ralph/rag_config.json': '{ "search": { "limit": 7 } }',
    '.ralph/db/features.yaml': '# Ann: ask me\nfeatures:\n  - name: auth\n',
    '.ralph/db/disciplines.yaml': 'disciplines:\n  - name: backend # Bob\n',
    '.ralph/db/metadata.yaml': 'schema_version: 1\nnext_task_id: 9\n',
    '.ralph/db/memory/.gitignore': '*.lock\n',
    '.ralph/local/current-feature': 'auth\n',
  }

  it('costs nothing: all of it comes back, also what was written through the board meanwhile', async () => {
    await world.tasks('pending', 'pending', 'pending')
    for (const [path, text] of Object.entries(KEPT)) await world.put(path, text)
    await world.agent("rewrite(TASKS, 'status: pending', 'status: done'); end('Worked on ' + task)")
    await world.loop({ maxIterations: 1 })
    const journal = await world.text('.ralph/db/memory/auth.jsonl')
    const tasks = await world.text(TASKS)
    const receipts = await receiptLines()
    expect(receipts.length).toBeGreaterThan(0)

    await world.agent(`
      writeFileSync('started.txt', '')
      while (!existsSync('go.txt')) await new Promise((resolve) => setTimeout(resolve, 10))
      const { rmSync } = await import('node:fs')
      rmSync('.ralph', { recursive: true, maxRetries: 50, retryDelay: 20 })
      call('Bash', { command: 'rm -rf .ralph' })
      end('Cleaned up')`)
    const loop = world.loop({ maxIterations: 1 })
    await vi.waitFor(() => world.text('started.txt'), { timeout: 60_000, interval: 20 })
    await world.parts.learnings.append('auth', {
      text: 'Redis needs a password',
      reason: 'seen',
      source: 'human',
    })
    await world.put('go.txt', '')
    await loop

    const { '.ralph/db/features.yaml': features, ...others } = KEPT
    for (const [path, text] of Object.entries(others)) expect(await world.text(path)).toBe(text)
    expect(await world.text('.ralph/db/features.yaml')).toContain('Redis needs a password')
    expect(await world.text('.ralph/db/features.yaml')).toContain(features!.split('\n')[0])
    expect(await world.text(TASKS)).toBe(tasks)
    expect((await world.text('.ralph/db/memory/auth.jsonl')).split('\n')).toEqual(
      expect.arrayContaining(journal.split('\n')),
    )
    expect(await receiptLines()).toEqual(expect.arrayContaining(receipts))
    expect((await world.records()).map(({ summary }) => summary)).toEqual(['Worked on 1', 'Cleaned up'])
  })

  it('or cuts a journal short, or rewrites what says which project this is, is put right', async () => {
    await world.tasks('pending', 'pending')
    await world.put('.ralph/project.json', KEPT['.ralph/project.json']!)
    await world.agent("rewrite(TASKS, 'status: pending', 'status: done'); end('Worked on ' + task)")
    await world.loop({ maxIterations: 1 })
    await world.agent(`
      writeFileSync('.ralph/db/memory/auth.jsonl', '')
      call('Bash', { command: ': > .ralph/db/memory/auth.jsonl' })
      write('.ralph/project.json', '{}')
      end('Cleaned up')`)
    await world.loop({ maxIterations: 1 })
    expect(undone()).toEqual([
      'the journal of "auth" was cut short: 1 record put back',
      '.ralph/project.json was changed: restored',
    ])
    expect(await world.records()).toHaveLength(2)
  })

  const receiptLines = async () => {
    const folder = join(world.project, '.ralph/receipts')
    const names = await readdir(folder)
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return texts.join('\n').split('\n').filter(Boolean)
  }
})
