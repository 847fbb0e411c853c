import { describe, expect, it } from 'vitest'
import { RunMeasurer } from '../../src/effect/measured-run.ts'
import { effectOf } from '../../src/effect/report-of.ts'
import { claimsOfMany, shareWith } from './claims.ts'
import { CHANGING_SHARE, NO_EFFECT, NOTICEABLE_HARM, NOTICEABLE_HELP, STEADY_SHARES } from './scenarios.ts'
import { asMeasured, asRecords, simulateProject } from './simulated-project.ts'

const half = STEADY_SHARES['0.5']!

describe('an effect, where the truth is known', () => {
  it('claims nothing of a memory that does nothing, in 19 of 20 projects, however often one looks', () => {
    const shares = [...Object.values(STEADY_SHARES), CHANGING_SHARE]
    const claims = shares.flatMap((share) => claimsOfMany(50, { ...share, runs: 300, truth: NO_EFFECT }, 10))
    console.log(
      `false claims: ${claims.filter(({ length }) => length > 0).length} of ${claims.length} projects`,
    )
    expect(shareWith(claims)).toBeLessThanOrEqual(0.05)
  })

  it('says that memory helps, where people would notice it', () => {
    const claims = claimsOfMany(30, { ...half, runs: 400, truth: NOTICEABLE_HELP }, 40)
    console.log(`help seen within 400 runs, half without memory: ${shareWith(claims, 'helps')}`)
    expect(shareWith(claims, 'helps')).toBeGreaterThan(0.7)
    expect(shareWith(claims, 'harms')).toBe(0)
  })

  it('says that memory harms', () => {
    const claims = claimsOfMany(30, { ...half, runs: 400, truth: NOTICEABLE_HARM }, 40)
    console.log(`harm seen within 400 runs, half without memory: ${shareWith(claims, 'harms')}`)
    expect(shareWith(claims, 'harms')).toBeGreaterThan(0.7)
    expect(shareWith(claims, 'helps')).toBe(0)
  })

  it('claims nothing of runs that nobody drew, where the told ones had the harder tasks', () => {
    const runs = asMeasured(simulateProject(1, { ...half, runs: 1_000, truth: NO_EFFECT, confounded: true }))
    const { measures, verdict, notDrawn } = effectOf(runs)
    expect(verdict).toBe('too little data')
    expect(measures.map(({ told, withheld }) => told.runs + withheld.runs)).toEqual([0, 0, 0])
    // What a plain comparison would have made of it.
    const { given, notGiven } = notDrawn
    expect(given.repeated_failures.value).toBeGreaterThan(1.3 * notGiven.repeated_failures.value!)
    expect(given.iterations_per_task.value).toBeGreaterThan(1.3 * notGiven.iterations_per_task.value!)
  })

  it('does not take a share that changed, while tasks became easier, for an effect', () => {
    const runs = asMeasured(
      simulateProject(2, {
        runs: 12_000,
        holdout: (run) => (run < 6_000 ? 0.1 : 0.5),
        easierInTime: true,
        truth: NO_EFFECT,
      }),
    )
    const [repeats] = effectOf(runs).measures
    const drawn = runs.filter(({ couldRepeat, isCutOff }) => couldRepeat && !isCutOff)
    const plain = [true, false].map((given) => {
      const arm = drawn.filter(({ memory }) => memory!.given === given)
      return arm.filter(({ repeated }) => repeated).length / arm.length
    })
    expect(plain[0]! - plain[1]!).toBeGreaterThan(0.1)
    expect(Math.abs(repeats!.effect!)).toBeLessThan(0.02)
  })

  it('gathers from records what happened', () => {
    const runs = simulateProject(3, { ...half, runs: 400, truth: NO_EFFECT })
    for (const feature of ['cart', 'search', 'billing']) {
      const wanted = asMeasured(runs).filter((run) => run.feature === feature)
      expect(wanted.length).toBeGreaterThan(100)
      const measurer = new RunMeasurer()
      for (const record of asRecords(runs, feature)) measurer.add(record)
      expect(measurer.runs).toEqual(wanted)
    }
  })
})
