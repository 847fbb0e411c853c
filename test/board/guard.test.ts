import { mkdir, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { DISCIPLINES, FEATURES, type GuardedBoard, guardedBoard, METADATA, TASKS } from './guarded-board.ts'

let guarded: GuardedBoard
beforeEach(async () => {
  guarded = await guardedBoard()
})
afterEach(() => guarded.close())

describe('an edit that does no harm', () => {
  it('stays byte for byte', async () => {
    const edited = TASKS.replace('status: pending', 'status:   done # by the agent').replace(
      'feature: auth\n    comments:',
      'feature: auth\n    comments:\n      - agent was here',
    )
    expect(await guarded.iteration(() => guarded.put('tasks.yaml', edited))).toEqual([])
    expect(await guarded.text('tasks.yaml')).toBe(edited)
  })

  it('may be a new task, better words for its own, better prose', async () => {
    const tasks = `${TASKS}  - id: 4\n    title: Found on the way\n    feature: auth\n`.replace(
      'Build the form',
      'Build the login form',
    )
    const features = FEATURES.replace('Sessions in Redis.', 'Sessions in a signed cookie.')
    expect(
      await guarded.iteration(async () => {
        await guarded.put('tasks.yaml', tasks)
        await guarded.put('features.yaml', features)
      }),
    ).toEqual([])
    expect(await guarded.text('tasks.yaml')).toBe(tasks)
    expect(await guarded.text('features.yaml')).toBe(features)
  })

  it('nothing at all costs nothing', async () => {
    expect(await guarded.iteration(() => Promise.resolve())).toEqual([])
    expect(await readdir(join(guarded.root, 'cache', 'guard'))).toEqual(['snapshot.json'])
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
    ['another guarded.root', 'todo:\n  - id: 1\n'],
    ['a mapping for a list', 'tasks:\n  one: {id: 1}\n'],
    ['an alias to nowhere', TASKS.replace('With validation.', '*nowhere')],
    ['two documents', `${TASKS}---\n${TASKS}`],
  ])('from %s', async (_, wreck) => {
    const undone = await guarded.iteration(() => guarded.put('tasks.yaml', wreck))
    expect(undone).toHaveLength(1)
    expect(undone[0]).toMatch(/^tasks\.yaml:\d+: .*: the whole file is restored$/)
    expect(await guarded.text('tasks.yaml')).toBe(TASKS)
  })

  it('from deletion, from emptiness', async () => {
    for (const wreck of [
      () => unlink(join(guarded.root, 'db', 'tasks.yaml')),
      () => guarded.put('tasks.yaml', ''),
    ]) {
      expect(await guarded.iteration(wreck)).toEqual([
        'task 1 had vanished: put back',
        'task 2 had vanished: put back',
        'task 3 had vanished: put back',
      ])
      expect(await guarded.text('tasks.yaml')).toBe(TASKS)
    }
  })

  it('from a folder in its place', async () => {
    const path = join(guarded.root, 'db', 'tasks.yaml')
    const undone = await guarded.iteration(async () => {
      await unlink(path)
      await mkdir(join(path, 'inside'), { recursive: true })
    })
    expect(undone).toEqual(['tasks.yaml:1: is not UTF-8 text: the whole file is restored'])
    expect(await guarded.text('tasks.yaml')).toBe(TASKS)
  })

  it('and the agent’s version is kept for a look', async () => {
    const snapshot = await guarded.board.guard.snapshot()
    await guarded.put('tasks.yaml', 'oops')
    const { rejectedIn } = await guarded.board.guard.check(snapshot, { feature: 'auth' })
    expect(await readFile(join(rejectedIn!, 'tasks.yaml'), 'utf8')).toBe('oops')
  })

  it('also metadata and disciplines', async () => {
    const undone = await guarded.iteration(async () => {
      await guarded.put('metadata.yaml', 'next_task_id: 1\n')
      await guarded.put('disciplines.yaml', 'disciplines: []\n')
    })
    expect(undone).toEqual([
      'discipline "backend" had vanished: put back',
      'metadata.yaml would have given task ids twice: restored',
    ])
    expect(await guarded.text('metadata.yaml')).toBe(METADATA)
    expect(await guarded.text('disciplines.yaml')).toBe(DISCIPLINES)
  })
})

describe('a destructive edit is undone, the rest of it stays', () => {
  it('prose emptied', async () => {
    const undone = await guarded.iteration(
      guarded.agentWrites(
        'features.yaml',
        '    architecture: Sessions in Redis.\n    boundaries: |\n      In: passwords.\n      Out: payments.\n',
        '    architecture: ""\n    acronym: SI # new\n',
      ),
    )
    expect(undone).toEqual([
      'feature "auth": architecture was emptied: restored',
      'feature "auth": boundaries was emptied: restored',
    ])
    const auth = await guarded.board.feature('auth')
    expect(auth.architecture).toBe('Sessions in Redis.')
    expect(auth.boundaries).toBe('In: passwords.\nOut: payments.\n')
    expect(auth.acronym).toBe('SI')
    expect(await guarded.text('features.yaml')).toContain('# new')
  })

  it('learnings replaced in bulk', async () => {
    const before = await guarded.text('features.yaml')
    const start = before.indexOf('    learnings:')
    const end = before.indexOf('\n  # Money')
    await guarded.iteration(async () =>
      guarded.put(
        'features.yaml',
        `${before.slice(0, start)}    learnings:\n      - Everything works now\n${before.slice(end)}`,
      ),
    )
    expect((await guarded.board.feature('auth')).learnings.map((learning) => learning.text)).toEqual([
      'Never log the token',
      'The form posts JSON',
      'Redis needs a password in tests',
      'Use argon2',
      'Everything works now',
    ])
    expect(parse(await guarded.text('features.yaml')).features[0].learnings[4]).toMatchObject({
      source: 'agent',
      reason: 'noted by the agent in features.yaml',
    })
    expect(parse(await guarded.text('features.yaml')).features[0].learnings[0]).toBe('Never log the token')
  })

  it('a person’s learning dropped, while one of four may go', async () => {
    expect(
      await guarded.iteration(
        guarded.agentWrites(
          'features.yaml',
          '      - text: Use argon2\n        reason: bcrypt was refused\n        source: auto\n        iteration: 4\n',
          '',
        ),
      ),
    ).toEqual([])
    expect((await guarded.board.feature('auth')).learnings).toHaveLength(3)
    expect(
      await guarded.iteration(
        guarded.agentWrites('features.yaml', '      - Never log the token   # Ann, after the incident\n', ''),
      ),
    ).toEqual(['feature "auth": 1 of 3 learnings dropped: 1 restored'])
    expect((await guarded.board.feature('auth')).learnings.map((learning) => learning.text)).toContain(
      'Never log the token',
    )
  })

  it('a forged provenance', async () => {
    const undone = await guarded.iteration(async () => {
      await guarded.agentWrites(
        'features.yaml',
        'source: agent\n',
        'source: human\n        reviewed: true\n',
      )()
      await guarded.agentWrites(
        'features.yaml',
        '    learnings:\n',
        '    learnings:\n      - {text: I am right, reason: because, source: opus_reviewed, reviewed: true}\n',
      )()
    })
    expect(undone).toEqual(['feature "auth": source or review of 1 learning changed: restored'])
    const raw = parse(await guarded.text('features.yaml')).features[0].learnings
    expect(raw[2]).toEqual({
      text: 'Redis needs a password in tests',
      reason: 'the tests failed without',
      source: 'agent',
    })
    expect(raw[4]).toMatchObject({ text: 'I am right', reason: 'because', source: 'agent' })
    expect(raw[4].reviewed).toBeUndefined()
  })

  it('another feature touched, with its comments and layout back', async () => {
    const undone = await guarded.iteration(async () => {
      await guarded.agentWrites('features.yaml', 'Takes money.', 'Takes all the money.')()
      await guarded.agentWrites('features.yaml', 'Sign-in', 'Log-in')()
    })
    expect(undone).toEqual([
      'feature "payments": not the feature of this iteration: changes to description undone',
    ])
    expect(await guarded.text('features.yaml')).toBe(FEATURES.replace('Sign-in', 'Log-in'))
  })

  it('any feature touched by an iteration that has none', async () => {
    await guarded.iteration(guarded.agentWrites('features.yaml', 'Sign-in', 'Log-in'), null)
    expect(await guarded.text('features.yaml')).toBe(FEATURES)
  })

  it('a task vanished, its comment too', async () => {
    const vanished = TASKS.slice(TASKS.indexOf('\n  # waits'), TASKS.indexOf('  - id: 3'))
    const undone = await guarded.iteration(async () => {
      await guarded.agentWrites('tasks.yaml', vanished, '')()
      await guarded.agentWrites('tasks.yaml', 'status: pending', 'status: done')()
    })
    expect(undone).toEqual(['task 2 had vanished: put back'])
    expect(parse(await guarded.text('tasks.yaml'))).toEqual(
      parse(TASKS.replace('status: pending', 'status: done')),
    )
    expect(await guarded.text('tasks.yaml')).toContain('  # waits for design\n  - id: 2\n')
  })

  it('an id changed, an id used twice', async () => {
    expect(await guarded.iteration(guarded.agentWrites('tasks.yaml', 'id: 3', 'id: 30'))).toEqual([
      'task 3 had got the id 30: undone',
    ])
    expect(await guarded.text('tasks.yaml')).toBe(TASKS)
    const undone = await guarded.iteration(() =>
      guarded.put('tasks.yaml', `${TASKS}  - id: 2\n    title: Brand new\n`),
    )
    expect(undone).toEqual(['task 2 was there twice: the second one ("Brand new") is now task 4'])
    expect(await guarded.text('tasks.yaml')).toBe(`${TASKS}  - id: 4\n    title: Brand new\n`)
  })

  it('a task undone that another iteration had done, unless it says why', async () => {
    await guarded.board.patchTask(3, { status: 'done' })
    const undo = guarded.agentWrites('tasks.yaml', 'status: done', 'status: pending')
    expect(await guarded.iteration(undo)).toEqual([
      'task 3: was done and no longer is, without a comment: restored',
    ])
    expect((await guarded.board.task(3)).status).toBe('done')
    const explained = guarded.agentWrites(
      'tasks.yaml',
      'status: done',
      'status: pending\n    comments: [the card is charged twice]',
    )
    expect(await guarded.iteration(explained)).toEqual([])
    expect((await guarded.board.task(3)).status).toBe('pending')
  })

  it('a feature renamed', async () => {
    expect(
      await guarded.iteration(guarded.agentWrites('features.yaml', 'name: auth ', 'name: login')),
    ).toEqual(['feature "auth" had got the name "login": undone'])
    expect((await guarded.board.features()).map((feature) => feature.name)).toEqual(['auth', 'payments'])
  })

  it('caps blown, nonsense in a field, criteria and comments thrown away', async () => {
    const undone = await guarded.iteration(async () => {
      await guarded.agentWrites('features.yaml', 'Sessions in Redis.', 'x'.repeat(3_001))()
      await guarded.agentWrites('tasks.yaml', 'status: pending', 'status: pretty much finished')()
      await guarded.agentWrites(
        'tasks.yaml',
        'acceptance_criteria: [tests pass]',
        'acceptance_criteria: []',
      )()
      await guarded.agentWrites('tasks.yaml', '      - first\n      - second\n', '')()
      await guarded.agentWrites('tasks.yaml', 'blocked_by: [1]', 'blocked_by: soon')()
    })
    expect(undone).toEqual([
      'feature "auth": architecture has 3,001 characters, the limit is 3,000: restored',
      'task 1: acceptance_criteria was emptied: restored',
      'task 1: status must be one of pending, in_progress, blocked, done, skipped (it is "pretty_much_finished"): restored',
      'task 2: 2 of 3 comments dropped: restored',
      'task 3: blocked_by must be a whole number: restored',
    ])
    expect(parse(await guarded.text('tasks.yaml'))).toEqual(parse(TASKS))
    expect(parse(await guarded.text('features.yaml'))).toEqual(parse(FEATURES))
  })

  it('entries that are none', async () => {
    const undone = await guarded.iteration(() =>
      guarded.put('tasks.yaml', `${TASKS}  - done with everything\n  - title: no id\n  - id: 9\n`),
    )
    expect(undone).toEqual([
      'entry 4 of tasks.yaml was no task: removed',
      'a new task was not usable (id: must be a whole number): removed',
      'a new task was not usable (title: must be text): removed',
    ])
    expect(await guarded.text('tasks.yaml')).toBe(TASKS)
  })

  it('a file rewritten by a YAML library gets people’s comments back, and keeps the work', async () => {
    const rewritten = parse(TASKS)
    rewritten.tasks[0].status = 'done'
    rewritten.tasks.splice(1, 1)
    rewritten.tasks.push({ id: 4, title: 'New' })
    await guarded.iteration(() => guarded.put('tasks.yaml', stringify(rewritten)))
    expect(await guarded.text('tasks.yaml')).toBe(
      `${TASKS.replace('status: pending', 'status: done')}  - id: 4\n    title: New\n`,
    )
  })
})
