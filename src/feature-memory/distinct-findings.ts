import { withoutAlike } from '../retrieval/alike.ts'
import type { Hit } from '../retrieval/fusion.ts'
import { MOST_RESULTS } from '../retrieval/relevance.ts'
import type { Payload } from '../search-index/search-index.ts'
import { asArray, objects } from '../text/json.ts'
import type { Finding } from './finding.ts'

/** So many are looked at even where fewer are wanted: what says the same mostly stands close together. */
const FIRST_LOOK = 20
/** How many more are looked at than are wanted, where some say the same. */
const MORE = 60

/** A hit that is shown, and what is said of others like it. */
export type ChosenHit = { hit: Hit } & Pick<Finding, 'alike' | 'repeats'>

/**
 * The best `limit`, those that say different things first: what was put in thirty times pushes nothing out. Its repetitions
 * take only places that nothing else wants. Hits are compared as they are stored: reading a record takes far longer.
 */
export async function distinctFirst(
  limit: number,
  search: (most: number, choose: (hits: readonly Hit[]) => ChosenHit[]) => Promise<ChosenHit[]>,
): Promise<ChosenHit[]> {
  const looks = [Math.max(limit, FIRST_LOOK), limit + MORE, MOST_RESULTS]
  let found: ChosenHit[] = []
  for (const look of looks) {
    const most = Math.min(MOST_RESULTS, look)
    let crowded = false
    found = await search(most, (hits) => {
      const { distinct, repetitions } = parted(hits)
      // Mostly all differ, and a closer look takes several times as long.
      const enough = look === looks[0] ? repetitions.length === 0 : distinct.length >= limit
      crowded = !enough && hits.length === most
      return [...distinct, ...repetitions].slice(0, limit)
    })
    if (!crowded || most === MOST_RESULTS) break
  }
  return found
}

function parted(hits: readonly Hit[]): { distinct: ChosenHit[]; repetitions: ChosenHit[] } {
  const groups = [...Map.groupBy(hits, ({ payload }) => kindOf(payload)).values()]
  const best = new Map(groups.flatMap((group) => withoutAlike(group, ({ payload }) => textOf(payload))))
  return {
    distinct: hits.flatMap((hit) => {
      const alike = best.get(hit)
      return alike === undefined ? [] : [{ hit, ...(alike > 0 && { alike }) }]
    }),
    repetitions: hits.filter((hit) => !best.has(hit)).map((hit) => ({ hit, repeats: true })),
  }
}

/** The same words are another story when they came to another end. */
function kindOf({ record_type, outcome }: Payload): string {
  return `${record_type} ${outcome ?? ''}`
}

/** Of an iteration, what is embedded of it. */
function textOf({ text, task_title, summary, errors, decisions }: Payload): string {
  const told = [
    ...objects(asArray(errors)).flatMap(({ message, file_path }) => [message, file_path]),
    ...objects(asArray(decisions)).flatMap(({ description, rationale }) => [description, rationale]),
  ]
  return [text, task_title, summary, ...told].filter((part) => typeof part === 'string').join('\n')
}
