import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calibrated, calibrationAbove, floorOf, MEASURED } from '../../src/embedding/calibration.ts'

describe('calibrated', () => {
  it('passes through its points and is straight between them', () => {
    for (const [cosine, score] of MEASURED) expect(calibrated(cosine, MEASURED)).toBeCloseTo(score, 10)
    expect(calibrated(0.125, MEASURED)).toBeCloseTo(0.2, 10)
  })

  it('stays between 0 and 1 and never falls, whatever the cosine', () => {
    const cosine = fc.double({ min: -1.001, max: 1.001, noNaN: true })
    fc.assert(
      fc.property(cosine, cosine, fc.double({ min: 0, max: 0.9, noNaN: true }), (a, b, floor) => {
        const calibration = calibrationAbove(floor)
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((value) => calibrated(value, calibration))
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(high).toBeGreaterThanOrEqual(low!)
      }),
    )
  })

  it('gives the same score to texts equally far above what unrelated texts reach', () => {
    const generous = calibrationAbove(0.5)
    expect(calibrated(0.5, generous)).toBeLessThan(0.4)
    expect(calibrated(0.5, MEASURED)).toBeCloseTo(0.7)
    expect(calibrated(1, generous)).toBe(1)
  })
})

describe('floorOf', () => {
  it('is the median cosine of all pairs', () => {
    const at = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle))
    expect(floorOf([at(0)], [at(0.1), at(Math.PI / 3), at(Math.PI / 2)])).toBeCloseTo(0.5)
  })
})
