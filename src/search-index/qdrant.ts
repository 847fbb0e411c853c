import { RalphError, throwIfAborted } from '../errors.ts'
import { shownUrl } from '../text/shown-url.ts'
import { candidatesFor } from './candidates.ts'
import { checkEmbedder } from './check-embedder.ts'
import { checkFilter } from './filter.ts'
import { QdrantConnection } from './qdrant/connection.ts'
import { documentFilter, passesNothing } from './qdrant/filter.ts'
import {
  type CollectionPlace,
  type CollectionPlaces,
  MEANING,
  metadataId,
  OURS,
  OwnCollections,
  pointId,
  SharedCollections,
  writeMetadata,
} from './qdrant/places.ts'
import { readPoint, type StoredPoint } from './qdrant/points.ts'
import { searchPlace } from './qdrant/search.ts'
import { PointWriter } from './qdrant/write.ts'
import type {
  CollectionChange,
  CollectionInfo,
  CollectionSpec,
  Evidence,
  Json,
  SearchIndex,
  SearchRequest,
  Selection,
  StoredDocument,
} from './search-index.ts'
import { unitVector } from './vectors.ts'

const IDS_PER_REQUEST = 1_000

/** What of a point is to be sent along. */
interface Wanted {
  with_payload: boolean
  with_vector: false | string[]
}

export interface QdrantIndexOptions {
  /** With port, if it is not 6333; with path, if Qdrant is behind a proxy. */
  url: string
  apiKey?: string | undefined
  /** All collections in one of Qdrant's, kept apart by a tenant key: for thousands of them. */
  tenants?: boolean | undefined
  timeoutMs?: number | undefined
}

/** The index on a Qdrant server. Nothing is loaded or connected before it is needed. */
export function openQdrantIndex(options: QdrantIndexOptions): QdrantIndex {
  const connection = new QdrantConnection(options)
  const places = options.tenants ? new SharedCollections(connection) : new OwnCollections(connection)
  return new QdrantIndex(connection, places)
}

class QdrantIndex implements SearchIndex {
  readonly #connection: QdrantConnection
  readonly #places: CollectionPlaces
  readonly #writer: PointWriter

  constructor(connection: QdrantConnection, places: CollectionPlaces) {
    this.#connection = connection
    this.#places = places
    this.#writer = new PointWriter(connection)
  }

  async drop(name: string): Promise<void> {
    const place = await this.#places.find(name)
    if (place) await this.#places.drop(place)
    this.#writer.forgetIndexes()
  }

