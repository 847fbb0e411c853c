import { mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Board, openBoard } from '../../src/board/board.ts'

const FEATURES = `# Ask Ann before you rename anything.
features:
  - name: auth            # the gate
    display_name: Sign-in
    description: >
      Lets people in.
    architecture: Sessions in Redis.
    boundaries: |
      In: passwords.
      Out: payments.
    learnings:
      - Never log the token   # Ann, after the incident
      - text: The form posts JSON
        reason: seen in the network log
        source: auto
        iteration: 3
        hit_count: 2
      - text: Redis needs a password in tests
        reason: the tests failed without
        source: agent
      - text: Use argon2
        reason: bcrypt was refused
        source: auto
        iteration: 4

  # Money. Careful!
  - name: payments
    description: Takes money.
    learnings:
      - Stripe is mocked
`
const TASKS = `tasks:
  - id: 1
    title: Build the form
    description: With validation.
    acceptance_criteria: [tests pass]
    feature: auth
    status: pending

  # waits for design
  - id: 2
    title: Send the mail
    feature: auth
    comments:
      - first
      - second
      - third
  - id: 3
    title: Charge the card   # Bob's
    feature: payments
    blocked_by: [1]
`
const DISCIPLINES = `disciplines:
  - name: backend
    system_prompt: Be careful.
`
const METADATA = 'schema_version: 1\nnext_task_id: 4\n'

let root: string
let board: Board

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'guard-'))
  await mkdir(join(root, 'db'))
  await put('features.yaml', FEATURES)
  await put('tasks.yaml', TASKS)
  await put('disciplines.yaml', DISCIPLINES)
  await put('metadata.yaml', METADATA)
  board = openBoard({ dir: join(root, 'db'), cacheDir: join(root, 'cache') })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const put = (name: string, text: string | Uint8Array) => writeFile(join(root, 'db', name), text)
const text = (name: string) => readFile(join(root, 'db', name), 'utf8')

/** An iteration on task 1 of `auth` in which the agent does `edit`. */
async function iteration(edit: () => Promise<unknown>, feature: string | null = 'auth'): Promise<string[]> {
  const snapshot = await board.guard.snapshot()
  await edit()
  return (await board.guard.check(snapshot, { feature: feature ?? undefined, task: 1 })).undone
}
const agentWrites = (name: string, from: string, to: string) => async () => {
  const before = await text(name)
  expect(before).toContain(from)
  await put(name, before.replace(from, to))
}

describe('an edit that does no harm', () => {
  it('stays byte for byte', async () => {
    const edited = TASKS.replace('status: pending', 'status:   done # by the agent').replace(
      'feature: auth\n    comments:',
      'feature: auth\n    comments:\n      - agent was here',
    )
    expect(await iteration(() => put('tasks.yaml', edited))).toEqual([])
    expect(await text('tasks.yaml')).toBe(edited)
  })

  it('may be a new task, better words for its own, better prose', async () => {
    const tasks = `${TASKS}  - id: 4\n    title: Found on the way\n    feature: auth\n`.replace(
      'Build the form',
      'Build the login form',
    )
    const features = FEATURES.replace('Sessions in Redis.', 'Sessions in a signed cookie.')
    expect(
      await iteration(async () => {
        await put('tasks.yaml', tasks)
        await put('features.yaml', features)
      }),
    ).toEqual([])
    expect(await text('tasks.yaml')).toBe(tasks)
    expect(await text('features.yaml')).toBe(features)
  })

  it('nothing at all costs nothing', async () => {
    expect(await iteration(() => Promise.resolve())).toEqual([])
    expect(await readdir(join(root, 'cache', 'guard'))).toEqual(['snapshot.json'])
  })
})

