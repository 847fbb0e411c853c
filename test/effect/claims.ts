import { measuredEffect } from '../../src/effect/measures.ts'
import { EFFECT_MEASURES, type EffectMeasure } from '../../src/effect/report.ts'
import { asMeasured, type SimulatedSettings, simulateProject } from './simulated-project.ts'

export type Claim = 'helps' | 'harms'

/** What was ever said of a project whose people looked again and again. */
export interface Claims {
  claim: Claim
  measure: EffectMeasure
  /** After so many runs. */
  at: number
}

/** Looks at a simulated project after every so many runs; the first claim of each measure in each direction. */
export function claimsOf(seed: number, settings: SimulatedSettings, lookEvery: number): Claims[] {
  const runs = asMeasured(simulateProject(seed, settings))
  const claims: Claims[] = []
  for (let at = lookEvery; at <= runs.length; at += lookEvery) {
    const soFar = runs.slice(0, at)
    for (const measure of EFFECT_MEASURES) {
      const { verdict } = measuredEffect(measure, soFar)
      if (verdict !== 'helps' && verdict !== 'harms') continue
      if (!claims.some((one) => one.measure === measure && one.claim === verdict))
        claims.push({ claim: verdict, measure, at })
    }
  }
  return claims
}

/** Of so many projects: what was claimed of each. */
export function claimsOfMany(projects: number, settings: SimulatedSettings, lookEvery: number): Claims[][] {
  return Array.from({ length: projects }, (_, seed) => claimsOf(seed, settings, lookEvery))
}

export function shareWith(all: readonly Claims[][], claim?: Claim): number {
  const having = all.filter((claims) => claims.some((one) => claim === undefined || one.claim === claim))
  return having.length / all.length
}
