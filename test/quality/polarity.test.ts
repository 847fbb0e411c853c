import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compareStatements } from '../../src/text/polarity/polarity.ts'

const folder = fileURLToPath(new URL('../../../shared/data/polarity/', import.meta.url))
const available = existsSync(folder)
const lines = <Row>(file: string): Row[] =>
  readFileSync(`${folder}${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

interface SickPair {
  a: string
  b: string
  label: 'duplicate' | 'contradiction' | 'different'
}

/** How well "these are duplicates" is said, and how many contradictions would have been merged. */
function grade(pairs: readonly SickPair[], isDuplicate: (pair: SickPair) => boolean) {
  const merged = pairs.filter(isDuplicate)
  const right = merged.filter(({ label }) => label === 'duplicate').length
  const precision = right / merged.length
  const recall = right / pairs.filter(({ label }) => label === 'duplicate').length
  const contradictions = pairs.filter(({ label }) => label === 'contradiction').length
  return {
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    contradictionsMerged: merged.filter(({ label }) => label === 'contradiction').length / contradictions,
  }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const show = (name: string, grades: Record<string, number>) =>
  console.log(
    `${name}: ${Object.entries(grades)
      .map(([key, value]) => `${key} ${percent(value)}`)
      .join(', ')}`,
  )

describe.skipIf(!available)(
  'near-duplicates against contradictions (skipped where the public data is absent)',
  () => {
    it('sentence pairs: duplicates are found, contradictions are not merged', () => {
      const pairs = lines<SickPair>('sick-pairs.jsonl')
      const words = grade(pairs, ({ a, b }) => jaccard(wordSet(a), wordSet(b)) > 0.7)
      const ours = grade(pairs, ({ a, b }) => compareStatements(a, b).verdict === 'duplicate')
      show('common words above 0.7', words)
      show('compareStatements', ours)
      expect(ours.f1).toBeGreaterThan(0.77)
      expect(ours.contradictionsMerged).toBeLessThan(0.01)
      expect(words.contradictionsMerged).toBeGreaterThan(0.4)
    })

    it('sentence pairs: contradictions are said to be conflicts', () => {
      const contradictions = lines<SickPair>('sick-pairs.jsonl').filter(
        ({ label }) => label === 'contradiction',
      )
      const flagged = contradictions.filter(({ a, b }) => compareStatements(a, b).verdict === 'conflict')
      show('contradictions', { 'flagged as conflict': flagged.length / contradictions.length })
      expect(flagged.length / contradictions.length).toBeGreaterThan(0.7)
    })

    it('antonyms and negation: of three, the one that says the same', () => {
      const rows = lines<{ input: string; sentences: string[]; same: number }>('antonym-negation.jsonl')
      const verdicts = rows.map(({ input, sentences }) =>
        sentences.map((each) => compareStatements(input, each).verdict),
      )
      const exact = rows.filter(({ same }, row) =>
        verdicts[row]!.every((verdict, index) => (verdict === 'duplicate') === (index === same)),
      )
      const wronglyMerged = rows.filter(({ same }, row) =>
        verdicts[row]!.some((verdict, index) => verdict === 'duplicate' && index !== same),
      )
      show('antonym-negation', {
        exact: exact.length / rows.length,
        'wrongly merged': wronglyMerged.length / rows.length,
      })
      expect(exact.length / rows.length).toBeGreaterThan(0.85)
      expect(wronglyMerged.length / rows.length).toBeLessThan(0.005)
    })
  },
)

/** What we compare with: words as they are written, no grammar, no meaning. */
function wordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
}

/** Share of common words among all words of both, 0 to 1. */
function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1
  let common = 0
  for (const word of a) if (b.has(word)) common++
  return common / (a.size + b.size - common)
}
