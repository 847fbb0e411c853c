import type { PieceKind } from '../receipts/pieces.ts'
import { checkedDraws } from './draws.ts'
import type { MeasuredRun } from './measured-run.ts'
import { armOf, isCompared, measuredEffect } from './measures.ts'
import {
  type DescribedRuns,
  EFFECT_MEASURES,
  type EffectArm,
  type EffectMeasure,
  type EffectReport,
  type MeasuredEffect,
} from './report.ts'
import { effectHeadline, WHY_NOT_DRAWN } from './words.ts'

/** What the runs and the receipts of a project come to. */
export function effectOf(
  runs: readonly MeasuredRun[],
  { holdout = 0, pieces = [] }: { holdout?: number; pieces?: PieceKind[] } = {},
): EffectReport {
  const measures = EFFECT_MEASURES.map((measure) => measuredEffect(measure, runs))
  const found = { holdout, measures, verdict: verdictOf(measures), runs: countsOf(runs) }
  const draws = checkedDraws(runs)
  return { ...found, headline: effectHeadline(found), draws, notDrawn: notDrawn(runs), pieces }
}

function verdictOf(measures: readonly MeasuredEffect[]): EffectReport['verdict'] {
  const has = (verdict: EffectReport['verdict']) => measures.some((one) => one.verdict === verdict)
  if (has('helps') && has('harms')) return 'mixed'
  const verdicts = ['helps', 'harms', 'no difference seen'] as const
  return verdicts.find(has) ?? 'too little data'
}

function countsOf(runs: readonly MeasuredRun[]): EffectReport['runs'] {
  const withDraw = runs.filter(({ memory }) => memory?.holdout !== undefined)
  const drawn = withDraw.filter(isCompared)
  const count = (given: boolean, isCutOff: boolean) =>
    drawn.filter((run) => run.memory!.given === given && run.isCutOff === isCutOff).length
  return {
    all: runs.length,
    told: count(true, false),
    withheld: count(false, false),
    nothingToSay: withDraw.length - drawn.length,
    cutOff: { told: count(true, true), withheld: count(false, true) },
    lookedUp: drawn.filter(({ memory, isCutOff }) => memory!.lookedUp !== undefined && !isCutOff).length,
  }
}

function notDrawn(runs: readonly MeasuredRun[]): EffectReport['notDrawn'] {
  const others = runs.filter(({ memory, isCutOff }) => memory?.holdout === undefined && !isCutOff)
  const wereGiven = (given: boolean) => others.filter(({ memory }) => memory?.given === given)
  return {
    given: described(wereGiven(true)),
    notGiven: described(wereGiven(false)),
    unknown: others.filter(({ memory }) => memory === undefined).length,
    why: WHY_NOT_DRAWN,
  }
}

function described(runs: readonly MeasuredRun[]): DescribedRuns {
  const arms = EFFECT_MEASURES.map((measure) => [measure, armOf(measure, runs)] as const)
  return { runs: runs.length, ...(Object.fromEntries(arms) as Record<EffectMeasure, EffectArm>) }
}
