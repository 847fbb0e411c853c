import { describe, expect, it } from 'vitest'
import { contextBlock } from '../../src/project-knowledge/context-block.ts'
import { parseKnowledge } from '../../src/project-knowledge/entry.ts'
import { type FoundEntry, patternsOf } from '../../src/project-knowledge/patterns.ts'
import { rankOf } from '../../src/project-knowledge/ranking.ts'
import type { CaptureSource } from '../../src/project-knowledge/sources.ts'

let next = 0
function found(fields: object, score = 0.8, counts: object = {}): FoundEntry {
  const knowledge = parseKnowledge({
    kind: 'failure_solution',
    project: 'shop',
    failureDescription: 'the build breaks on windows',
    solutionSteps: 'use forward slashes in paths',
    ...fields,
  })
  const times = { capturedAt: '2026-01-01T00:00:00.000Z', embeddedAt: '2026-01-01T00:00:00.000Z' }
  const id = `id-${++next}`
  return {
    entry: {
      ...knowledge,
      ...times,
      id,
      projectId: 'shop',
      successCount: 1,
      helped: 0,
      misled: 0,
      ...counts,
    },
    score,
    matched: ['meaning'],
    sources: [{ project: 'shop', projectId: 'shop', task: id, person: '' }],
  }
}

describe('patterns', () => {
  it('put together what says the same, and add up its successes', () => {
    const patterns = patternsOf([
      found({ technology: 'node' }, 0.8, { successCount: 3 }),
      found({ technology: 'deno', solutionSteps: 'Use forward slashes in all paths' }, 0.9, {
        successCount: 2,
      }),
      found({ solutionSteps: 'build it inside a container instead' }, 0.7),
    ])
    expect(patterns.map(({ successCount }) => successCount)).toEqual([5, 1])
    expect(patterns[0]).toMatchObject({ score: 0.9, entries: [{ successCount: 2 }, { successCount: 3 }] })
  })

  it('keep opposite answers apart and side by side, and say so', () => {
    const patterns = patternsOf([
      found({ solutionSteps: 'enable the long path support' }, 0.9, { successCount: 4 }),
      found(
        { failureDescription: 'the tests hang on windows', solutionSteps: 'close the server first' },
        0.9,
        { successCount: 3 },
      ),
      found({ solutionSteps: 'do not enable the long path support' }, 0.8),
    ])
    expect(patterns.map(({ solution }) => solution)).toEqual([
      'enable the long path support',
      'do not enable the long path support',
      'close the server first',
    ])
    expect(patterns[0]?.conflictsWith).toEqual([{ id: patterns[1]?.id, how: 'opposite' }])
    expect(contextBlock(patterns)).toContain('pattern 2 says the opposite')
  })

  it('mark other answers to the same problem as alternatives', () => {
    const [first, second] = patternsOf([
      found({}),
      found({ solutionSteps: 'build it inside a container instead' }),
    ])
    expect(first?.conflictsWith).toEqual([{ id: second?.id, how: 'alternative' }])
  })

  it('of different kinds are never the same', () => {
    const feedback = 'use forward slashes in paths'
    const rejection = found({ kind: 'gate_rejection', gateType: 'review', humanFeedback: feedback })
    expect(patternsOf([found({}), rejection])).toHaveLength(2)
  })

  it('show the words of the entry that has proved itself', () => {
    const [pattern] = patternsOf([
      found({ solutionSteps: 'use forward slashes in paths' }, 0.82),
      found({ solutionSteps: 'Use forward slashes in all paths' }, 0.81, { successCount: 9, helped: 3 }),
    ])
    expect(pattern?.solution).toBe('Use forward slashes in all paths')
  })
})

