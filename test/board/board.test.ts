import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Board, openBoard } from '../../src/board/board.ts'

let root: string
let board: Board

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'board-'))
  board = open()
})
afterEach(() => rm(root, { recursive: true, force: true }))

const NOW = new Date('2026-02-07T14:30:00.000Z')
const open = () => openBoard({ dir: join(root, 'db'), cacheDir: join(root, 'cache'), now: () => NOW })

async function put(name: string, text: string): Promise<void> {
  await mkdir(join(root, 'db'), { recursive: true })
  await writeFile(join(root, 'db', name), text)
}
const text = (name: string) => readFile(join(root, 'db', name), 'utf8')
const onDisk = async (name: string) => parse(await text(name))

it('neither reads nor writes over a file in which a power cut has left zeros', async () => {
  const task = await board.addTask({ title: 'Build the login form', feature: 'auth' })
  const torn = (await text('tasks.yaml')).replace('login', '\0\0\0\0\0')
  await put('tasks.yaml', torn)
  const error = { code: 'damaged', message: expect.stringContaining('tasks.yaml:') }
  await expect(open().tasks()).rejects.toMatchObject(error)
  await expect(open().patchTask(task.id, { status: 'done' })).rejects.toMatchObject(error)
  expect(await text('tasks.yaml')).toBe(torn)
})

it('loses no change when its cache is cleared under those who write', async () => {
  await board.addFeature({ name: 'auth' })
  // The same board by another name, as another process has it: it does not queue behind us.
  await symlink(root, `${root}-too`)
  const other = openBoard({ dir: join(`${root}-too`, 'db'), cacheDir: join(`${root}-too`, 'cache') })
  let late: Promise<unknown> | undefined
  await board.updateFeature('auth', () => {
    rmSync(join(root, 'cache'), { recursive: true })
    late = other.addFeature({ name: 'late' })
    return { description: 'Lets people in.' }
  })
  await late
  await rm(`${root}-too`)
  expect(await open().features()).toMatchObject([
    { name: 'auth', description: 'Lets people in.' },
    { name: 'late' },
  ])
})

