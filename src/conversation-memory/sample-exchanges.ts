import type { Collection, MeaningSample } from '../retrieval/collection.ts'
import { exchangeHit } from './documents.ts'
import type { History } from './history.ts'
import type { Exchange } from './record.ts'

/** The index knows where they stand in meaning, the history what was said. */
export async function sampleExchanges(
  collection: Collection,
  history: History,
  limit: number,
): Promise<MeaningSample<{ exchange: Exchange }>> {
  const sample = await collection.sample(limit)
  const ids = sample.sampled.map((one) => exchangeHit(one).exchange)
  const exchanges = await history.exchanges(ids)
  const sampled = sample.sampled.flatMap(({ id, vector }, at) => {
    const exchange = exchanges.get(ids[at]!)
    return exchange ? [{ id, vector, exchange }] : []
  })
  return { ...sample, sampled }
}
