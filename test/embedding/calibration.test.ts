import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  calibrated,
  calibrationBy,
  MEASURED,
  TELLS_NOTHING,
  UNMEASURED,
} from '../../src/embedding/calibration.ts'
import { GRADED_NOTES } from '../../src/embedding/calibration-pairs.ts'
import type { Calibration, Embedder } from '../../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../src/embedding/local.ts'
import { cosine } from '../contracts/embedder.ts'
import fc from '../support/fast-check.ts'
import { temporaryFolder } from '../support/temporary.ts'

describe('calibrated', () => {
  it('passes through its points and is straight between them', () => {
    for (const [at, score] of MEASURED) expect(calibrated(at, MEASURED)).toBeCloseTo(score, 10)
    expect(calibrated(0.125, MEASURED)).toBeCloseTo(0.2, 10)
  })

  it('stays between 0 and 1 and never falls, whatever the cosine', () => {
    const any = fc.double({ min: -1.001, max: 1.001, noNaN: true })
    fc.assert(
      fc.property(any, any, fc.constantFrom(MEASURED, UNMEASURED), (a, b, calibration) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((value) => calibrated(value, calibration))
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(high).toBeGreaterThanOrEqual(low!)
      }),
    )
  })
})

describe('calibrationBy', () => {
  const vector = fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })
    .map((values) => unit(Float32Array.from([...values, 0.1])))

  it('rises in both and ends at 1, or counts for nothing, whatever a model says', () => {
    fc.assert(
      fc.property(
        fc.array(vector, { minLength: 8, maxLength: 8 }),
        fc.array(vector, { minLength: 2, maxLength: 2 }),
        (questions, notes) => {
          const calibration = calibrationBy(questions, notes)
          if (calibration !== TELLS_NOTHING) expectRising(calibration)
        },
      ),
    )
  })

  it('counts for nothing where a model finds everything alike, at whatever cosine', () => {
    const same = Array.from({ length: 8 }, () => Float32Array.of(1, 0))
    expect(calibrationBy(same, same.slice(0, 2))).toBe(TELLS_NOTHING)
    for (const at of [-1, 0, 0.99, 1]) expect(calibrated(at, TELLS_NOTHING)).toBe(0)
  })
})

/** Of other things than the notes, closer and less close. */
const OTHERS = [
  'The parser keeps comments when it rewrites the YAML of a task.',
  'Comments in a YAML file survive when a task is written back.',
  'Rewriting configuration files must not lose what people noted in them.',
  'Which library reads YAML?',
  'Retry a lock that another process holds, with growing waits.',
  'Two processes wrote to the journal at the same time and one waited for the lock.',
  'How is concurrent access handled?',
  'The tooltip is hidden behind the dialog.',
  'The layer order of dialogs and tooltips is fixed in one style sheet.',
  'A z-index problem in the overlay.',
  'Emails with attachments over ten megabytes bounce.',
  'Print the totals with two decimals.',
]

