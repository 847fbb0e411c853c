import { describe, expect, it } from 'vitest'
import type { MeasuredRun } from '../../src/effect/measured-run.ts'
import { RunMeasurer } from '../../src/effect/measured-run.ts'
import { measuredEffect } from '../../src/effect/measures.ts'
import { effectOf } from '../../src/effect/report-of.ts'
import type { NewIteration } from '../../src/feature-memory/record.ts'
import { iteration } from '../support/records.ts'

/** So many runs, each on a task of its own. */
function runs(
  count: number,
  given: boolean,
  fields: (at: number) => Partial<MeasuredRun> = () => ({}),
): MeasuredRun[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ feature: given ? 'told' : 'withheld', taskId: at + 1, timestamp: '2026-02-07T14:30:00Z' },
    memory: { given, pieces: 3, holdout: 0.5 },
    ...{ isCutOff: false, couldRepeat: true, repeated: false, done: true, costUsd: 1 },
    ...fields(at),
  }))
}
/** The first so many of ten. */
const of10 = (few: number) => (at: number) => at % 10 < few

describe('a measure of the effect', () => {
  it('says what a large difference comes to, and how sure that is', () => {
    const seen = measuredEffect('repeated_failures', [
      ...runs(100, true, (at) => ({ repeated: of10(2)(at) })),
      ...runs(100, false, (at) => ({ repeated: of10(5)(at) })),
    ])
    expect(seen).toMatchObject({ verdict: 'helps', comparedAs: 'difference' })
    expect(seen.told).toEqual({ value: 0.2, runs: 100, tasks: 100, count: 20 })
    expect(seen.effect).toBeCloseTo(-0.3)
    expect(seen.interval!.low).toBeLessThan(-0.4)
    expect(seen.interval!.high).toBeLessThan(0)
    expect(seen.sentence).toMatch(
      /^Memory helped: 20 of 100 runs repeated a known failure, without it 50 of 100 \(30 fewer of 100; between \d+ fewer and \d+ fewer of 100\)\.$/,
    )
  })

  it('claims nothing of a few runs, however far they lie apart, and says what is missing', () => {
    const seen = measuredEffect('repeated_failures', [
      ...runs(19, true),
      ...runs(19, false, () => ({ repeated: true })),
    ])
    expect(seen.verdict).toBe('too little data')
    expect(seen.needed).toEqual({ withheldRuns: 1, runs: 2, atLeast: true })
    expect(seen.interval).toBeUndefined()
    expect(seen.sentence).toContain('(19 runs with memory, 19 without)')
  })

  it('claims nothing of many runs on a few tasks', () => {
    const onNine = (at: number) => ({ taskId: (at % 9) + 1 })
    const seen = measuredEffect('repeated_failures', [
      ...runs(200, true, onNine),
      ...runs(200, false, (at) => ({ ...onNine(at), repeated: true })),
    ])
    expect(seen.verdict).toBe('too little data')
  })

  it('is less sure of runs that hang together by their task', () => {
    const byTask = (size: number, bad: number) => (at: number) => ({
      taskId: Math.floor(at / size) + 1,
      repeated: of10(bad)(Math.floor(at / size)),
    })
    const reach = (size: number) => {
      const { interval } = measuredEffect('repeated_failures', [
        ...runs(400, true, byTask(size, 4)),
        ...runs(400, false, byTask(size, 5)),
      ])
      return interval!.high - interval!.low
    }
    expect(reach(10)).toBeGreaterThan(2.5 * reach(1))
  })

  it('sees no difference only where one of a third would have shown', () => {
    const alike = (count: number) =>
      measuredEffect('repeated_failures', [
        ...runs(count, true, (at) => ({ repeated: of10(4)(at) })),
        ...runs(count, false, (at) => ({ repeated: of10(4)(at) })),
      ])
    expect(alike(2_000)).toMatchObject({ verdict: 'no difference seen', effect: 0 })
    const few = alike(100)
    expect(few).toMatchObject({ verdict: 'too little data', needed: { atLeast: false } })
    // With as many more as it asks for, it has an answer.
    expect(alike(100 + few.needed!.withheldRuns).verdict).toBe('no difference seen')
  })

  it('has nothing to compare where no run failed again, and says so', () => {
    const seen = measuredEffect('repeated_failures', [...runs(100, true), ...runs(100, false)])
    expect(seen.verdict).toBe('too little data')
    expect(seen.sentence).toBe(
      'Nothing to compare in runs that repeated a known failure (100 runs with memory, 100 without): none of them did.',
    )
  })

  it('divides runs and dollars by the tasks that they finished', () => {
    const all = [
      ...runs(200, true, (at) => ({ done: of10(5)(at), costUsd: 0.5 })),
      ...runs(200, false, (at) => ({ done: of10(2)(at), costUsd: 0.4 })),
    ]
    const iterations = measuredEffect('iterations_per_task', all)
    expect([iterations.told.value, iterations.withheld.value]).toEqual([2, 5])
    expect(iterations).toMatchObject({ comparedAs: 'ratio', verdict: 'helps' })
    const cost = measuredEffect('cost_per_task', all)
    expect(cost.told.value).toBeCloseTo(1)
    expect(cost.withheld.value).toBeCloseTo(2)
    expect(cost.effect).toBeCloseTo(0.5)
    expect(cost.sentence).toContain('a task done took $1.00, without it $2.00 (50% less;')
  })

  it('leaves out what was cut off, had nothing to be told or does not say what it cost, and counts it', () => {
    const all = [
      ...runs(30, true),
      ...runs(4, true, () => ({ isCutOff: true })),
      ...runs(30, false),
      ...runs(2, false, () => ({ isCutOff: true })),
      ...runs(5, false, () => ({ memory: { given: false, pieces: 0, holdout: 0.5 } })),
      ...runs(6, false, () => ({ costUsd: undefined })),
    ]
    const report = effectOf(all)
    expect(report.runs).toEqual({
      ...{ all: 77, told: 30, withheld: 36, nothingToSay: 5 },
      cutOff: { told: 4, withheld: 2 },
      lookedUp: 0,
    })
    expect(report.measures.map(({ withheld }) => withheld.runs)).toEqual([36, 36, 30])
  })

  it('says both where memory helps in one way and harms in another', () => {
    const report = effectOf([
      ...runs(300, true, (at) => ({ repeated: of10(1)(at), done: of10(2)(at) })),
      ...runs(300, false, (at) => ({ repeated: of10(6)(at), done: of10(7)(at) })),
    ])
    expect(report.verdict).toBe('mixed')
    expect(report.headline).toContain('Memory helped: 10 of 100')
    expect(report.headline).toContain('Memory harmed: a task done took 5.0 iterations')
  })
})

