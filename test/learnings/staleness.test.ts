import { describe, expect, it } from 'vitest'
import { isStale, pruneLearnings } from '../../src/learnings/staleness.ts'
import { learning } from './support.ts'

describe('isStale', () => {
  it.each([
    ['19 iterations later', learning({ iteration: 10 }), 29, false],
    ['20 iterations later', learning({ iteration: 10 }), 30, true],
    ['seen again meanwhile', learning({ iteration: 10, lastSeen: 25, hitCount: 2 }), 30, false],
    ['reviewed', learning({ iteration: 10, reviewed: true }), 300, false],
    ['an agent’s', learning({ iteration: 10, source: 'agent' }), 300, false],
    ['a person’s', learning({ iteration: 10, source: 'human' }), 300, false],
    ['of unknown age', { ...learning(), iteration: undefined }, 300, false],
  ])('%s', (_, each, iteration, expected) => {
    expect(isStale(each as ReturnType<typeof learning>, iteration)).toBe(expected)
  })
})

describe('prune', () => {
  it('lets go of nothing but what is automatic, not reviewed, seen once and 40 iterations old', () => {
    const old = learning({ iteration: 10 })
    const kept = [
      learning({ iteration: 11 }),
      learning({ iteration: 10, hitCount: 2 }),
      learning({ iteration: 10, reviewed: true }),
      learning({ iteration: 10, source: 'agent' }),
      learning({ iteration: 10, source: 'human' }),
      learning({ iteration: 10, source: 'opus_reviewed' }),
      learning({ iteration: 10, conflictsWith: ['12345678'] }),
    ]
    expect(pruneLearnings([old, ...kept], 50)).toEqual({ learnings: kept, pruned: [old] })
    expect(pruneLearnings([old], 49).pruned).toEqual([])
  })
})