describe('a model measured by the graded notes', () => {
  let embedder: Embedder
  let questions: Float32Array[]
  let notes: Float32Array[]
  let others: Float32Array[]

  beforeAll(async () => {
    embedder = await openLocalEmbedder({ cacheDir: await temporaryFolder(afterAll), adapter: false })
    questions = await embedder.embed(
      GRADED_NOTES.flatMap((each) => each.questions),
      'query',
    )
    notes = await embedder.embed(
      GRADED_NOTES.map(({ note }) => note),
      'document',
    )
    others = await embedder.embed(OTHERS, 'document')
  })
  afterAll(() => embedder?.close())

  const measured = (change: (vector: Float32Array) => Float32Array): Calibration =>
    calibrationBy(questions.map(change), notes.map(change))
  /** What every two of the other texts score with a model, once it has been measured. */
  const scores = (change: (vector: Float32Array) => Float32Array): number[] => {
    const calibration = measured(change)
    const vectors = others.map(change)
    return vectors.flatMap((a, at) => vectors.slice(at + 1).map((b) => calibrated(cosine(a, b), calibration)))
  }
  const furthestApart = (a: readonly number[], b: readonly number[]) =>
    Math.max(...a.map((score, at) => Math.abs(score - b[at]!)))

  it('is MiniLM as it was measured at length', () => {
    for (const [at, [place, score]] of measured(asItIs).entries()) {
      expect(score).toBe(MEASURED[at]![1])
      expect(Math.abs(place - MEASURED[at]![0])).toBeLessThan(0.005)
    }
  })

  it.each([0.3, 0.6, 0.8])('gives the same scores where nothing is less alike than %d', (floor) => {
    const squeezed = withCommonPart(floor)
    expect(
      Math.min(...questions.map((question) => cosine(squeezed(question), squeezed(notes[0]!)))),
    ).toBeGreaterThan(floor - 0.1)
    expect(furthestApart(scores(squeezed), scores(asItIs))).toBeLessThan(0.01)
    // Without being measured, most of what has nothing to do with each other would pass.
    expect(furthestApart(scores(squeezed), scores(asItIs))).toBeLessThan(
      furthestApart(
        others.flatMap((a, at) =>
          others.slice(at + 1).map((b) => calibrated(cosine(squeezed(a), squeezed(b)), MEASURED)),
        ),
        scores(asItIs),
      ),
    )
  })

  it('gives the same scores where cosines are bent, not only squeezed', () => {
    const few = (vector: Float32Array) => unit(vector.slice(0, 48))
    const bent = (vector: Float32Array) => squared(withCommonPart(0.5)(few(vector)))
    expect(furthestApart(scores(bent), scores(few))).toBeLessThan(0.03)
  })

  it('comes close for a model that sees only half of it', () => {
    const half = (vector: Float32Array) => unit(vector.filter((_, at) => at % 2 === 0))
    for (const [at, [place]] of measured(half).entries())
      expect(Math.abs(place - MEASURED[at]![0])).toBeLessThan(0.06)
  })

  it('gives the same scores with four times the dimensions', () => {
    const wide = (vector: Float32Array) => unit(Float32Array.of(...vector, ...vector, ...vector, ...vector))
    expect(furthestApart(scores(wide), scores(asItIs))).toBeLessThan(0.001)
  })

  it.each([
    ['noisy', () => noisy(1)],
    ['very noisy', () => noisy(2)],
    ['drawing lots', () => noisy(1_000)],
    ['dim', () => (vector: Float32Array) => unit(vector.slice(0, 16))],
    [
      'dim, and finds all alike',
      () => (vector: Float32Array) => withCommonPart(0.7)(unit(vector.slice(0, 16))),
    ],
  ])('finds less with a model that is %s, and no more that is unrelated', (_, change) => {
    const one = change()
    const calibration = calibrationBy(questions.map(one), notes.map(one))
    // What belongs to a note has nothing to do with what is said of other things.
    const asked = questions.map(one)
    const unrelated = others
      .map(one)
      .flatMap((other) => asked.map((question) => calibrated(cosine(other, question), calibration)))
    expect(unrelated.filter((score) => score >= 0.4).length / unrelated.length).toBeLessThan(0.06)
    expect(unrelated.filter((score) => score >= 0.7).length / unrelated.length).toBeLessThan(0.01)
  })
})

function asItIs(vector: Float32Array): Float32Array {
  return vector
}

/** Numbers around 0 by chance, the same in every run. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** As much chance in each vector as there is meaning, times this. */
function noisy(share: number) {
  const draw = chance(7)
  return (vector: Float32Array) =>
    unit(vector.map((value) => value + share * Math.sqrt(3 / vector.length) * draw()))
}

/** What all vectors have in common makes all texts alike, as with many models. */
function withCommonPart(floor: number) {
  const part = Math.sqrt(floor / (1 - floor))
  return (vector: Float32Array) => unit(Float32Array.of(...vector, part))
}

/** Its cosines are the squares of those before. */
function squared(vector: Float32Array): Float32Array {
  return Float32Array.from([...vector].flatMap((a) => [...vector].map((b) => a * b)))
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function expectRising(calibration: Calibration): void {
  for (const [at, [place, score]] of calibration.entries()) {
    if (at === 0) continue
    expect(place).toBeGreaterThan(calibration[at - 1]![0])
    expect(score).toBeGreaterThan(calibration[at - 1]![1])
  }
  expect(calibration.at(-1)).toEqual([1, 1])
}
