import type { Ralph } from '../../src/index.ts'
import type { Half } from './grading/halves.ts'
import type { Measure } from './grading/measures.ts'
import type { Dense } from './references/dense.ts'
import type { Figures } from './results.ts'

export interface Question {
  text: string
  /** Ids of what answers it. */
  relevant: readonly string[]
  /** Of which kind, where a set has several. */
  kind?: string | undefined
}

/** One place in a ranking: what it stands for (a turn, both turns of an exchange, all entries of a pattern). */
export interface Found {
  ids: readonly string[]
  score: number
}

/** What is stored, as whoever ranks it without us reads it. */
export interface Document {
  id: string
  text: string
  /** Ids that it answers for, when it is found; default: its own. */
  answersFor?: readonly string[] | undefined
}

/** What is kept in one library by itself, and the questions to it. */
export interface Collection<Kept extends Document = Document> {
  documents: readonly Kept[]
  questions: readonly Question[]
  /** To which half all of its questions belong; default: each by itself. */
  half?: Half
}

/** A library that holds the documents of a collection. */
export interface Asking {
  /** As many as are graded, however weak. */
  rank(question: string): Promise<Found[]>
  /** As anybody asks who sets nothing: how many and from which score on is the product's own choice. */
  ask(question: string): Promise<Found[]>
}

export interface SetDescription {
  name: string
  /** What is asked for what, for a table. */
  title: string
  /** Which memory answers, and through which calls. */
  through: string
  /** For the page: what it is, and what of it is measured. */
  about: string
}

/** Whatever can be graded here, if its data is. */
export interface GradedSet extends SetDescription {
  /** Below ../shared/data; without them the set is skipped. */
  needs: readonly string[]
  grade(dense: Dense): Promise<Figures>
}

/** load → put into the library → ask → grade. */
export interface RetrievalSet<Kept extends Document = Document> extends Omit<GradedSet, 'grade'> {
  /** Questions of sets of another world have no answer here. */
  world: string
  load(): Collection<Kept>[]
  /** Stores the documents through the library and gives back the way to ask for them. */
  put(ralph: Ralph, documents: readonly Kept[]): Promise<Asking>
  /** How many the product shows of its own choice. */
  shownByDefault: number
  measures: readonly Measure[]
}

/** Most places that are graded. */
export const RANKED = 50
