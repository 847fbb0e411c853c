import { withoutAlike } from '../retrieval/alike.ts'
import { MOST_RESULTS } from '../retrieval/relevance.ts'
import type { Finding } from './finding.ts'
import { embeddingText } from './record.ts'

/** How many more are looked at than are wanted, in case some say the same. */
const MORE = 60

/**
 * The best `limit`, those that say different things first: what was put in thirty times pushes nothing out. Its repetitions
 * take only places that nothing else wants.
 */
export async function distinctFirst(
  limit: number,
  search: (most: number) => Promise<Finding[]>,
): Promise<Finding[]> {
  const most = Math.min(MOST_RESULTS, limit + MORE)
  const found = await search(most)
  const { distinct, repetitions } = parted(found)
  const crowded = distinct.length < limit && found.length === most && most < MOST_RESULTS
  const all = crowded ? parted(await search(MOST_RESULTS)) : { distinct, repetitions }
  return [...all.distinct, ...all.repetitions].slice(0, limit)
}

function parted(found: readonly Finding[]): { distinct: Finding[]; repetitions: Finding[] } {
  const groups = [...Map.groupBy(found, kindOf).values()]
  const alike = new Map(groups.flatMap((group) => withoutAlike(group, textOf)))
  return {
    distinct: found.flatMap((one) => {
      const others = alike.get(one)
      return others === undefined ? [] : [others > 0 ? { ...one, alike: others } : one]
    }),
    repetitions: found.filter((one) => !alike.has(one)).map((one) => ({ ...one, repeats: true })),
  }
}

/** The same words are another story when they came to another end. */
function kindOf(finding: Finding): string {
  return finding.type === 'iteration' ? `${finding.type} ${finding.record.outcome}` : finding.type
}

function textOf(finding: Finding): string {
  switch (finding.type) {
    case 'iteration':
      return embeddingText(finding.record)
    case 'learning':
      return finding.learning.text
    case 'feature':
      return finding.text
  }
}
