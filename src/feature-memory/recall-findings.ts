import { isRalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'
import { ask } from '../retrieval/ask.ts'
import { checkedLimit, checkedMinScore, checkedQuery, SEARCH_DEFAULTS } from '../retrieval/relevance.ts'
import { inTruth, type Truth } from './as-kept.ts'
import { distinctFirst } from './distinct-findings.ts'
import type { FeatureIndex } from './feature-index.ts'
import { FINDING_TYPES, type Finding, type FindingType, findingOf } from './finding.ts'
import { type SearchOptions, searchFilter } from './recall.ts'

/** Key of the notice, shared with whoever else brings the index up to date. */
export const INDEX_DOWN = 'index'
const STRANGE = 'index.strange'

export interface FindingParts {
  index: FeatureIndex
  truth: (feature: string) => Promise<Truth>
  notices: Notices
  /** For searches that do not say otherwise. */
  searchDefaults?: { limit: number; minScore: number } | undefined
}

export type FindingOptions = SearchOptions & { types?: readonly FindingType[] | undefined }

/** Finds whatever is remembered of a feature, and tells it as the journal and the board have it. */
export async function recallFindings(
  feature: string,
  query: string,
  options: FindingOptions,
  parts: FindingParts,
): Promise<Finding[]> {
  const { found, strange } = await search(feature, query, options, parts)
  if (!strange || !(await cleared(feature, options, parts))) return found
  return (await search(feature, query, options, parts)).found
}

/** `strange`: the index has found what neither has. */
async function search(
  feature: string,
  query: string,
  options: FindingOptions,
  parts: FindingParts,
): Promise<{ found: Finding[]; strange: boolean }> {
  const { signal, types = FINDING_TYPES } = options
  const { index, searchDefaults: { limit, minScore } = SEARCH_DEFAULTS } = parts
  const question = {
    text: checkedQuery(query),
    minScore: checkedMinScore(options.minScore ?? minScore),
    filter: searchFilter(types, options),
    signal,
  }
  const collection = await index.likelyCollection(feature)
  let latest = 0
  const chosen = await distinctFirst(checkedLimit(options.limit ?? limit), (most, choose) =>
    ask(
      collection,
      { ...question, limit: most },
      {
        off: { key: INDEX_DOWN, message: 'memory search is off' },
        withoutIndex: index.withoutIndex(feature),
        bringLevel: async (embedderWorks) => {
          const level = await index.catchUp(feature, { signal, embedderWorks })
          latest = level.latest
          return level
        },
        present: choose,
      },
    ),
  )
  // Bringing it level tells whose it is.
  const own = await index.likelyCollection(feature)
  if (own.name !== collection.name) return search(feature, query, options, parts)
  const hits = chosen.map(({ hit }) => hit)
  const { kept, strange } = await inTruth(hits, await parts.truth(feature))
  const found = chosen.flatMap(({ hit, ...more }, at) =>
    kept[at] ? [{ ...findingOf(hit, kept[at], latest), ...more }] : [],
  )
  return { found, strange }
}

/** Takes out of the index what somebody else has put there. False where that cannot be done: then it is left out each time. */
async function cleared(
  feature: string,
  { signal }: FindingOptions,
  { index, notices }: FindingParts,
): Promise<boolean> {
  notices.once({
    key: `${STRANGE}:${feature}`,
    message: `the search index of "${feature}" held what neither its journal nor the board has: it was compared with them, and that is gone`,
  })
  try {
    await index.catchUp(feature, { signal, anew: true })
    return true
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled') throw error
    return false
  }
}
