import { describe, expect, it } from 'vitest'
import { nearestOf, recallOf } from '../../bench/peers/data/nearest.ts'
import { spread } from '../../bench/peers/report/chart.ts'
import { percent, short, times } from '../../bench/peers/report/numbers.ts'
import { median, percentile } from '../../bench/support/figures.ts'
import { howQuiet } from '../../bench/support/rounds.ts'

describe('exact search', () => {
  const vectors = Float32Array.from([1, 0, 0, 1, 0.6, 0.8, -1, 0])

  it('has the nearest first, and no more than asked for', () => {
    expect(nearestOf(vectors, [Float32Array.from([1, 0])], 3)).toEqual([[0, 2, 1]])
    expect(nearestOf(vectors, [Float32Array.from([0, 1]), Float32Array.from([-1, 0])], 1)).toEqual([[1], [3]])
  })

  it('gives all there are where there are fewer', () => {
    expect(nearestOf(vectors, [Float32Array.from([1, 0])], 9)).toEqual([[0, 2, 1, 3]])
  })
})

describe('recall', () => {
  it('is the share of the nearest that were found, in any order, averaged over questions', () => {
    const exact = [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ]
    expect(recallOf(exact, [[4, 3, 2, 1], [5]])).toBe((1 + 0.25) / 2)
    expect(recallOf(exact, [[9, 9, 9, 9], []])).toBe(0)
  })
})

describe('what is said of many times', () => {
  it('is the middle one, and the one that so many are not above', () => {
    const values = [5, 1, 4, 2, 3]
    expect(median(values)).toBe(3)
    expect(percentile(values, 0.95)).toBe(5)
    expect(
      percentile(
        Array.from({ length: 100 }, (_, at) => at),
        0.95,
      ),
    ).toBe(95)
  })

  it('is short', () => {
    expect([0.123, 1.26, 12.6, 1234.5, Number.NaN].map(short)).toEqual(['0.12', '1.3', '13', '1,235', '–'])
    expect([percent(1), percent(0.7904), times(9, 4)]).toEqual(['100 %', '79.0 %', '2.3 ×'])
  })
})

describe('a machine that does something else', () => {
  it('is known by how long a bare node waits', () => {
    const start = (wall: number) => ({ wall, cpu: 30 })
    expect(howQuiet([start(60), start(90), start(90)])).toMatchObject({
      isQuiet: false,
      waited: 3,
      spread: 1.5,
    })
  })
})

describe('labels', () => {
  it('are moved apart, keep their order and stay within the picture', () => {
    const moved = spread([50, 10, 12, 11], 10, [0, 60])
    const sorted = moved.toSorted((a, b) => a - b)
    expect([moved[1]!, moved[3]!, moved[2]!, moved[0]!]).toEqual(sorted)
    for (let at = 1; at < sorted.length; at++)
      expect(sorted[at]! - sorted[at - 1]!).toBeGreaterThanOrEqual(10)
    expect(sorted[0]).toBeGreaterThanOrEqual(0)
    expect(sorted.at(-1)).toBeLessThanOrEqual(60)
    expect(spread([5, 30], 10, [0, 60])).toEqual([5, 30])
    expect(spread([58, 59, 60], 10, [0, 60])).toEqual([40, 50, 60])
  })
})
