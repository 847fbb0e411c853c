import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openBoard } from '../../src/board/board.ts'
import fc from '../support/fast-check.ts'
import { FEATURES, type GuardedBoard, guardedBoard, TASKS } from './guarded-board.ts'

let guarded: GuardedBoard
beforeEach(async () => {
  guarded = await guardedBoard()
})
afterEach(() => guarded.close())

describe('what came through the board meanwhile', () => {
  it('is not undone, even when it looks destructive', async () => {
    const undone = await guarded.iteration(async () => {
      await guarded.board.patchFeature('payments', { description: 'By a person, meanwhile.' })
      await guarded.board.patchFeature('auth', { boundaries: null })
      await guarded.board.removeTask(2)
      await guarded.board.addTask({ title: 'By a person', feature: 'payments' })
    })
    expect(undone).toEqual([])
    expect((await guarded.board.feature('payments')).description).toBe('By a person, meanwhile.')
    expect((await guarded.board.tasks()).map((task) => task.id)).toEqual([1, 3, 4])
  })

  it('is judged like any edit when it was the agent that asked for it', async () => {
    const agents = openBoard({
      dir: join(guarded.root, 'db'),
      cacheDir: join(guarded.root, 'cache'),
      isAgent: async () => true,
    })
    const undone = await guarded.iteration(async () => {
      await agents.patchTask(3, { status: 'done' })
      await agents.removeTask(2)
      await agents.patchTask(1, { status: 'done' })
      await guarded.board.patchTask(3, { priority: 5 })
    })
    expect(undone).toEqual([
      'task 3: set to done by another task’s iteration: restored',
      'task 2 had vanished: put back',
    ])
    expect(await guarded.board.tasks()).toMatchObject([
      { id: 1, status: 'done' },
      { id: 2, title: 'Send the mail' },
      { id: 3, priority: 5 },
    ])
    expect((await guarded.board.task(3)).status).not.toBe('done')
  })

  it('does not launder what the agent did to the file', async () => {
    const undone = await guarded.iteration(async () => {
      await guarded.agentWrites('features.yaml', 'Sessions in Redis.', '')()
      await guarded.board.patchFeature('auth', { acronym: 'AU' })
    })
    expect(undone).toEqual(['feature "auth": architecture was emptied: restored'])
    expect(await guarded.board.feature('auth')).toMatchObject({
      architecture: 'Sessions in Redis.',
      acronym: 'AU',
    })
  })

  it('survives the restoring of a broken file', async () => {
    await guarded.iteration(async () => {
      await guarded.board.patchFeature('payments', { acronym: 'PAY' })
      await guarded.put('features.yaml', 'oops: [')
    })
    expect(await guarded.board.feature('payments')).toMatchObject({
      acronym: 'PAY',
      description: 'Takes money.',
    })
    expect(await guarded.text('features.yaml')).toContain('# the gate')
  })
})

it('an iteration cut off by a crash is checked later', async () => {
  expect(await guarded.board.guard.unchecked()).toBeUndefined()
  await guarded.board.guard.snapshot()
  await guarded.put('tasks.yaml', 'tasks: []')
  const later = openBoard({ dir: join(guarded.root, 'db'), cacheDir: join(guarded.root, 'cache') })
  await later.guard.check((await later.guard.unchecked())!, { feature: 'auth' })
  expect(await guarded.text('tasks.yaml')).toBe(TASKS)
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
        await guarded.put('features.yaml', FEATURES)
        await guarded.put('tasks.yaml', TASKS)
        const name = onTasks ? 'tasks.yaml' : 'features.yaml'
        await guarded.iteration(async () => guarded.put(name, cuts.reduce(wreck, await guarded.text(name))))
        const features = await guarded.board.features()
        const tasks = await guarded.board.tasks()
        expect(tasks.map((task) => task.id)).toEqual(expect.arrayContaining([1, 2, 3]))
        const auth = features.find((feature) => feature.name === 'auth')!
        for (const field of ['description', 'architecture', 'boundaries'] as const)
          expect(auth[field]?.trim()).toBeTruthy()
        expect(auth.learnings.length).toBeGreaterThanOrEqual(2)
        const raw = parse(await guarded.text('features.yaml'))
        // A bare list without its key is a list too.
        const payments = (raw.features ?? raw).find(
          (feature: { name: string }) => feature.name === 'payments',
        )
        expect(payments).toEqual(parse(FEATURES).features[1])
        expect((await guarded.board.problems()).filter((problem) => problem.kind === 'broken')).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