describe('the rank', () => {
  const base = { kind: 'failure_solution', similarity: 0.8, successes: 1, helped: 0, misled: 0 } as const
  const rank = (changes: object) => rankOf({ ...base, ...changes }).value

  it('rises with similarity, successes, the quality of the kind and good experience', () => {
    expect(rank({ similarity: 0.9 })).toBeGreaterThan(rank({}))
    expect(rank({ successes: 5 })).toBeGreaterThan(rank({ successes: 3 }))
    expect(rank({ kind: 'gate_rejection' })).toBeGreaterThan(rank({}))
    expect(rank({ kind: 'gate_approval' })).toBeGreaterThan(rank({}))
    expect(rank({ helped: 1 })).toBeGreaterThan(rank({}))
    expect(rank({ misled: 1 })).toBeLessThan(rank({}))
  })

  it('is not won by numbers alone', () => {
    expect(rank({ successes: 1_000_000, misled: 10 })).toBeLessThan(rank({}))
    expect(rank({ successes: 1_000_000, similarity: 0.4 })).toBeLessThan(rank({ similarity: 0.9 }))
  })

  it('explains itself: the factors multiply to it', () => {
    const { value, factors } = rankOf({ ...base, successes: 4, helped: 2, misled: 1 })
    expect(factors.reduce((product, { factor }) => product * factor, 1)).toBeCloseTo(value)
    expect(factors.map(({ because }) => because)).toEqual([
      'to the question',
      '4 successes',
      'high: a verified solution',
      'after being shown: 2 succeeded, 1 failed',
    ])
  })
})

describe('what one source can weigh', () => {
  const from = (person: string, count: number, project = 'shop') =>
    Array.from({ length: count }, (_, task) => ({
      project,
      projectId: project,
      task: `made/${task}`,
      person,
    }))
  const weighed = (...sources: CaptureSource[]) =>
    patternsOf([{ ...found({}, 0.9, { successCount: sources.length }), sources }])[0]!.successCount

  it('is never the most common way, however many tasks it names', () => {
    expect(weighed(...from('', 12))).toBe(4)
    expect(weighed(...from('ann', 500))).toBe(4)
    expect(
      contextBlock(patternsOf([{ ...found({}, 0.9, { successCount: 12 }), sources: from('', 12) }])),
    ).toContain('Pattern 1 (Moderate - 4 successes)')
  })

  it('is not either, whatever people it names, or an import', () => {
    const people = Array.from({ length: 30 }, (_, number) => from(`person ${number}`, 1)).flat()
    expect(weighed(...people)).toBe(4)
    const imported = Array.from({ length: 30 }, (_, number) => from('', 1, `project ${number}`)).flat()
    expect(weighed(...imported.map((one) => ({ ...one, task: `import ${one.task}` })))).toBe(4)
    const claimed = { ...found({}, 0.9, { successCount: 41 }), sources: [] }
    expect(patternsOf([claimed])[0]!.successCount).toBe(4)
  })

  it('adds up with what other people and projects saw', () => {
    expect(weighed(...from('ann', 1), ...from('ben', 2))).toBe(3)
    expect(weighed(...from('ann', 9), ...from('ann', 1, 'bank'))).toBe(5)
  })
})

describe('the context block', () => {
  it('is framed to the letter', () => {
    const patterns = patternsOf([
      found({ errorMessage: 'ENOENT: no such file\nat open', technology: 'node', taskType: 'build' }, 0.9, {
        successCount: 5,
      }),
      found({ solutionSteps: 'build it inside a container instead' }, 0.8, { successCount: 3 }),
      found({ kind: 'gate_approval', gateType: 'release', approvedApproach: 'tag, then publish' }, 0.75),
      found({ failureDescription: 'a fourth is one too many', solutionSteps: 'leave it out' }, 0.7),
    ])
    expect(contextBlock(patterns)).toBe(`[ORCHESTRATOR CONTEXT: Historical Knowledge]

Similar situations have been resolved these ways:

Pattern 1 (Most Common - 5 successes):
- Problem: "the build breaks on windows: ENOENT: no such file at open"
- Solution: "use forward slashes in paths"
- When to try: "when the same error shows, with node, in build tasks"

Pattern 2 (Moderate - 3 successes):
- Problem: "the build breaks on windows"
- Solution: "build it inside a container instead"
- When to try: "when the same failure shows"

Pattern 3 (Less Common - 1 success):
- Problem: "Passing the release gate"
- Solution: "tag, then publish"
- When to try: "before asking for the release gate; this was approved at the first attempt"

Recommendation: Try patterns in order. Pattern 1 is most likely based on historical data.

[END CONTEXT]`)
  })

  it('does not exist without patterns', () => {
    expect(contextBlock([])).toBeUndefined()
  })

  it('keeps the brackets of code', () => {
    expect(
      contextBlock(patternsOf([found({ solutionSteps: 'read items[0] and argv[2], not items[n]' })])),
    ).toContain('read items[0] and argv[2], not items[n]')
  })
})
