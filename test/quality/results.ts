import type { Measured } from '../../scripts/measured/measured-page.ts'
import type { Estimate } from './grading/bootstrap.ts'
import type { Half } from './grading/halves.ts'

/** Plain words, meaning alone, and the product. */
export const SYSTEMS = ['words', 'meaning', 'ours'] as const
export type System = (typeof SYSTEMS)[number]

/** Each half, and both together. */
export type Part = Half | 'all'

export interface MeasureResult {
  name: string
  /** The fewer, the better. */
  fewer?: boolean
  figures: Record<Part, Partial<Record<System, Estimate>>>
}

/** What is shown by default, and what is not. */
export interface AbstentionResult {
  /** Of the questions of other sets: answered at all. */
  unrelatedAnswered?: Estimate | undefined
  /** Of those whose right answer is among as many as are shown by default: still shown. */
  rightShown?: Estimate | undefined
  /** Of the first answers that are called "relevant": right. */
  relevantIsRight?: Estimate | undefined
}

/** What a set measures. */
export interface Figures {
  documents: number
  measures: MeasureResult[]
  abstention?: Record<Part, AbstentionResult>
}

export type MeasuredSet = { name: string } & Figures
/** Or why there are no figures. */
export type SetResult = MeasuredSet | { name: string; skipped: string }

export function isMeasured<Result extends SetResult>(set: Result): set is Result & MeasuredSet {
  return 'measures' in set
}

/** What is kept of the runs so far: of each set the last one. */
export interface Results extends Pick<Measured, 'version' | 'node' | 'machine'> {
  model: string
  sets: (SetResult & Pick<Measured, 'date' | 'commit'>)[]
}
