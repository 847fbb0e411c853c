import { z } from '../../text/schema.ts'
import type { CallOptions, QdrantConnection } from './connection.ts'
import { isOverRate, isStrictMode } from './qdrant-error.ts'
import { pathOf } from './reading.ts'

const limit = z.nullish(z.number())
const StrictMode = z.object({
  enabled: z.nullish(z.boolean()),
  max_query_limit: limit,
  search_max_hnsw_ef: limit,
  search_max_batchsize: limit,
  upsert_max_batchsize: limit,
  read_rate_limit: limit,
  write_rate_limit: limit,
})
const Described = z.object({ config: z.object({ strict_mode_config: z.nullish(StrictMode) }) })

/** What a server allows in one request. */
export interface Limits {
  /** Results of one search, documents of one page. */
  results: number
  hnswEf: number
  /** Searches in one request. */
  searches: number
  /** Documents written at once. */
  points: number
  /** What reading may cost in a minute, and so in one request: a document that is read is one, `readCost` a search. */
  readTokens: number
  /** The same of writing: each document that is put or removed is one. */
  writeTokens: number
  /** Whether a request that came too soon is made again after a while; not before it is known what is allowed. */
  waits: boolean
}

const NONE: Limits = {
  results: Infinity,
  hnswEf: Infinity,
  searches: Infinity,
  points: Infinity,
  readTokens: Infinity,
  writeTokens: Infinity,
  waits: true,
}

/**
 * Strict mode, which some operators switch on and Qdrant's cloud has by default. What it allows is asked when it has refused
 * something for the first time, not before: most servers have none.
 */
export class StrictLimits {
  readonly #connection: QdrantConnection
  readonly #known = new Map<string, Limits>()

  constructor(connection: QdrantConnection) {
    this.#connection = connection
  }

  /** Does the work within the limits of the collection, and once more when it learns of them by a refusal. */
  async within<Result>(
    collection: string,
    work: (limits: Limits) => Promise<Result>,
    options: CallOptions = {},
  ): Promise<Result> {
    const known = this.#known.get(collection)
    try {
      return await work(known ?? { ...NONE, waits: false })
    } catch (error) {
      const isHurry = isOverRate(error) && known === undefined
      if (!isHurry && !isStrictMode(error)) throw error
      const limits = await this.#learn(collection, options)
      // Nothing new was learnt: the same would be refused again, unless it only came too soon.
      if (JSON.stringify(limits) === JSON.stringify(known ?? NONE) && !isHurry) throw error
      this.#known.set(collection, limits)
      return work(limits)
    }
  }

  async #learn(collection: string, { signal }: CallOptions): Promise<Limits> {
    const described = await this.#connection.find({ method: 'GET', path: pathOf(collection) }, { signal })
    const strict = Described.safeParse(described).data?.config.strict_mode_config
    if (!strict) return NONE
    const writeTokens = strict.write_rate_limit ?? Infinity
    return {
      results: strict.max_query_limit ?? Infinity,
      hnswEf: strict.search_max_hnsw_ef ?? Infinity,
      searches: strict.search_max_batchsize ?? Infinity,
      points: Math.min(strict.upsert_max_batchsize ?? Infinity, writeTokens),
      readTokens: strict.read_rate_limit ?? Infinity,
      writeTokens,
      waits: true,
    }
  }
}
