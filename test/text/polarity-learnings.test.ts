import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareStatements, type Verdict } from '../../src/text/polarity/polarity.ts'

/** Pairs of learnings as they are written about software, each with what it is: the same, the opposite, or two things of a kind. */
const PAIRS = readFileSync(join(import.meta.dirname, '../fixtures/polarity/learnings.txt'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [kind: string, a: string, b: string])

function judged(kind: string): { pair: string; verdict: Verdict }[] {
  return PAIRS.filter(([each]) => each === kind).map(([, a, b]) => ({
    pair: `${a} | ${b}`,
    verdict: compareStatements(a, b).verdict,
  }))
}

function taken(kind: string, verdict: Verdict): string[] {
  return judged(kind).flatMap((one) => (one.verdict === verdict ? [one.pair] : []))
}

describe('500 pairs of learnings', () => {
  it('merges no opposites, and nothing that is said of something else', () => {
    expect(taken('opposite', 'duplicate')).toEqual([])
    expect(taken('other', 'duplicate')).toEqual([])
  })

  it('sets next to nothing against each other that may both be true', () => {
    expect(taken('other', 'conflict').length).toBeLessThanOrEqual(4)
    expect(taken('same', 'conflict').length).toBeLessThanOrEqual(2)
  })

  it('finds most that say the same, and flags most opposites', () => {
    expect(taken('same', 'duplicate').length / judged('same').length).toBeGreaterThan(0.9)
    expect(taken('opposite', 'conflict').length / judged('opposite').length).toBeGreaterThan(0.8)
  })
})
