import type { PieceKind } from '../receipts/pieces.ts'

export const EFFECT_MEASURES = ['repeated_failures', 'iterations_per_task', 'cost_per_task'] as const
export type EffectMeasure = (typeof EFFECT_MEASURES)[number]

export type EffectVerdict = 'helps' | 'harms' | 'no difference seen' | 'too little data'

/** What some runs come to in one measure. */
export interface EffectArm {
  /** The share of runs, the iterations or the US dollars for each task done; absent while there is nothing to divide by. */
  value?: number | undefined
  /** How many runs and how many tasks it rests on. */
  runs: number
  tasks: number
  /** Runs that met a known error again, or tasks that were done. */
  count: number
}

/** What is still missing to see a difference of a third. */
export interface StillNeeded {
  /** About so many more runs without memory. */
  withheldRuns: number
  /** So many more runs in all, at the share that is drawn. */
  runs: number
  /** With fewer nothing is said at all; how many more it takes then nobody can tell yet. */
  atLeast: boolean
}

/** Runs that were told what memory knew against such that were drawn to go without, in one measure. */
export interface MeasuredEffect {
  measure: EffectMeasure
  told: EffectArm
  withheld: EffectArm
  /** `difference`: told minus withheld. `ratio`: told divided by withheld. */
  comparedAs: 'difference' | 'ratio'
  effect?: number | undefined
  /** Holds for all measures and however often one looks, 19 times out of 20; absent of too few runs. */
  interval?: { low: number; high: number } | undefined
  verdict: EffectVerdict
  needed?: StillNeeded | undefined
  /** All of it in a sentence. */
  sentence: string
}

/** How runs came out that nobody drew. Of no use to tell an effect. */
export type DescribedRuns = Record<EffectMeasure, EffectArm> & { runs: number }

/** A run that was told, or not told, otherwise than its draw says. */
export interface DifferingDraw {
  feature: string
  /** The iteration it was drawn for. */
  iteration: number
  timestamp: string
  seed: string
}

/** The draws of runs, made again from what each record keeps of its own. */
export interface CheckedDraws {
  /** How many were made again. */
  checked: number
  /** What they were made from: one seed, unless somebody changed it. */
  seeds: string[]
  /** Those that come out otherwise: the record was changed, or nobody drew. */
  differing: DifferingDraw[]
  /** From before records kept what a draw was made from. */
  unchecked: number
}

/** What memory told in a project, what became of it, and whether it made a difference. */
export interface EffectReport {
  /** Only of this feature, only from this time on. */
  feature?: string | undefined
  since?: string | undefined
  /** The share of runs that are drawn to go without at present; 0 when nothing is drawn. */
  holdout: number
  verdict: EffectVerdict | 'mixed'
  /** The answer in a sentence or two. */
  headline: string
  measures: MeasuredEffect[]
  runs: {
    /** On tasks, in the journals. */
    all: number
    /** Drawn, with something to say, and not cut off: what the comparison rests on. */
    told: number
    withheld: number
    /** Drawn, but memory had nothing to say: they cannot differ. */
    nothingToSay: number
    /** Drawn, but ended from outside: by a person, the machine, the service, missing permissions. */
    cutOff: { told: number; withheld: number }
    /** Of those compared that went without: so many read files of memory by themselves. They count as they were drawn. */
    lookedUp: number
  }
  /** Every draw, made again. */
  draws: CheckedDraws
  /** Runs of which no draw decided whether they were told something. A description, no effect. */
  notDrawn: { given: DescribedRuns; notGiven: DescribedRuns; unknown: number; why: string }
  /** What receipts show of each kind of piece, as far back as they are kept. */
  pieces: PieceKind[]
}
