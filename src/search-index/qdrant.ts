import { once } from '../deferred.ts'
import { throwIfAborted } from '../errors.ts'
import { candidatesFor } from './candidates.ts'
import { checkEmbedder } from './check-embedder.ts'
import { checkFilter } from './filter.ts'
import { checkServer } from './qdrant/check.ts'
import { type ConnectionOptions, QdrantConnection } from './qdrant/connection.ts'
import { DocumentReader } from './qdrant/documents.ts'
import { passesNothing } from './qdrant/filter.ts'
import { QdrantRefusal } from './qdrant/http.ts'
import { KnownPlaces } from './qdrant/known-places.ts'
import { createIndexes, indexesFor } from './qdrant/making.ts'
import { infoOf } from './qdrant/metadata.ts'
import { OwnCollections } from './qdrant/own-collections.ts'
import type { CollectionPlace, CollectionPlaces, Whereabouts } from './qdrant/places.ts'
import { readPoint } from './qdrant/points.ts'
import { isMissing } from './qdrant/qdrant-error.ts'
import { pathOf } from './qdrant/reading.ts'
import { type PlaceAnswer, PlaceSearch } from './qdrant/search.ts'
import { SharedCollections } from './qdrant/shared-collections.ts'
import { StrictLimits } from './qdrant/strict-mode.ts'
import { type PlaceChange, placeChange, pointsOf, writeChange } from './qdrant/write.ts'
import type { Evidence, SearchRequest } from './query.ts'
import type {
  CollectionChange,
  CollectionInfo,
  CollectionSelection,
  CollectionSpec,
  FoundCollection,
  SearchIndex,
  Selection,
  StoredDocument,
} from './search-index.ts'
import { unitVector } from './vectors.ts'

export interface QdrantIndexOptions extends ConnectionOptions {
  /** All collections in one of Qdrant's, kept apart by a tenant key: for thousands of them. */
  tenants?: boolean | undefined
}

/** The index on a Qdrant server. Nothing is connected before it is needed. */
export function openQdrantIndex(options: QdrantIndexOptions): SearchIndex & Pick<QdrantIndex, 'backUp'> {
  const connection = new QdrantConnection(options)
  const places = options.tenants ? new SharedCollections(connection) : new OwnCollections(connection)
  return new QdrantIndex(connection, places)
}

class QdrantIndex implements SearchIndex {
  readonly #connection: QdrantConnection
  readonly #places: CollectionPlaces
  readonly #limits: StrictLimits
  readonly #documents: DocumentReader
  readonly #known = new KnownPlaces()
  readonly #supported = once(() => this.#connection.version())

  constructor(connection: QdrantConnection, places: CollectionPlaces) {
    this.#connection = connection
    this.#places = places
    this.#limits = new StrictLimits(connection)
    this.#documents = new DocumentReader(connection, this.#limits)
  }

  async find(name: string, signal?: AbortSignal): Promise<FoundCollection | undefined> {
    throwIfAborted(signal)
    const place = await this.#lookOnce(name, signal)
    return place && infoOf(place.metadata)
  }