describe('a broken file is restored', () => {
  it.each<[string, string | Uint8Array]>([
    ['an open quote', TASKS.replace('Build the form', '"Build the form')],
    ['a tab', TASKS.replace('    title: Build', '\ttitle: Build')],
    ['wrong indentation', TASKS.replace('    status: pending', '   status: pending')],
    ['a merge conflict', `<<<<<<< HEAD\n${TASKS}=======\n>>>>>>> main\n`],
    ['two keys', TASKS.replace('status: pending', 'status: pending\n    status: done')],
    ['prose instead of YAML', 'I have completed the task as requested.'],
    ['a fenced block', `\`\`\`yaml\n${TASKS}\`\`\`\n`],
    ['half a file', TASKS.slice(0, TASKS.indexOf('[tests') + 4)],
    ['bytes', new Uint8Array([0, 255, 254, 1])],
    ['another root', 'todo:\n  - id: 1\n'],
    ['a mapping for a list', 'tasks:\n  one: {id: 1}\n'],
    ['an alias to nowhere', TASKS.replace('With validation.', '*nowhere')],
    ['two documents', `${TASKS}---\n${TASKS}`],
  ])('from %s', async (_, wreck) => {
    const undone = await iteration(() => put('tasks.yaml', wreck))
    expect(undone).toHaveLength(1)
    expect(undone[0]).toMatch(/^tasks\.yaml:\d+: .*: the whole file is restored$/)
    expect(await text('tasks.yaml')).toBe(TASKS)
  })

  it('from deletion, from emptiness', async () => {
    for (const wreck of [() => unlink(join(root, 'db', 'tasks.yaml')), () => put('tasks.yaml', '')]) {
      expect(await iteration(wreck)).toEqual([
        'task 1 had vanished: put back',
        'task 2 had vanished: put back',
        'task 3 had vanished: put back',
      ])
      expect(await text('tasks.yaml')).toBe(TASKS)
    }
  })

  it('from a folder in its place', async () => {
    const path = join(root, 'db', 'tasks.yaml')
    const undone = await iteration(async () => {
      await unlink(path)
      await mkdir(join(path, 'inside'), { recursive: true })
    })
    expect(undone).toEqual(['tasks.yaml:1: is not UTF-8 text: the whole file is restored'])
    expect(await text('tasks.yaml')).toBe(TASKS)
  })

  it('and the agent’s version is kept for a look', async () => {
    const snapshot = await board.guard.snapshot()
    await put('tasks.yaml', 'oops')
    const { rejectedIn } = await board.guard.check(snapshot, { feature: 'auth' })
    expect(await readFile(join(rejectedIn!, 'tasks.yaml'), 'utf8')).toBe('oops')
  })

  it('also metadata and disciplines', async () => {
    const undone = await iteration(async () => {
      await put('metadata.yaml', 'next_task_id: 1\n')
      await put('disciplines.yaml', 'disciplines: []\n')
    })
    expect(undone).toEqual([
      'discipline "backend" had vanished: put back',
      'metadata.yaml would have given task ids twice: restored',
    ])
    expect(await text('metadata.yaml')).toBe(METADATA)
    expect(await text('disciplines.yaml')).toBe(DISCIPLINES)
  })
})

