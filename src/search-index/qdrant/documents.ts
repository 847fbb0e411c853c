import { RalphError } from '../../errors.ts'
import type { QdrantConnection } from './connection.ts'
import { documentFilter } from './filter.ts'
import { MEANING } from './metadata.ts'
import { pointId, type Whereabouts } from './places.ts'
import { isDocument, payloadWanted } from './points.ts'
import { isMissing, isStrictMode } from './qdrant-error.ts'
import { countPoints, pathOf, retrievePages, type StoredPoint } from './reading.ts'
import type { Limits, StrictLimits } from './strict-mode.ts'

/** What describes a collection, and what its words are counted by. */
const POINTS_OF_OURS = 2

/** Reads documents as they are stored, without searching for them. */
export class DocumentReader {
  readonly #connection: QdrantConnection
  readonly #limits: StrictLimits

  constructor(connection: QdrantConnection, limits: StrictLimits) {
    this.#connection = connection
    this.#limits = limits
  }

  async byIds(
    place: Whereabouts,
    ids: readonly string[],
    vectors = false,
    signal?: AbortSignal,
  ): Promise<StoredPoint[]> {
    const wanted = ids.map((id) => pointId(place, id))
    const form = { with_vector: vectors ? [MEANING] : (false as const), with_payload: payloadWanted(vectors) }
    const points = await this.#within(place, signal, ({ readTokens, waits }) => {
      const call = { ...form, most: readTokens, signal, waits }
      return retrievePages(this.#connection, place.collection, wanted, call)
    })
    if (!points) return []
    const found = new Map(points.filter(isDocument).map((point) => [String(point.id), point]))
    return wanted.flatMap((id) => found.get(id) ?? [])
  }

  async page(
    place: Whereabouts,
    { after, limit, vectors = false }: { after?: string | undefined; limit: number; vectors?: boolean },
    signal?: AbortSignal,
  ): Promise<StoredPoint[]> {
    // Qdrant's offset is where a page begins, ours is what came before it.
    const offset = after === undefined ? undefined : pointId(place, after)
    const filter = documentFilter(place)
    const path = `${pathOf(place.collection)}/points/scroll`
    const most = limit + 1 + POINTS_OF_OURS
    const page = await this.#within(place, signal, ({ results, waits }) => {
      const wanted = {
        limit: Math.min(most, results),
        with_payload: payloadWanted(vectors),
        with_vector: vectors ? [MEANING] : false,
      }
      const body = { ...wanted, ...(filter && { filter }), ...(offset !== undefined && { offset }) }
      return this.#connection.attempt<{ points: StoredPoint[] }>(
        { method: 'POST', path, body },
        { signal, waits },
      )
    })
    return (page?.points ?? []).filter((point) => point.id !== offset && isDocument(point)).slice(0, limit)
  }

  /**
   * Without asking for `exact`, which takes ten times as long and gives the same for a whole collection; of one tenant, though,
   * an estimate would count what was removed.
   */
  async count(place: Whereabouts, signal?: AbortSignal): Promise<number> {
    const { collection, tenant } = place
    const filter = documentFilter(place)
    if (tenant === undefined)
      return Math.max(
        0,
        (await countPoints(this.#connection, collection, { filter, signal })) - POINTS_OF_OURS,
      )
    try {
      return await countPoints(this.#connection, collection, { filter, signal, exact: true })
    } catch (error) {
      if (!isStrictMode(error instanceof RalphError ? error.cause : error)) throw error
      return countPoints(this.#connection, collection, { filter, signal })
    }
  }

  /** Undefined when the collection is not there. */
  async #within<Result>(
    { collection }: Whereabouts,
    signal: AbortSignal | undefined,
    work: (limits: Limits) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await this.#limits.within(collection, work, { signal })
    } catch (error) {
      if (isMissing(error)) return undefined
      throw this.#connection.told(error)
    }
  }
}