describe('a measured run', () => {
  const measured = (...records: Partial<NewIteration>[]) => {
    const measurer = new RunMeasurer()
    for (const [at, fields] of records.entries())
      measurer.add(iteration({ iterationNumber: at + 1, ...fields }))
    return measurer.runs
  }
  const error = (message: string) => ({ errors: [{ message }] })

  it('repeats a failure that any earlier run of the feature had met', () => {
    const known = error("TypeError: 'total' is not a function")
    const found = measured(
      known,
      { taskId: 7 },
      { taskId: 7, ...known },
      error("TypeError: 'sum' is not a function"),
    )
    expect(found.map(({ couldRepeat, repeated }) => [couldRepeat, repeated])).toEqual([
      [false, false],
      [true, false],
      [true, true],
      [true, false],
    ])
  })

  it('takes no words for a known failure that tell nothing', () => {
    const bare = error('Exit code 1')
    expect(measured(bare, bare).map(({ couldRepeat, repeated }) => [couldRepeat, repeated])).toEqual([
      [false, false],
      [false, false],
    ])
  })

  it('is cut off where somebody or something from outside ended it, not where it used up what it had', () => {
    const ended = (ending: NewIteration['ending']) => measured({ ending })[0]!.isCutOff
    expect(ended({ kind: 'stopped', cause: 'interrupted' })).toBe(true)
    expect(ended({ kind: 'service_failed', cause: 'rate_limit' })).toBe(true)
    expect(ended({ kind: 'refused' })).toBe(true)
    expect(ended({ kind: 'stopped', cause: 'time' })).toBe(false)
    expect(ended({ kind: 'service_failed', cause: 'context' })).toBe(false)
    expect(ended({ kind: 'worked' })).toBe(false)
  })

  it('is on a task: reviews and sessions by hand are none', () => {
    expect(measured({ kind: 'review', taskId: 0 }, { kind: 'session', taskId: 0 })).toEqual([])
  })
})