describe('a destructive edit is undone, the rest of it stays', () => {
  it('prose emptied', async () => {
    const undone = await iteration(
      agentWrites(
        'features.yaml',
        '    architecture: Sessions in Redis.\n    boundaries: |\n      In: passwords.\n      Out: payments.\n',
        '    architecture: ""\n    acronym: SI # new\n',
      ),
    )
    expect(undone).toEqual([
      'feature "auth": architecture was emptied: restored',
      'feature "auth": boundaries was emptied: restored',
    ])
    const auth = await board.feature('auth')
    expect(auth.architecture).toBe('Sessions in Redis.')
    expect(auth.boundaries).toBe('In: passwords.\nOut: payments.\n')
    expect(auth.acronym).toBe('SI')
    expect(await text('features.yaml')).toContain('# new')
  })

  it('learnings replaced in bulk', async () => {
    const before = await text('features.yaml')
    const start = before.indexOf('    learnings:')
    const end = before.indexOf('\n  # Money')
    await iteration(async () =>
      put(
        'features.yaml',
        `${before.slice(0, start)}    learnings:\n      - Everything works now\n${before.slice(end)}`,
      ),
    )
    expect((await board.feature('auth')).learnings.map((learning) => learning.text)).toEqual([
      'Never log the token',
      'The form posts JSON',
      'Redis needs a password in tests',
      'Use argon2',
      'Everything works now',
    ])
    expect(parse(await text('features.yaml')).features[0].learnings[4]).toMatchObject({
      source: 'agent',
      reason: 'noted by the agent in features.yaml',
    })
    expect(parse(await text('features.yaml')).features[0].learnings[0]).toBe('Never log the token')
  })

  it('a person’s learning dropped, while one of four may go', async () => {
    expect(
      await iteration(
        agentWrites(
          'features.yaml',
          '      - text: Use argon2\n        reason: bcrypt was refused\n        source: auto\n        iteration: 4\n',
          '',
        ),
      ),
    ).toEqual([])
    expect((await board.feature('auth')).learnings).toHaveLength(3)
    expect(
      await iteration(
        agentWrites('features.yaml', '      - Never log the token   # Ann, after the incident\n', ''),
      ),
    ).toEqual(['feature "auth": 1 of 3 learnings were dropped: 1 restored'])
    expect((await board.feature('auth')).learnings.map((learning) => learning.text)).toContain(
      'Never log the token',
    )
  })

  it('a forged provenance', async () => {
    const undone = await iteration(async () => {
      await agentWrites('features.yaml', 'source: agent\n', 'source: human\n        reviewed: true\n')()
      await agentWrites(
        'features.yaml',
        '    learnings:\n',
        '    learnings:\n      - {text: I am right, reason: because, source: opus_reviewed, reviewed: true}\n',
      )()
    })
    expect(undone).toEqual(['feature "auth": source or review of 1 learnings was changed: restored'])
    const raw = parse(await text('features.yaml')).features[0].learnings
    expect(raw[2]).toEqual({
      text: 'Redis needs a password in tests',
      reason: 'the tests failed without',
      source: 'agent',
    })
    expect(raw[4]).toMatchObject({ text: 'I am right', reason: 'because', source: 'agent' })
    expect(raw[4].reviewed).toBeUndefined()
  })

  it('another feature touched, with its comments and layout back', async () => {
    const undone = await iteration(async () => {
      await agentWrites('features.yaml', 'Takes money.', 'Takes all the money.')()
      await agentWrites('features.yaml', 'Sign-in', 'Log-in')()
    })
    expect(undone).toEqual([
      'feature "payments": not the feature of this iteration: changes to description undone',
    ])
    expect(await text('features.yaml')).toBe(FEATURES.replace('Sign-in', 'Log-in'))
  })

  it('any feature touched by an iteration that has none', async () => {
    await iteration(agentWrites('features.yaml', 'Sign-in', 'Log-in'), null)
    expect(await text('features.yaml')).toBe(FEATURES)
  })

  it('a task vanished, its comment too', async () => {
    const vanished = TASKS.slice(TASKS.indexOf('\n  # waits'), TASKS.indexOf('  - id: 3'))
    const undone = await iteration(async () => {
      await agentWrites('tasks.yaml', vanished, '')()
      await agentWrites('tasks.yaml', 'status: pending', 'status: done')()
    })
    expect(undone).toEqual(['task 2 had vanished: put back'])
    expect(parse(await text('tasks.yaml'))).toEqual(parse(TASKS.replace('status: pending', 'status: done')))
    expect(await text('tasks.yaml')).toContain('  # waits for design\n  - id: 2\n')
  })

  it('an id changed, an id used twice', async () => {
    expect(await iteration(agentWrites('tasks.yaml', 'id: 3', 'id: 30'))).toEqual([
      'task 3 had got the id 30: undone',
    ])
    expect(await text('tasks.yaml')).toBe(TASKS)
    const undone = await iteration(() => put('tasks.yaml', `${TASKS}  - id: 2\n    title: Brand new\n`))
    expect(undone).toEqual(['task 2 was there twice: the second one ("Brand new") is now task 4'])
    expect(await text('tasks.yaml')).toBe(`${TASKS}  - id: 4\n    title: Brand new\n`)
  })

  it('a task undone that another iteration had done, unless it says why', async () => {
    await board.patchTask(3, { status: 'done' })
    const undo = agentWrites('tasks.yaml', 'status: done', 'status: pending')
    expect(await iteration(undo)).toEqual(['task 3: was done and no longer is, without a comment: restored'])
    expect((await board.task(3)).status).toBe('done')
    const explained = agentWrites(
      'tasks.yaml',
      'status: done',
      'status: pending\n    comments: [the card is charged twice]',
    )
    expect(await iteration(explained)).toEqual([])
    expect((await board.task(3)).status).toBe('pending')
  })

  it('a feature renamed', async () => {
    expect(await iteration(agentWrites('features.yaml', 'name: auth ', 'name: login'))).toEqual([
      'feature "auth" had got the name "login": undone',
    ])
    expect((await board.features()).map((feature) => feature.name)).toEqual(['auth', 'payments'])
  })

  it('caps blown, nonsense in a field, criteria and comments thrown away', async () => {
    const undone = await iteration(async () => {
      await agentWrites('features.yaml', 'Sessions in Redis.', 'x'.repeat(3_001))()
      await agentWrites('tasks.yaml', 'status: pending', 'status: pretty much finished')()
      await agentWrites('tasks.yaml', 'acceptance_criteria: [tests pass]', 'acceptance_criteria: []')()
      await agentWrites('tasks.yaml', '      - first\n      - second\n', '')()
      await agentWrites('tasks.yaml', 'blocked_by: [1]', 'blocked_by: soon')()
    })
    expect(undone).toEqual([
      'feature "auth": architecture has 3,001 characters, the limit is 3,000: restored',
      'task 1: acceptance_criteria was emptied: restored',
      'task 1: status must be one of pending, in_progress, blocked, done, skipped (it is "pretty_much_finished"): restored',
      'task 2: 2 of 3 comments were dropped: restored',
      'task 3: blocked_by must be a whole number: restored',
    ])
    expect(parse(await text('tasks.yaml'))).toEqual(parse(TASKS))
    expect(parse(await text('features.yaml'))).toEqual(parse(FEATURES))
  })

  it('entries that are none', async () => {
    const undone = await iteration(() =>
      put('tasks.yaml', `${TASKS}  - done with everything\n  - title: no id\n  - id: 9\n`),
    )
    expect(undone).toEqual([
      'entry 4 of tasks.yaml was no task: removed',
      'a new task was not usable (id: must be a whole number): removed',
      'a new task was not usable (title: must be text): removed',
    ])
    expect(await text('tasks.yaml')).toBe(TASKS)
  })

  it('a file rewritten by a YAML library gets people’s comments back, and keeps the work', async () => {
    const rewritten = parse(TASKS)
    rewritten.tasks[0].status = 'done'
    rewritten.tasks.splice(1, 1)
    rewritten.tasks.push({ id: 4, title: 'New' })
    await iteration(() => put('tasks.yaml', stringify(rewritten)))
    expect(await text('tasks.yaml')).toBe(
      `${TASKS.replace('status: pending', 'status: done')}  - id: 4\n    title: New\n`,
    )
  })
})

