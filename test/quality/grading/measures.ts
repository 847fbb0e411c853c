import type { Found, Question } from '../shape.ts'

/** A grade of one answer, 0 to 1; a set is graded by the mean over its questions. */
export interface Measure {
  name: string
  /** Only questions of this kind. */
  kind?: string
  grade(found: readonly Found[], question: Question): number
}

export function isRight({ ids }: Found, { relevant }: Question): boolean {
  return ids.some((id) => relevant.includes(id))
}

/** One divided by the place of the first right one; 0 without one. */
export function reciprocalRank(name = 'MRR'): Measure {
  return {
    name,
    grade: (found, question) => {
      const place = found.findIndex((one) => isRight(one, question))
      return place < 0 ? 0 : 1 / (place + 1)
    },
  }
}

/** Whether a right one is among the first `count`. */
export function hitAt(count: number, options: { name?: string; kind?: string } = {}): Measure {
  return {
    name: `hit@${count}`,
    ...options,
    grade: (found, question) => (found.slice(0, count).some((one) => isRight(one, question)) ? 1 : 0),
  }
}

/** Which share of the right ones is among the first `count`; whatever else a place brings along counts as well. */
export function recallAt(count: number): Measure {
  return {
    name: `R@${count}`,
    grade: (found, { relevant }) => {
      const seen = new Set(found.flatMap(({ ids }) => ids).slice(0, count))
      return relevant.filter((id) => seen.has(id)).length / relevant.length
    },
  }
}