describe('features', () => {
  it('are added, found, patched and removed', async () => {
    await board.addFeature({
      name: 'auth',
      displayName: 'Sign-in',
      description: 'Lets people in.',
      dependencies: ['redis'],
    })
    await board.patchFeature('auth', { displayName: null, acronym: 'AUTH' })
    expect(await board.feature('auth')).toEqual({
      name: 'auth',
      acronym: 'AUTH',
      description: 'Lets people in.',
      knowledgePaths: [],
      contextFiles: [],
      dependencies: ['redis'],
      learnings: [],
      created: NOW.toISOString(),
    })
    expect(await onDisk('features.yaml')).toEqual({
      features: [
        {
          name: 'auth',
          acronym: 'AUTH',
          description: 'Lets people in.',
          dependencies: ['redis'],
          created: NOW.toISOString(),
        },
      ],
    })
    await board.removeFeature('auth')
    expect(await board.features()).toEqual([])
  })

  it('keep their name', async () => {
    await board.addFeature({ name: 'auth' })
    await expect(async () => board.patchFeature('auth', { name: 'login' } as never)).rejects.toThrow(
      /cannot change/,
    )
    await expect(board.addFeature({ name: 'auth' })).rejects.toThrow('feature "auth" already exists')
  })

  it('stay while tasks refer to them', async () => {
    await board.addFeature({ name: 'auth' })
    const { id } = await board.addTask({ title: 'Form', feature: 'auth' })
    await expect(board.removeFeature('auth')).rejects.toThrow('feature "auth" still has 1 task (1)')
    await board.removeTask(id)
    await board.removeFeature('auth')
  })

  it.each([
    [
      'description',
      { description: 'x'.repeat(3_001) },
      'description: has 3,001 characters, the limit is 3,000',
    ],
    [
      'architecture',
      { architecture: 'x'.repeat(3_001) },
      'architecture: has 3,001 characters, the limit is 3,000',
    ],
    ['boundaries', { boundaries: 'x'.repeat(1_501) }, 'boundaries: has 1,501 characters, the limit is 1,500'],
    [
      'knowledgePaths',
      { knowledgePaths: Array(11).fill('a.md') },
      'knowledge_paths: has 11 entries, the limit is 10',
    ],
    ['dependencies', { dependencies: Array(21).fill('a') }, 'dependencies: has 21 entries, the limit is 20'],
    [
      'a dependency',
      { dependencies: ['x'.repeat(301)] },
      'dependencies.0: has 301 characters, the limit is 300',
    ],
    [
      'contextFiles',
      { contextFiles: Array(31).fill({ path: 'a', source: 'auto', touchCount: 3 }) },
      'context_files: has 31 entries, the limit is 30',
    ],
    [
      'a path outside',
      { knowledgePaths: ['../secret'] },
      'knowledge_paths.0: must be a path inside the project',
    ],
  ])('refuse %s over its limit and write nothing', async (_, patch, message) => {
    await board.addFeature({ name: 'auth' })
    const before = await text('features.yaml')
    await expect(board.patchFeature('auth', patch as never)).rejects.toThrow(message)
    expect(await text('features.yaml')).toBe(before)
  })

  it('keep the form in which a person wrote a context file', async () => {
    await put(
      'features.yaml',
      'features:\n  - name: auth\n    context_files:\n      - src/a.ts  # the heart\n      - path: src/b.ts\n',
    )
    await board.updateFeature('auth', (feature) => ({
      contextFiles: [...feature.contextFiles, { path: 'src/c.ts', source: 'auto', touchCount: 3 }],
    }))
    expect(await text('features.yaml')).toBe(
      'features:\n  - name: auth\n    context_files:\n      - src/a.ts  # the heart\n      - path: src/b.ts\n' +
        '      - path: src/c.ts\n        source: auto\n        touch_count: 3\n',
    )
    expect((await board.feature('auth')).contextFiles).toEqual([
      { path: 'src/a.ts', source: 'human', touchCount: 0 },
      { path: 'src/b.ts', source: 'human', touchCount: 0 },
      { path: 'src/c.ts', source: 'auto', touchCount: 3 },
    ])
  })

  it('say which one is missing, and which there are', async () => {
    await board.addFeature({ name: 'auth' })
    await expect(board.feature('pay')).rejects.toMatchObject({
      message: 'there is no feature "pay"',
      hint: 'There are: auth. See: ralph feature list',
    })
  })
})

describe('tasks', () => {
  it('get ids that are never given twice, also after removal', async () => {
    const first = await board.addTask({ title: 'One' })
    const second = await board.addTask({ title: 'Two', blockedBy: [first.id] })
    await board.removeTask(second.id)
    expect((await open().addTask({ title: 'Three' })).id).toBe(3)
  })

  it('carry their completion', async () => {
    await board.addTask({ title: 'One', acceptanceCriteria: ['works'] })
    expect((await board.patchTask(1, { status: 'done' })).completed).toBe(NOW.toISOString())
    expect((await board.patchTask(1, { status: 'pending' })).completed).toBeUndefined()
    expect(await onDisk('tasks.yaml')).toEqual({
      tasks: [{ id: 1, title: 'One', acceptance_criteria: ['works'], status: 'pending' }],
    })
  })

  it('take priorities as numbers and as words', async () => {
    await put(
      'tasks.yaml',
      'tasks:\n- {id: 1, title: a, priority: 1}\n- {id: 2, title: b, priority: High}\n- {id: 3, title: c}\n',
    )
    expect((await board.tasks()).map((task) => task.priority)).toEqual([1, 2, 3])
  })

  it('collect comments', async () => {
    await put('tasks.yaml', 'tasks:\n  - id: 7\n    title: T\n    comments:\n      - "plain words" # Ann\n')
    await board.addComment(7, { author: 'agent', text: 'tried again' })
    expect((await board.task(7)).comments).toEqual([
      { text: 'plain words' },
      { author: 'agent', text: 'tried again', created: NOW.toISOString() },
    ])
    expect(await text('tasks.yaml')).toContain('- "plain words" # Ann\n')
  })

  it('are ready when all they wait for is over', async () => {
    await put(
      'tasks.yaml',
      `tasks:
  - {id: 1, title: a, status: done}
  - {id: 2, title: b, status: skipped}
  - {id: 3, title: c, blocked_by: [1, 2]}
  - {id: 4, title: d, blocked_by: [3]}
  - {id: 5, title: e, blocked_by: [99]}
  - {id: 6, title: f, status: blocked}
  - {id: 7, title: g, status: in_progress}
  - {id: 8, title: h, blocked_by: [8]}
`,
    )
    expect((await board.readyTasks()).map((task) => task.id)).toEqual([3, 5, 7])
  })

  it('understand the words agents use for a status', async () => {
    await put(
      'tasks.yaml',
      'tasks:\n- {id: 1, title: a, status: Completed}\n- {id: 2, title: b, status: in-progress}\n',
    )
    expect((await board.tasks()).map((task) => task.status)).toEqual(['done', 'in_progress'])
  })

  it('no longer wait for a task that was removed', async () => {
    await board.addTask({ title: 'One' })
    await board.addTask({ title: 'Two', blockedBy: [1] })
    await board.removeTask(1)
    expect((await board.task(2)).blockedBy).toEqual([])
  })

  it('give the state of their feature', async () => {
    expect(await board.currentState('auth')).toBe('No tasks yet.')
    for (const title of ['Form', 'Session.', 'Mail']) await board.addTask({ title, feature: 'auth' })
    await board.addTask({ title: 'Elsewhere', feature: 'pay' })
    await board.patchTask(1, { status: 'done' })
    await board.patchTask(2, { status: 'in_progress' })
    expect(await board.currentState('auth')).toBe(
      '1/3 tasks complete. Done: "Form". In progress: "Session". To do: "Mail".',
    )
  })

  it('stay readable as a state when there are many', async () => {
    for (let number = 1; number <= 8; number++) await board.addTask({ title: `T${number}`, feature: 'auth' })
    expect(await board.currentState('auth')).toBe(
      '0/8 tasks complete. To do: "T1"; "T2"; "T3"; "T4"; "T5"; and 3 more.',
    )
  })
})

