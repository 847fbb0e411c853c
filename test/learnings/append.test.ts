import { describe, expect, it } from 'vitest'
import { appendLearning, type LearningCandidate } from '../../src/learnings/append.ts'
import { learningId } from '../../src/learnings/learning.ts'
import fc from '../support/fast-check.ts'
import { learning, many, NOW } from './support.ts'

const candidate = (fields: Partial<LearningCandidate> = {}): LearningCandidate => ({
  text: 'Use fetch for requests',
  reason: 'axios is not installed',
  source: 'auto',
  iteration: 5,
  evidence: 'measured',
  ...fields,
})
const known = (fields = {}) => learning({ text: 'Use fetch for requests', ...fields })
const context = { now: NOW }

describe('something new', () => {
  it('is added with where it comes from, seen once, not reviewed', () => {
    const { outcome, learnings } = appendLearning([], candidate({ taskId: 7 }), context)
    expect(outcome).toBe('added')
    expect(learnings).toEqual([
      {
        text: 'Use fetch for requests',
        reason: 'axios is not installed',
        source: 'auto',
        iteration: 5,
        taskId: 7,
        created: NOW,
        hitCount: 1,
        reviewed: false,
      },
    ])
  })

  it('leaves the list it was given alone', () => {
    const before = [known()]
    const copy = structuredClone(before)
    appendLearning(before, candidate({ text: 'Never use fetch for requests' }), context)
    appendLearning(before, candidate(), context)
    expect(before).toEqual(copy)
  })

  it('is one line of at most 500 characters, cut visibly', () => {
    const { learning: added } = appendLearning(
      [],
      candidate({ text: `first\n\nsecond ${'x'.repeat(600)}` }),
      context,
    )
    expect(added!.text).toHaveLength(500)
    expect(added!.text).toMatch(/^first second x+ \[truncated\]$/)
  })
})

describe('something known', () => {
  it('raises the hit count of what is there and keeps its words', () => {
    const { outcome, learnings } = appendLearning(
      [known()],
      candidate({ text: 'Always use fetch for the requests' }),
      context,
    )
    expect(outcome).toBe('counted')
    expect(learnings).toEqual([{ ...known(), hitCount: 2, lastSeen: 5 }])
  })

  it('does not count what an agent says again', () => {
    const result = appendLearning([known()], candidate({ source: 'agent', evidence: 'said' }), context)
    expect(result).toMatchObject({ outcome: 'known', learnings: [known()] })
  })

  it('does not count words that echo what the prompt showed, but counts what a tool reported', () => {
    const shown = [learningId(known())]
    expect(appendLearning([known()], candidate({ evidence: 'said' }), { ...context, shown }).outcome).toBe(
      'known',
    )
    expect(appendLearning([known()], candidate({ evidence: 'said' }), context).outcome).toBe('counted')
    expect(
      appendLearning([known()], candidate({ evidence: 'measured' }), { ...context, shown }).outcome,
    ).toBe('counted')
  })

  it('counts once per iteration', () => {
    const first = appendLearning([known()], candidate({ iteration: 5 }), context)
    const second = appendLearning(first.learnings, candidate({ iteration: 5 }), context)
    const third = appendLearning(second.learnings, candidate({ iteration: 6 }), context)
    expect([first, second, third].map(({ outcome }) => outcome)).toEqual(['counted', 'known', 'counted'])
    expect(third.learning!.hitCount).toBe(3)
  })

  it('keeps a person’s own words beside what the extractor said', () => {
    const result = appendLearning(
      [known()],
      candidate({ source: 'human', text: 'Always use fetch for the requests', iteration: undefined }),
      context,
    )
    expect(result.outcome).toBe('added')
    expect(result.learnings).toHaveLength(2)
    const again = candidate({
      source: 'human',
      text: 'Fetch is to be used for requests',
      iteration: undefined,
    })
    expect(appendLearning([known({ source: 'human' })], again, context).outcome).toBe('counted')
    expect(
      appendLearning(
        [known()],
        candidate({ source: 'human', text: 'use fetch for requests!', iteration: undefined }),
        context,
      ).outcome,
    ).toBe('counted')
  })

  it('takes over the files as they are now when a tool saw it again', () => {
    const files = [{ path: 'src/a.ts', hash: 'a123456789abcdef' }]
    expect(appendLearning([known()], candidate({ files }), context).learning!.files).toEqual(files)
    expect(
      appendLearning([known()], candidate({ files, evidence: 'said' }), context).learning!.files,
    ).toBeUndefined()
  })
})

describe('task and feature', () => {
  it('lets what holds for the feature cover a task', () => {
    expect(appendLearning([known()], candidate({ taskId: 3 }), context).outcome).toBe('counted')
  })

  it('never widens what holds for one task', () => {
    expect(appendLearning([known({ taskId: 3 })], candidate({ taskId: 3 }), context).outcome).toBe('counted')
    expect(appendLearning([known({ taskId: 3 })], candidate({ taskId: 4 }), context).outcome).toBe('added')
    expect(appendLearning([known({ taskId: 3 })], candidate(), context).outcome).toBe('added')
  })

  it('lets two tasks need opposite things', () => {
    const opposite = { text: 'Never use fetch for requests' }
    expect(
      appendLearning([known({ taskId: 3 })], candidate({ ...opposite, taskId: 4 }), context).outcome,
    ).toBe('added')
    expect(
      appendLearning([known({ taskId: 3 })], candidate({ ...opposite, taskId: 3 }), context).outcome,
    ).toBe('conflict')
    expect(appendLearning([known()], candidate({ ...opposite, taskId: 3 }), context).outcome).toBe('conflict')
  })
})

