import { readLines } from '../data.ts'
import type { Dense } from '../references/dense.ts'
import type { Figures, System } from '../results.ts'
import type { GradedSet } from '../shape.ts'
import { referenceThresholds, SICK } from './polarity-sick.ts'
import { likenessOf, measureJudged, type Pair, share, verdictsOf } from './told-pairs.ts'

const ANTONYMS = 'polarity/antonym-negation.jsonl'

interface AntonymRow {
  input: string
  sentences: string[]
  /** Which of the sentences says the same. */
  same: number
}
interface JudgedRow extends AntonymRow {
  /** Of each sentence: whether it is taken for the same. */
  merged: Record<System, boolean[]>
}

const questionOf = ({ input }: AntonymRow) => input

async function grade(dense: Dense): Promise<Figures> {
  const rows = readLines<AntonymRow>(ANTONYMS)
  const pairs = rows.flatMap(({ input, sentences }) => sentences.map((sentence): Pair => [input, sentence]))
  const [verdicts, likeness, thresholds] = await Promise.all([
    verdictsOf(pairs),
    likenessOf(pairs, dense),
    referenceThresholds(dense),
  ])
  let next = 0
  const judged = rows.map((row): JudgedRow => {
    const own = row.sentences.map(() => next++)
    return {
      ...row,
      merged: {
        words: own.map((at) => likeness.words[at]! >= thresholds.words),
        meaning: own.map((at) => likeness.meaning[at]! >= thresholds.meaning),
        ours: own.map((at) => verdicts[at] === 'same'),
      },
    }
  })
  return {
    documents: rows.length,
    measures: [
      measureJudged('exact', judged, {
        questionOf,
        statistic: (some, system) =>
          share(some, ({ merged, same }) => merged[system].every((taken, at) => taken === (at === same))),
      }),
      {
        ...measureJudged('opposite merged', judged, {
          questionOf,
          statistic: (some, system) =>
            share(some, ({ merged, same }) => merged[system].some((taken, at) => taken && at !== same)),
        }),
        fewer: true,
      },
    ],
  }
}

export const polarityAntonyms: GradedSet = {
  name: 'polarity-antonyms',
  title: 'antonyms and negation',
  through: 'learnings: `append`, one after the other',
  about:
    'A sentence with a denial or an antonym, and three that differ in just that; one of them says the same. Exact: that one is taken for the same and no other. The references have the thresholds of the pairs above.',
  needs: [ANTONYMS, SICK],
  grade,
}