describe('disciplines', () => {
  it('take MCP servers by name or as a list, and lists of conventions', async () => {
    await put(
      'disciplines.yaml',
      `disciplines:
  - name: backend
    conventions: [small functions, no globals]
    mcp_servers:
      - {name: db, command: db-mcp, env: {db_url: x}}
  - name: frontend
    mcp_servers:
      docs: {url: 'http://localhost:1/mcp'}
`,
    )
    const [backend, frontend] = await board.disciplines()
    expect(backend!.conventions).toBe('- small functions\n- no globals')
    expect(backend!.mcpServers).toEqual({ db: { command: 'db-mcp', env: { db_url: 'x' } } })
    expect(frontend!.mcpServers).toEqual({ docs: { url: 'http://localhost:1/mcp' } })
  })

  it('are added and patched', async () => {
    await board.addDiscipline({ name: 'backend', systemPrompt: 'Be careful.' })
    await board.patchDiscipline('backend', { skills: ['sql'], systemPrompt: null })
    expect(await onDisk('disciplines.yaml')).toEqual({ disciplines: [{ name: 'backend', skills: ['sql'] }] })
  })
})

describe('what is wrong', () => {
  it.each([
    [
      'tasks.yaml',
      'tasks:\n  - id: 1\n    title: a\n    status: nearly\n',
      'tasks.yaml:4: status: must be one of pending, in_progress, blocked, done, skipped (it is "nearly")',
    ],
    ['tasks.yaml', 'tasks:\n  - title: a\n', 'tasks.yaml:2: id: is missing'],
    ['tasks.yaml', 'tasks:\n  - id: one\n    title: a\n', 'tasks.yaml:2: id: must be a whole number'],
    [
      'tasks.yaml',
      'tasks:\n  - id: 1\n    title: a\n  - id: 1\n    title: b\n',
      'tasks.yaml:4: id: 1 is already used on line 2',
    ],
    ['tasks.yaml', 'tasks:\n  - just words\n', 'tasks.yaml:2: must be a mapping'],
    [
      'tasks.yaml',
      'tasks:\n  - id: 1\n    title: a\n    comments:\n      - {author: x}\n',
      'tasks.yaml:5: comments.0: must be text',
    ],
    [
      'tasks.yaml',
      'tasks: [{id: 1,\n  title: a,\n  priority: soon}]\n',
      'tasks.yaml:3: priority: must be a number from 0 to 9 (1 comes first)',
    ],
    [
      'tasks.yaml',
      'tasks:\n  - id: 1\n    title: "a\n',
      'tasks.yaml:3: not valid YAML: Missing closing "quote',
    ],
    [
      'features.yaml',
      'features:\n  - name: "a\\nb"\n',
      'features.yaml:2: name: the feature name contains control characters',
    ],
    [
      'features.yaml',
      `features:\n  - name: a\n    description: ${'x'.repeat(3001)}\n`,
      'features.yaml:3: description: has 3,001 characters, the limit is 3,000',
    ],
  ])('in %s is said with line and field', async (file, content, message) => {
    await put(file, content)
    const reading = file === 'tasks.yaml' ? board.tasks() : board.features()
    await expect(reading).rejects.toThrow(message)
    const problems = await board.problems()
    expect(problems[0]).toMatchObject({ kind: 'broken' })
    expect(problems[0]!.message).toContain(message)
    await expect(board.addTask({ title: 'x' }).then(() => board.addFeature({ name: 'n' }))).rejects.toThrow()
    expect(await text(file)).toBe(content)
  })

  it('with bytes that are no text is said and not overwritten', async () => {
    await put('tasks.yaml', '')
    await writeFile(join(root, 'db', 'tasks.yaml'), Buffer.from([0x74, 0xff, 0xfe]))
    await expect(board.addTask({ title: 'x' })).rejects.toThrow('tasks.yaml:1: is not UTF-8 text')
  })

  it('between entries is reported and never fatal', async () => {
    await put('features.yaml', 'features:\n  - name: auth\n    colour: red\n')
    await put(
      'tasks.yaml',
      `tasks:
  - {id: 1, title: a, feature: auth, blocked_by: [2]}
  - {id: 2, title: b, feature: auth, blocked_by: [3]}
  - {id: 3, title: c, feature: auth, blocked_by: [1]}
  - {id: 4, title: d, feature: ghost, blocked_by: [77], discipline: magic}
  - {id: 5, title: e, blocked_by: [5]}
`,
    )
    expect((await board.problems()).map((problem) => problem.message)).toEqual([
      'features.yaml:2: colour: is not a field we know; it is kept and ignored',
      'task 4 is blocked by task 77, which does not exist; ignored',
      'task 4 belongs to feature "ghost", which is not on the board',
      'task 4 needs discipline "magic", which is not on the board',
      'tasks wait for each other in a circle and can never start: 1 → 2 → 3 → 1',
      'tasks wait for each other in a circle and can never start: 5 → 5',
    ])
    expect((await board.readyTasks()).map((task) => task.id)).toEqual([4])
  })

  it('in a board of a later version stops us from writing', async () => {
    await put('metadata.yaml', 'schema_version: 2\n')
    await expect(board.addTask({ title: 'x' })).rejects.toMatchObject({ code: 'unsupported_version' })
  })
})