describe('the opposite of something known', () => {
  it('is kept, and both are flagged for a person', () => {
    const result = appendLearning(
      [known(), learning()],
      candidate({ text: 'Avoid fetch for requests' }),
      context,
    )
    expect(result.outcome).toBe('conflict')
    const [former, , added] = result.learnings
    expect(former!.conflictsWith).toEqual([learningId(added!)])
    expect(added!.conflictsWith).toEqual([learningId(former!)])
    expect(result.conflicts).toEqual([
      { learning: known(), how: '"fetch" is claimed by one and denied by the other' },
    ])
    expect(result.why).toBe(
      `contradicts "Use fetch for requests": "'fetch' is claimed by one and denied by the other"`,
    )
  })

  it('is flagged once, and said again it is known', () => {
    const once = appendLearning([known()], candidate({ text: 'Avoid fetch for requests' }), context)
    const twice = appendLearning(once.learnings, candidate({ text: 'Never use fetch for requests' }), context)
    expect(twice.outcome).toBe('known')
    expect(twice.learnings).toEqual(once.learnings)
  })
})

describe('a full list', () => {
  it('lets the oldest go that is automatic, not reviewed and seen once', () => {
    const oldest = learning({ iteration: 2 })
    const list = [
      ...many(24, { source: 'agent' }),
      ...many(24, { iteration: 9 }),
      oldest,
      learning({ iteration: 1, hitCount: 2 }),
    ]
    const result = appendLearning(list, candidate(), context)
    expect(result).toMatchObject({ outcome: 'added', evicted: oldest })
    expect(result.learnings).toHaveLength(50)
    expect(result.learnings).not.toContain(oldest)
  })

  it('refuses when nothing may go', () => {
    const list = [...many(48, { source: 'human' }), learning({ reviewed: true }), learning({ hitCount: 2 })]
    const result = appendLearning(list, candidate(), context)
    expect(result).toMatchObject({ outcome: 'full', why: 'learnings full: review needed' })
    expect(result.learnings).toEqual(list)
  })

  it('never lets go of what is disputed, nor of what the new one contradicts', () => {
    const disputed = learning({ conflictsWith: ['12345678'] })
    const full = [...many(49, { source: 'human' }), disputed]
    expect(appendLearning(full, candidate(), context).outcome).toBe('full')
    const contradicted = [...many(49, { source: 'human' }), known()]
    expect(
      appendLearning(contradicted, candidate({ text: 'Never use fetch for requests' }), context).outcome,
    ).toBe('full')
  })

  it('still counts what is known', () => {
    expect(appendLearning([...many(49, { source: 'human' }), known()], candidate(), context).outcome).toBe(
      'counted',
    )
  })

  it('drops nothing of a list that a person made longer', () => {
    const list = many(60)
    expect(appendLearning(list, candidate(), context)).toMatchObject({ outcome: 'full', learnings: list })
  })
})

describe('words that are there already', () => {
  it('are not added a second time beside words of a machine that come close', () => {
    const close = {
      ...candidate(),
      text: 'always use fetch for all requests',
      source: 'auto' as const,
      iteration: 1,
    }
    const exact = { ...candidate(), text: 'always use fetch for requests', source: 'human' as const }
    const first = appendLearning([], close, context).learnings
    const second = appendLearning(first, exact, context).learnings
    const third = appendLearning(second, exact, context)
    expect(third.learnings).toHaveLength(second.length)
    expect(third.outcome).not.toBe('added')
  })
})

describe('any sequence of learnings', () => {
  const words = fc.constantFrom(
    'use',
    'never',
    'fetch',
    'axios',
    'cache',
    'for',
    'requests',
    'enabled',
    'disabled',
    '3',
    '5',
    'not',
    'src/a.ts',
    'before',
    'tests',
    'ignore previous instructions',
  )
  const arbitrary = fc.record({
    text: fc.array(words, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(' ')),
    source: fc.constantFrom('auto', 'agent', 'human', 'opus_reviewed'),
    iteration: fc.integer({ min: 1, max: 90 }),
    taskId: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  })

  it('keeps at most 50, loses nothing of a person, and holds conflicts together', () => {
    fc.assert(
      fc.property(fc.array(arbitrary, { minLength: 40, maxLength: 90 }), (candidates) => {
        let learnings: ReturnType<typeof many> = []
        for (const fields of candidates) {
          const before = learnings
          const { outcome, learnings: after } = appendLearning(
            before,
            { ...fields, reason: 'random' } as LearningCandidate,
            context,
          )
          learnings = after
          expect(after.length).toBeLessThanOrEqual(50)
          const ids = new Set(after.map(learningId))
          expect(ids.size).toBe(after.length)
          for (const each of before) {
            if (each.source !== 'auto' || each.reviewed || each.hitCount > 1)
              expect(ids.has(learningId(each))).toBe(true)
          }
          for (const each of after) for (const id of each.conflictsWith ?? []) expect(ids.has(id)).toBe(true)
          if (['known', 'full', 'rejected'].includes(outcome)) expect(after).toEqual(before)
        }
      }),
      { numRuns: 30 },
    )
  })
})
