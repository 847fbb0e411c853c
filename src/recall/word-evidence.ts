import { isCommonWord } from '../text/common-words.ts'
import { searchTerms } from '../text/words.ts'

/** What the words of a text have to do with a question, as an index would tell it. */
export interface WordEvidence {
  /** Which of the texts. */
  at: number
  bm25: number
  /** Share of what the question asks for, rare words counting more. */
  coverage: number
  wordShare: number
  commonShare: number
}

/** Of very few texts nobody can say which words are rare: they are taken for some of so many. */
const LEAST_TEXTS = 20
const SATURATION = 1.2
/** So that a word that is there once counts 1. */
const ONCE = 1 + SATURATION

/** For texts that are few enough to be looked through; only those that share a word with the question. */
export function wordEvidence(question: string, texts: readonly string[]): WordEvidence[] {
  const wanted = [...new Set(allTerms(question))]
  const counted = texts.map((text) => countsOf(text, wanted))
  const rarity = new Map(wanted.map((term) => [term, rarityOf(term, counted)]))
  const asked = wanted.reduce((sum, term) => sum + rarity.get(term)!, 0)
  return counted.flatMap((counts, at) => {
    if (counts.size === 0) return []
    let [bm25, covered, common] = [0, 0, 0]
    for (const [term, count] of counts) {
      const worth = (rarity.get(term)! * count) / (count + SATURATION)
      bm25 += worth
      if (isCommonWord(term)) common += worth
      covered += rarity.get(term)!
    }
    const shareOf = (sum: number) => (ONCE * sum) / asked
    return [{ at, bm25, coverage: covered / asked, wordShare: shareOf(bm25), commonShare: shareOf(common) }]
  })
}

function allTerms(text: string): string[] {
  const { words, joined } = searchTerms(text)
  return [...words, ...joined]
}

function countsOf(text: string, wanted: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of allTerms(text)) if (wanted.includes(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

function rarityOf(term: string, counted: readonly ReadonlyMap<string, number>[]): number {
  const having = counted.filter((counts) => counts.has(term)).length
  const all = Math.max(LEAST_TEXTS, counted.length)
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}
