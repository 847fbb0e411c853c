import type { Calibration } from '../embedding/embedder.ts'
import { fuse } from '../retrieval/fusion.ts'
import type { Json, SearchIndex } from '../search-index/search-index.ts'

export interface ComparedCollection {
  name: string
  source: number
  target: number
}

export interface SampledSearches {
  searches: number
  /** How many gave the same best results, but for one at most. */
  same: number
}

interface Pair {
  source: SearchIndex
  target: SearchIndex
}

/** Of each of the two indexes. */
const SAMPLES = 12
const COMPARED = 10
const QUESTION_CHARACTERS = 300

export async function compareCounts(
  { source, target }: Pair,
  names: readonly string[],
): Promise<ComparedCollection[]> {
  const compared: ComparedCollection[] = []
  const count = async (index: SearchIndex, name: string) =>
    (await index.collections([name]))[0]?.documents ?? 0
  for (const name of names)
    compared.push({ name, source: await count(source, name), target: await count(target, name) })
  return compared.filter((one) => one.source > 0 || one.target > 0)
}

/** Asks both for what some of the documents say themselves. */
export async function compareSearches(
  pair: Pair,
  names: readonly string[],
  calibration: Calibration,
): Promise<SampledSearches> {
  const sampled: SampledSearches = { searches: 0, same: 0 }
  const step = Math.max(1, Math.floor(names.length / SAMPLES))
  const chosen = names.filter((_, at) => at % step === 0).slice(0, SAMPLES)
  for (const name of chosen) {
    // Ids are hashes: the first ones are as good a sample as any.
    const limit = Math.ceil(SAMPLES / chosen.length)
    for (const { payload, vector } of await pair.target.read(name, { limit, vectors: true })) {
      const text = textsIn(payload).join(' ').slice(0, QUESTION_CHARACTERS)
      const request = { text, limit: COMPARED, ...(vector && { vector }) }
      const best = async (index: SearchIndex) => {
        const evidence = await index.search(name, request)
        return fuse(evidence, { calibration, limit: COMPARED, minScore: 0 }).map((hit) => hit.id)
      }
      const [before, after] = [await best(pair.source), await best(pair.target)]
      const same = isSame(before, after) || (await isSameButForNew(pair, name, before, after))
      if (same === undefined) continue
      sampled.searches++
      if (same) sampled.same++
    }
  }
  return sampled
}

/**
 * What the source had not embedded yet, or only as it was before, is found better in the target: that is left out of both.
 * Undefined if nothing is left to compare.
 */
async function isSameButForNew(
  { source, target }: Pair,
  name: string,
  before: readonly string[],
  after: readonly string[],
): Promise<boolean | undefined> {
  const ids = [...new Set([...before, ...after])]
  const old = new Map((await source.read(name, { ids })).map((document) => [document.id, document]))
  const isNew = new Set<string>()
  for (const { id, textHash, hasVector } of await target.read(name, { ids })) {
    const known = old.get(id)
    if (hasVector && !(known?.hasVector && known.textHash === textHash)) isNew.add(id)
  }
  // Each place that something new takes in a full list pushes another out of it.
  const taken = Math.max(...[before, after].map((list) => list.filter((id) => isNew.has(id)).length))
  const limit = COMPARED - taken
  if (limit < 2 || isNew.size === ids.length) return undefined
  const rest = (list: readonly string[]) => list.filter((id) => !isNew.has(id)).slice(0, limit)
  return isSame(rest(before), rest(after), limit)
}

/** But for one in a full list, whose end may be a tie. */
function isSame(one: readonly string[], other: readonly string[], limit = COMPARED): boolean {
  const common = one.filter((id) => other.includes(id)).length
  const most = Math.max(one.length, other.length)
  return common >= (most < limit ? most : most - 1)
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}
