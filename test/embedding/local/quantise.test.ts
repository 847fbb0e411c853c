import { describe, expect, it } from 'vitest'
import { quantiseTransposed, stack } from '../../../src/embedding/local/quantise.ts'

describe('quantiseTransposed', () => {
  it('keeps every weight within half a step of its own column, transposed', () => {
    const rows = 5
    const columns = 7
    const values = Float32Array.from(
      { length: rows * columns },
      (_, index) => Math.sin(index) * 10 ** (index % 3),
    )
    const { values: quantised, scales, ...shape } = quantiseTransposed({ rows, columns, values })
    expect(shape).toEqual({ rows: columns, columns: rows })
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const restored = quantised[column * rows + row]! * scales[row]!
        expect(Math.abs(restored - values[row * columns + column]!)).toBeLessThanOrEqual(
          scales[row]! / 2 + 1e-6,
        )
      }
  })

  it('never leaves half of the 8-bit range, where older processors would saturate', () => {
    const { values } = quantiseTransposed({ rows: 1, columns: 3, values: Float32Array.of(-8, 8, 0.01) })
    expect([...values]).toEqual([-63, 63, 0])
  })

  it('survives a row of zeros', () => {
    const { values, scales } = quantiseTransposed({ rows: 1, columns: 2, values: Float32Array.of(0, 0) })
    expect([...values]).toEqual([0, 0])
    expect(scales[0]).toBeGreaterThan(0)
  })
})

describe('stack', () => {
  it('puts the rows of several matrices below each other', () => {
    const one = { rows: 1, columns: 2, values: Float32Array.of(1, 2) }
    const two = { rows: 2, columns: 2, values: Float32Array.of(3, 4, 5, 6) }
    expect(stack([one, two])).toEqual({ rows: 3, columns: 2, values: Float32Array.of(1, 2, 3, 4, 5, 6) })
  })
})