describe('with others around', () => {
  it('sees every change at once, also one that looks the same from outside', async () => {
    await put('tasks.yaml', 'tasks:\n  - {id: 1, title: aaa}\n')
    const path = join(root, 'db', 'tasks.yaml')
    const { atime, mtime } = await stat(path)
    expect((await board.task(1)).title).toBe('aaa')
    await writeFile(path, 'tasks:\n  - {id: 1, title: bbb}\n')
    await utimes(path, atime, mtime)
    expect((await board.task(1)).title).toBe('bbb')
  })

  it('loses no write of many processes', async () => {
    const script = join(root, 'writer.ts')
    const module = new URL('../../src/board/board.ts', import.meta.url)
    await writeFile(
      script,
      `import { openBoard } from '${module}'
       const board = openBoard({ dir: process.argv[2] + '/db', cacheDir: process.argv[2] + '/cache' })
       for (let n = 0; n < 5; n++) await board.addTask({ title: process.argv[3] + '.' + n })`,
    )
    const runs = Array.from({ length: 4 }, (_, number) => {
      const child = fork(script, [root, String(number)], { stdio: 'inherit' })
      return new Promise<void>((resolve, reject) =>
        child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}`)))),
      )
    })
    await Promise.all(runs)
    const tasks = await board.tasks()
    expect(tasks.map((task) => task.id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(new Set(tasks.map((task) => task.title)).size).toBe(20)
  })
})