describe('what came through the board meanwhile', () => {
  it('is not undone, even when it looks destructive', async () => {
    const undone = await iteration(async () => {
      await board.patchFeature('payments', { description: 'By a person, meanwhile.' })
      await board.patchFeature('auth', { boundaries: null })
      await board.removeTask(2)
      await board.addTask({ title: 'By a person', feature: 'payments' })
    })
    expect(undone).toEqual([])
    expect((await board.feature('payments')).description).toBe('By a person, meanwhile.')
    expect((await board.tasks()).map((task) => task.id)).toEqual([1, 3, 4])
  })

  it('is judged like any edit when it was the agent that asked for it', async () => {
    const agents = openBoard({
      dir: join(root, 'db'),
      cacheDir: join(root, 'cache'),
      isAgent: async () => true,
    })
    const undone = await iteration(async () => {
      await agents.patchTask(3, { status: 'done' })
      await agents.removeTask(2)
      await agents.patchTask(1, { status: 'done' })
      await board.patchTask(3, { priority: 5 })
    })
    expect(undone).toEqual([
      'task 3: set to done by another task’s iteration: restored',
      'task 2 had vanished: put back',
    ])
    expect(await board.tasks()).toMatchObject([
      { id: 1, status: 'done' },
      { id: 2, title: 'Send the mail' },
      { id: 3, priority: 5 },
    ])
    expect((await board.task(3)).status).not.toBe('done')
  })

  it('does not launder what the agent did to the file', async () => {
    const undone = await iteration(async () => {
      await agentWrites('features.yaml', 'Sessions in Redis.', '')()
      await board.patchFeature('auth', { acronym: 'AU' })
    })
    expect(undone).toEqual(['feature "auth": architecture was emptied: restored'])
    expect(await board.feature('auth')).toMatchObject({ architecture: 'Sessions in Redis.', acronym: 'AU' })
  })

  it('survives the restoring of a broken file', async () => {
    await iteration(async () => {
      await board.patchFeature('payments', { acronym: 'PAY' })
      await put('features.yaml', 'oops: [')
    })
    expect(await board.feature('payments')).toMatchObject({ acronym: 'PAY', description: 'Takes money.' })
    expect(await text('features.yaml')).toContain('# the gate')
  })
})

