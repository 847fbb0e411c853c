import type { Condition, Filter, Query, StrictMode } from './api.ts'
import { BadRequest, type Collection } from './collection.ts'
import { conditionsOf } from './rate-limit.ts'

/** Refuses what Qdrant refuses in strict mode, in its words. */
export class Strictness {
  readonly #collection: Collection
  readonly #config: StrictMode

  constructor(collection: Collection) {
    this.#collection = collection
    this.#config = collection.config.strict_mode_config ?? {}
  }

  search({ limit, params, filter, prefetch = [] }: Query): void {
    this.atMost(limit, this.#config.max_query_limit, 'limit')
    this.atMost(params?.hnsw_ef, this.#config.search_max_hnsw_ef, 'hnsw_ef')
    this.exact(params?.exact)
    this.reading(filter)
    for (const one of prefetch) this.search(one)
  }

  searches(count: number): void {
    this.atMost(count, this.#config.search_max_batchsize, 'search batch size')
  }

  page(limit: number | undefined, filter: Filter | undefined): void {
    this.atMost(limit, this.#config.max_query_limit, 'limit')
    this.reading(filter)
  }

  upsert(points: number): void {
    this.atMost(points, this.#config.upsert_max_batchsize, 'upsert limit')
    const { max_points_count: most } = this.#config
    // The only ones that say nothing of what helps.
    if (this.#config.enabled && most !== undefined && this.#collection.count(undefined) >= most)
      throw new BadRequest(`Bad request: Max points count limit of ${most} reached!`)
  }

  index(): void {
    const { enabled, max_payload_index_count: most } = this.#config
    if (enabled && most !== undefined && this.#collection.indexes.size >= most)
      throw refused(
        `Collection already has the maximum number of payload indices (${most})`,
        'Please delete an existing index before creating a new one.',
      )
  }

  exact(exact: boolean | undefined): void {
    if (this.#config.enabled && this.#config.search_allow_exact === false && exact)
      throw refused('Exact search disabled!', 'Set exact=false.')
  }

  reading(filter: Filter | undefined): void {
    const conditions = conditionsOf(filter)
    const { filter_max_conditions: most = Infinity } = this.#config
    if (this.#config.enabled && conditions > most)
      throw refused(
        `Filter condition limit reached (${conditions} > ${most})`,
        'Reduce the amount of conditions of your filter.',
      )
    if (this.#config.unindexed_filtering_retrieve === false) this.#indexed(filter)
  }

  updating(filter: Filter | undefined): void {
    if (this.#config.unindexed_filtering_update === false) this.#indexed(filter)
  }

  atMost(value: number | undefined, limit: number | undefined, name: string): void {
    if (!this.#config.enabled || value === undefined || limit === undefined || value <= limit) return
    throw refused(
      `Limit exceeded ${value} > ${limit} for "${name}"`,
      `Reduce the "${name}" parameter to or below ${limit}.`,
    )
  }

  #indexed(filter: Filter | undefined): void {
    if (!this.#config.enabled || !filter) return
    for (const condition of [...(filter.must ?? []), ...(filter.must_not ?? []), ...(filter.should ?? [])])
      this.#condition(condition)
  }

  #condition(condition: Condition): void {
    if ('has_id' in condition) return
    if (!('key' in condition)) {
      this.#indexed(condition)
      return
    }
    const wanted = condition.match ? ['keyword', 'bool'] : ['float', 'datetime']
    const schema = this.#collection.indexes.get(condition.key) as { type: string } | undefined
    if (schema && wanted.includes(schema.type)) return
    throw refused(
      `Index required but not found for "${condition.key}" of one of the following types: [${wanted.join(', ')}]`,
      'Create an index for this key or use a different filter.',
    )
  }
}

function refused(error: string, help: string): BadRequest {
  return new BadRequest(`Bad request: ${error}. Help: ${help}`)
}
