import { readLines } from '../data.ts'
import { halfOf } from '../grading/halves.ts'
import type { Dense } from '../references/dense.ts'
import type { Figures, System } from '../results.ts'
import type { GradedSet } from '../shape.ts'
import { likenessOf, measureJudged, type Pair, share, verdictsOf } from './told-pairs.ts'

export const SICK = 'polarity/sick-pairs.jsonl'

interface SickPair {
  a: string
  b: string
  label: 'duplicate' | 'contradiction' | 'different'
}

/** As one question, for the halves. */
const questionOf = ({ a, b }: SickPair) => `${a}\n${b}`
const told = ({ a, b }: SickPair): Pair => [a, b]

export type Thresholds = Record<'words' | 'meaning', number>

/** From which likeness on the references take two for one: what does best on the choosing half. */
export async function referenceThresholds(dense: Dense): Promise<Thresholds> {
  const pairs = readLines<SickPair>(SICK).filter((pair) => halfOf(questionOf(pair)) === 'choosing')
  const { words, meaning } = await likenessOf(pairs.map(told), dense)
  return { words: bestThreshold(pairs, words), meaning: bestThreshold(pairs, meaning) }
}

function bestThreshold(pairs: readonly SickPair[], likeness: readonly number[]): number {
  const all = Array.from({ length: 100 }, (_, at) => (at + 1) / 100)
  const f1Of = (threshold: number) => f1(pairs, (_, at) => likeness[at]! >= threshold)
  return all.reduce((best, threshold) => (f1Of(threshold) > f1Of(best) ? threshold : best))
}

/** Of duplicates found and rightly found. */
function f1<Each extends SickPair>(
  pairs: readonly Each[],
  isMerged: (pair: Each, at: number) => boolean,
): number {
  const merged = pairs.filter(isMerged)
  const right = merged.filter(({ label }) => label === 'duplicate').length
  const duplicates = pairs.filter(({ label }) => label === 'duplicate').length
  return merged.length + duplicates === 0 ? 0 : (2 * right) / (merged.length + duplicates)
}

interface JudgedPair extends SickPair {
  merged: Record<System, boolean>
  isConflict: boolean
}

async function grade(dense: Dense): Promise<Figures> {
  const pairs = readLines<SickPair>(SICK)
  const [verdicts, likeness, thresholds] = await Promise.all([
    verdictsOf(pairs.map(told)),
    likenessOf(pairs.map(told), dense),
    referenceThresholds(dense),
  ])
  const judged = pairs.map(
    (pair, at): JudgedPair => ({
      ...pair,
      merged: {
        words: likeness.words[at]! >= thresholds.words,
        meaning: likeness.meaning[at]! >= thresholds.meaning,
        ours: verdicts[at] === 'same',
      },
      isConflict: verdicts[at] === 'conflict',
    }),
  )
  const contradictions = judged.filter(({ label }) => label === 'contradiction')
  return {
    documents: pairs.length,
    measures: [
      measureJudged('F1 of duplicates', judged, {
        questionOf,
        statistic: (some, system) => f1(some, ({ merged }) => merged[system]),
      }),
      {
        ...measureJudged('contradictions merged', contradictions, {
          questionOf,
          statistic: (some, system) => share(some, ({ merged }) => merged[system]),
        }),
        fewer: true,
      },
      measureJudged('contradictions flagged', contradictions, {
        questionOf,
        statistic: (some) => share(some, ({ isConflict }) => isConflict),
        systems: ['ours'],
      }),
      measureJudged(
        'flags that are right',
        judged.filter(({ isConflict }) => isConflict),
        {
          questionOf,
          statistic: (some) => share(some, ({ label }) => label === 'contradiction'),
          systems: ['ours'],
        },
      ),
    ],
  }
}

export const polaritySick: GradedSet = {
  name: 'polarity-sick',
  title: 'near-duplicates against contradictions (SICK)',
  through: 'learnings: `append`, one after the other',
  about:
    'Pairs of sentences that say the same, the opposite or something else, told one after the other: is the second counted as the first, set against it as a conflict, or added? The references take two for one from the likeness on (common words of all words; cosine) that did best on the choosing half.',
  needs: [SICK],
  grade,
}