it('an iteration cut off by a crash is checked later', async () => {
  expect(await board.guard.unchecked()).toBeUndefined()
  await board.guard.snapshot()
  await put('tasks.yaml', 'tasks: []')
  const later = openBoard({ dir: join(root, 'db'), cacheDir: join(root, 'cache') })
  await later.guard.check((await later.guard.unchecked())!, { feature: 'auth' })
  expect(await text('tasks.yaml')).toBe(TASKS)
  expect(await later.guard.unchecked()).toBeUndefined()
})

describe('whatever an agent does to the text', () => {
  const cut = fc.tuple(
    fc.nat(),
    fc.nat(60),
    fc.constantFrom(
      '',
      '\n',
      '  ',
      ': ',
      '- ',
      '"',
      '#',
      'id: 1',
      '{',
      ']',
      'x'.repeat(3_100),
      '- id: 2\n    title: z',
    ),
  )
  const wreck = (text: string, [at, length, inserted]: [number, number, string]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + inserted + text.slice(start + length)
  }

  it('the board loads afterwards and nothing protected is gone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 3 }), fc.boolean(), async (cuts, onTasks) => {
        await put('features.yaml', FEATURES)
        await put('tasks.yaml', TASKS)
        const name = onTasks ? 'tasks.yaml' : 'features.yaml'
        await iteration(async () => put(name, cuts.reduce(wreck, await text(name))))
        const features = await board.features()
        const tasks = await board.tasks()
        expect(tasks.map((task) => task.id)).toEqual(expect.arrayContaining([1, 2, 3]))
        const auth = features.find((feature) => feature.name === 'auth')!
        for (const field of ['description', 'architecture', 'boundaries'] as const)
          expect(auth[field]?.trim()).toBeTruthy()
        expect(auth.learnings.length).toBeGreaterThanOrEqual(2)
        const raw = parse(await text('features.yaml'))
        // A bare list without its key is a list too.
        const payments = (raw.features ?? raw).find(
          (feature: { name: string }) => feature.name === 'payments',
        )
        expect(payments).toEqual(parse(FEATURES).features[1])
        expect((await board.problems()).filter((problem) => problem.kind === 'broken')).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
