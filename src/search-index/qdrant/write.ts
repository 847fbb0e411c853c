import type { IndexDocument, Json } from '../search-index.ts'
import type { QdrantConnection } from './connection.ts'
import type { CollectionPlace } from './places.ts'
import { toPoint } from './points.ts'

/** Qdrant refuses requests above 32 MB; as JSON a point of 384 dimensions takes some 10 kB. */
const LARGEST_REQUEST_BYTES = 16_000_000

/** Writes documents, and the indexes that make filters on their fields quick. */
export class PointWriter {
  readonly #connection: QdrantConnection
  /** Payload indexes that are known to exist. */
  readonly #indexed = new Set<string>()

  constructor(connection: QdrantConnection) {
    this.#connection = connection
  }

  async write(
    place: CollectionPlace,
    documents: readonly IndexDocument[],
    signal?: AbortSignal,
  ): Promise<void> {
    const latest = new Map(documents.map((document) => [document.id, document]))
    // All are checked before the first is sent.
    const points = Array.from(latest.values(), (document) => toPoint(place, document))
    await this.#indexFields(place, documents)
    for (const slice of slices(points)) {
      await this.#connection.call(
        (client) => client.upsert(place.collection, { wait: true, points: slice }),
        {
          signal,
        },
      )
    }
  }

  forgetIndexes(): void {
    this.#indexed.clear()
  }

  /** Qdrant's payload indexes have a type, which the first value that comes along tells. */
  async #indexFields(
    { collection, metadata }: CollectionPlace,
    documents: readonly IndexDocument[],
  ): Promise<void> {
    for (const field_name of metadata.filterable) {
      const key = JSON.stringify([collection, field_name])
      const types = documents.map(({ payload }) => indexTypeOf(payload[field_name]))
      const type = this.#indexed.has(key) ? undefined : types.find((one) => one !== undefined)
      if (type === undefined) continue
      const field_schema = type === 'bool' ? { type } : { type, on_disk: true }
      await this.#connection.call((client) =>
        client.createPayloadIndex(collection, { wait: true, field_name, field_schema }),
      )
      this.#indexed.add(key)
    }
  }
}

/** Which of Qdrant's indexes serves filters on values like this one. */
function indexTypeOf(value: Json | undefined): 'keyword' | 'datetime' | 'float' | 'bool' | undefined {
  const one = Array.isArray(value) ? value[0] : value
  switch (typeof one) {
    case 'string':
      return /^\d{4}-\d\d-\d\dT/.test(one) ? 'datetime' : 'keyword'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    default:
      return undefined
  }
}

/** Requests that Qdrant takes, each as large as possible. */
function* slices<Point>(points: readonly Point[]): Generator<Point[]> {
  let slice: Point[] = []
  let bytes = 0
  for (const point of points) {
    const size = Buffer.byteLength(JSON.stringify(point))
    if (slice.length > 0 && bytes + size > LARGEST_REQUEST_BYTES) {
      yield slice
      slice = []
      bytes = 0
    }
    slice.push(point)
    bytes += size
  }
  if (slice.length > 0) yield slice
}