  async collections(names?: readonly string[]): Promise<CollectionInfo[]> {
    const places = names
      ? await Promise.all(names.map((name) => this.#places.find(name)))
      : await this.#places.all()
    const found = await Promise.all(
      places.filter((place) => place !== undefined).map((place) => this.#describe(place)),
    )
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async write(spec: CollectionSpec, change: CollectionChange, signal?: AbortSignal): Promise<void> {
    const { put = [], remove = [], state } = change
    const place = await this.#makeFit(spec)
    const { name, embedder_id, dimensions } = place.metadata
    if (put.some(({ vector }) => vector)) checkEmbedder(spec, { embedderId: embedder_id, dimensions })
    await this.#writer.write(place, put, signal)
    for (let at = 0; at < remove.length; at += IDS_PER_REQUEST) {
      const points = remove.slice(at, at + IDS_PER_REQUEST).map((id) => pointId(place, id))
      await this.#connection.call((client) => client.delete(place.collection, { wait: true, points }))
    }
    if (state === undefined) return
    // As text: Qdrant takes a null for "no value".
    const payload = { state: JSON.stringify(state) }
    const points = [metadataId(name)]
    await this.#connection.call((client) =>
      client.setPayload(place.directory, { wait: true, key: OURS, payload, points }),
    )
  }

  async read(name: string, selection: Selection): Promise<StoredDocument[]> {
    const place = await this.#places.find(name)
    if (!place) return []
    const wanted: Wanted = { with_payload: true, with_vector: selection.vectors ? [MEANING] : false }
    const points =
      'ids' in selection
        ? await this.#points(place, selection.ids, wanted)
        : await this.#page(place, selection, wanted)
    return points.map((point) => readPoint(place, point))
  }

  async search(name: string, request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]> {
    const { text, filter, limit } = request
    throwIfAborted(signal)
    const place = await this.#places.find(name)
    if (!place) return []
    checkFilter(filter ?? {}, place.metadata.filterable)
    const vector = request.vector && unitVector(request.vector, place.metadata.dimensions)
    if (passesNothing(filter)) return []
    const candidates = candidatesFor(limit)
    return searchPlace(this.#connection, place, { text, vector, filter, candidates }, signal)
  }

  async check(): Promise<{ ok: boolean; detail: string; hint?: string }> {
    try {
      return {
        ok: true,
        detail: `qdrant ${await this.#connection.version()} at ${shownUrl(this.#connection.url)}`,
      }
    } catch (error) {
      if (!(error instanceof RalphError) || error.code === 'cancelled') throw error
      return { ok: false, detail: error.message, ...(error.hint && { hint: error.hint }) }
    }
  }

  async reset(): Promise<void> {
    for (const place of await this.#places.all()) await this.#places.drop(place)
    this.#writer.forgetIndexes()
  }

  /** Lets Qdrant write a snapshot of everything that is ours; they lie in its snapshots folder. */
  async backUp(): Promise<{ collection: string; snapshot: string }[]> {
    const places = await this.#places.all()
    const collections = new Set(places.flatMap(({ collection, directory }) => [collection, directory]))
    const made: { collection: string; snapshot: string }[] = []
    for (const collection of [...collections].sort()) {
      const snapshot = await this.#connection.call((client) =>
        client.createSnapshot(collection, { wait: true }),
      )
      if (snapshot) made.push({ collection, snapshot: snapshot.name })
    }
    return made
  }

  async close(): Promise<void> {
    this.#connection.close()
  }

  async #describe(place: CollectionPlace): Promise<CollectionInfo> {
    const { name, embedder_id, dimensions, filterable, state } = place.metadata
    return {
      name,
      embedderId: embedder_id,
      dimensions,
      filterable,
      documents: await this.#count(place),
      ...(state !== undefined && { state: JSON.parse(state) as Json }),
    }
  }

  async #makeFit(spec: CollectionSpec): Promise<CollectionPlace> {
    const place = await this.#places.find(spec.name)
    if (!place) return this.#places.create(spec)
    const filterable = [...spec.filterable]
    if (JSON.stringify(place.metadata.filterable) === JSON.stringify(filterable)) return place
    const metadata = { ...place.metadata, filterable }
    await writeMetadata(this.#connection, place.directory, metadata)
    return { ...place, metadata }
  }

  async #points(place: CollectionPlace, ids: readonly string[], wanted: Wanted) {
    const found = new Map<string, StoredPoint>()
    for (let at = 0; at < ids.length; at += IDS_PER_REQUEST) {
      const page = await this.#connection.call(
        (client) =>
          client.retrieve(place.collection, {
            ids: ids.slice(at, at + IDS_PER_REQUEST).map((id) => pointId(place, id)),
            ...wanted,
          }),
        { ifMissing: () => [] },
      )
      for (const point of page) found.set(String(point.id), point)
    }
    return ids.flatMap((id) => found.get(pointId(place, id)) ?? [])
  }

  async #page(
    place: CollectionPlace,
    { after, limit }: { after?: string | undefined; limit: number },
    wanted: Wanted,
  ) {
    // Qdrant's offset is where a page begins, ours is what came before it.
    const offset = after === undefined ? undefined : pointId(place, after)
    const { points } = await this.#connection.call(
      (client) =>
        client.scroll(place.collection, {
          filter: documentFilter(place),
          limit: limit + 1,
          ...wanted,
          ...(offset !== undefined && { offset }),
        }),
      { ifMissing: () => ({ points: [] }) },
    )
    return points.filter((point) => point.id !== offset).slice(0, limit)
  }

  async #count(place: CollectionPlace): Promise<number> {
    const request = { filter: documentFilter(place), exact: true }
    const { count } = await this.#connection.call((client) => client.count(place.collection, request), {
      ifMissing: () => ({ count: 0 }),
    })
    return count
  }
}