  async collections(
    selection: CollectionSelection = { prefix: '' },
    signal?: AbortSignal,
  ): Promise<CollectionInfo[]> {
    const places =
      'prefix' in selection
        ? await this.#places.all(selection.prefix, { signal })
        : await Promise.all(selection.map((name) => this.#look(name, signal)))
    const found = await Promise.all(
      places
        .filter((place) => place !== undefined)
        .map(async (place) => ({
          ...infoOf(place.metadata),
          documents: await this.#documents.count(place, signal),
        })),
    )
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** A collection that went while this was on its way is made once more. */
  async write(spec: CollectionSpec, change: CollectionChange, signal?: AbortSignal): Promise<void> {
    try {
      await this.#write(spec, change, signal)
    } catch (error) {
      if (!isMissing(error)) throw this.#connection.told(error)
      this.#known.forget(spec.name)
      await this.#write(spec, change, signal).catch((again: unknown) => {
        throw this.#connection.told(again)
      })
    }
  }

  async read(name: string, selection: Selection, signal?: AbortSignal): Promise<StoredDocument[]> {
    throwIfAborted(signal)
    const place = this.#places.guess(name) ?? (await this.#look(name, signal))
    if (!place) return []
    const points =
      'ids' in selection
        ? await this.#documents.byIds(place, selection.ids, selection.vectors, signal)
        : await this.#documents.page(place, selection, signal)
    const documents = points.map((point) => readPoint(place, point))
    this.#known.sawDocuments(name, 'ids' in selection ? selection.ids : [], documents)
    return documents
  }

  async search(name: string, request: SearchRequest, signal?: AbortSignal): Promise<Evidence[]> {
    throwIfAborted(signal)
    const before = this.#known.fresh(name)?.place
    if (before) checkRequest(before, request)
    const place = this.#places.guess(name) ?? (await this.#look(name, signal))
    if (!place || passesNothing(request.filter)) return []
    const { metadata, evidence } = await this.#searchPlace(place, request, signal)
    // Nothing that we can read describes it: looked at more closely, which may say why.
    const found =
      typeof metadata === 'object'
        ? this.#known.saw({ ...place, metadata })
        : await this.#lookOnce(name, signal)
    if (!found) return []
    checkRequest(found, request)
    return isOtherEmbedder(found, request) ? [] : evidence
  }

  async drop(name: string): Promise<void> {
    this.#known.forget(name)
    await this.#places.drop(name)
  }

  check({ thorough = false, signal }: { thorough?: boolean; signal?: AbortSignal } = {}) {
    return checkServer(this.#connection, { thorough, signal })
  }

  async reset(): Promise<void> {
    this.#known.clear()
    await this.#places.dropAll()
  }

  /** Lets Qdrant write a snapshot of everything that is ours; they lie in its snapshots folder. */
  async backUp(): Promise<{ collection: string; snapshot: string }[]> {
    const collections = new Set((await this.#places.all('')).map(({ collection }) => collection))
    const made: { collection: string; snapshot: string }[] = []
    for (const collection of [...collections].sort()) {
      const path = `${pathOf(collection)}/snapshots?wait=true`
      const snapshot = await this.#connection.call<{ name: string }>(
        { method: 'POST', path },
        { kind: 'write' },
      )
      made.push({ collection, snapshot: snapshot.name })
    }
    return made
  }

  async close(): Promise<void> {
    this.#connection.close()
  }

  /** As it was a moment ago, if somebody has looked. */
  async #lookOnce(name: string, signal?: AbortSignal): Promise<CollectionPlace | undefined> {
    const known = this.#known.fresh(name)
    return known ? known.place : this.#look(name, signal)
  }

  async #look(name: string, signal?: AbortSignal): Promise<CollectionPlace | undefined> {
    const place = await this.#places.find(name, { signal })
    if (place) return this.#known.saw(place)
    this.#known.sawNone(name)
    return undefined
  }

  async #write(spec: CollectionSpec, given: CollectionChange, signal?: AbortSignal): Promise<void> {
    const change = placeChange(given)
    const place = await this.#makeFit(spec, change, signal)
    const { embedder_id, dimensions } = place.metadata
    if (change.put.some(({ vector }) => vector)) checkEmbedder(spec, { embedderId: embedder_id, dimensions })
    const points = pointsOf(this.#connection, place, change.put, spec.typicalLength)
    const ids = new Set(change.put.map(({ id }) => id))
    const growth = this.#known.growth(spec.name, [...ids], change.remove)
    if (growth) change.noted.documents = Math.max(0, place.metadata.documents + growth)
    await this.#limits.within(
      place.collection,
      (limits) => writeChange(this.#connection, place, { ...change, points }, { limits, signal }),
      { signal },
    )
    const written = { ...place, metadata: { ...place.metadata, ...change.noted } }
    const isToCount = growth === undefined && !change.more
    this.#known.saw(isToCount ? await this.#counted(written, signal) : written)
    this.#known.counted(spec.name, isToCount || growth !== undefined)
  }

  /** Whoever writes without having asked what is there has to count. */
  async #counted(place: CollectionPlace, signal?: AbortSignal): Promise<CollectionPlace> {
    const noted = { documents: await this.#documents.count(place, signal) }
    const change = { put: [], points: [], remove: [], noted, more: true }
    await this.#limits.within(place.collection, (limits) =>
      writeChange(this.#connection, place, change, { limits, signal }),
    )
    return { ...place, metadata: { ...place.metadata, ...noted } }
  }

  async #makeFit(spec: CollectionSpec, change: PlaceChange, signal?: AbortSignal): Promise<CollectionPlace> {
    const place = await this.#lookOnce(spec.name, signal)
    if (!place) {
      // Once a process: an old one would refuse things in words that do not say why.
      await this.#supported()
      const { isNew, ...created } = await this.#places.create(spec)
      const ids = [...change.put.map(({ id }) => id), ...change.remove]
      if (isNew) this.#known.sawDocuments(spec.name, ids, [])
      return this.#known.saw(created)
    }
    const { filterable } = place.metadata
    const isNew = spec.filterable.filter((field) => !filterable.includes(field))
    if (isNew.length > 0)
      await createIndexes(this.#connection, place.collection, indexesFor({ ...spec, filterable: isNew }))
    if (JSON.stringify(filterable) !== JSON.stringify(spec.filterable))
      change.noted.filterable = [...spec.filterable]
    return place
  }

  async #searchPlace(place: Whereabouts, request: SearchRequest, signal?: AbortSignal): Promise<PlaceAnswer> {
    const { text, titled, filter, limit, details = false } = request
    const vector = request.vector && unitVector(request.vector, request.vector.length)
    const asked = { text, titled, filter, vector, details, candidates: candidatesFor(limit) }
    try {
      return await this.#limits.within(
        place.collection,
        (limits) => new PlaceSearch(this.#connection, place, asked, { limits, signal }).run(),
        { signal },
      )
    } catch (error) {
      if (!(error instanceof QdrantRefusal) || (error.status !== 404 && error.status !== 400))
        throw this.#connection.told(error)
      // It is not there, or something else than it was taken for: its own description decides which.
      const found = await this.#look(place.name, signal)
      if (!found || isOtherEmbedder(found, request)) return { metadata: found?.metadata, evidence: [] }
      checkRequest(found, request)
      throw this.#connection.told(error)
    }
  }
}

function checkRequest({ metadata }: CollectionPlace, request: SearchRequest): void {
  checkFilter(request.filter ?? {}, metadata.filterable)
  const isAnothers = request.embedderId !== undefined && request.embedderId !== metadata.embedder_id
  if (request.vector && !isAnothers && request.vector.length !== metadata.dimensions)
    unitVector(request.vector, metadata.dimensions)
}

/** Vectors of two models say nothing to each other. */
function isOtherEmbedder({ metadata }: CollectionPlace, { embedderId, vector }: SearchRequest): boolean {
  return vector !== undefined && embedderId !== undefined && embedderId !== metadata.embedder_id
}
