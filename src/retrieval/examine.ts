import type { Evidence } from '../search-index/query.ts'
import type { Question } from './ask.ts'
import { askedHeadline, headlinesAlike } from './detail/headline.ts'
import { nearestOf } from './detail/part-vectors.ts'
import { sectionsOf } from './detail/sections.ts'
import { askedPairs, pairsFound, pairsIn } from './detail/word-pairs.ts'
import { headlineOf } from './long-question.ts'

/** What an index found, with what its detail tells of it. */
export interface Examined extends Evidence {
  /** Of the question's neighbouring words, which stand together in it, too. */
  pairs?: readonly number[]
  /** How many different neighbouring words it has. */
  length?: number
  /** How alike the lines are that say what is wrong, 0 to 1; where the question is about a failure. */
  headline?: number
}

/** What is known of candidates beyond what an index compares: how near their parts are, and what they share with the question. */
export function examined(
  evidence: readonly Evidence[],
  { text, failure, vector }: Pick<Question, 'text' | 'failure'> & { vector: Float32Array },
): { candidates: Examined[]; pairs: number } {
  const pairs = askedPairs(text)
  const line = failure === undefined ? undefined : headlineOf(failure)
  const headline = line === undefined ? undefined : askedHeadline(line)
  const candidates = evidence.map(({ detail, ...one }): Examined => {
    const sections = sectionsOf(detail)
    return {
      ...one,
      ...(sections.parts &&
        one.cosine !== undefined && { cosine: nearestOf(one.cosine, sections.parts, vector) }),
      ...(sections.pairs && {
        pairs: pairsFound(sections.pairs, pairs),
        length: pairsIn(sections.pairs),
      }),
      ...(sections.headline && headline && { headline: headlinesAlike(sections.headline, headline) }),
    }
  })
  return { candidates, pairs: pairs.length }
}
