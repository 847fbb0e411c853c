import type { Schemas } from '@qdrant/js-client-rest'
import { sha256 } from '../../text/ids.ts'
import { z } from '../../text/schema.ts'
import type { CollectionSpec } from '../search-index.ts'
import type { CallOptions, QdrantConnection } from './connection.ts'
import {
  createCollection,
  createIndexes,
  describeCollection,
  documentCollection,
  indexesFor,
  putOnceThere,
  TENANT,
} from './making.ts'
import { madeByNewer, metadataId, OURS, readMetadata } from './metadata.ts'
import type { CollectionPlace, CollectionPlaces, CreatedPlace, Whereabouts } from './places.ts'
import { pathOf, readDescriptions, retrieve, type StoredPoint } from './reading.ts'

const PLACE = 'place'
const Entry = z.object({ kind: z.literal(PLACE), name: z.string(), collection: z.string() })
/** As the first layout had them. */
const OlderEntry = z.object({ name: z.string(), embedder_id: z.string(), dimensions: z.int() })

/** One of Qdrant's collections for all of ours that share an embedder, kept apart by a tenant key. */
export class SharedCollections implements CollectionPlaces {
  static readonly DIRECTORY = 'ralph-tenants'
  readonly #connection: QdrantConnection
  readonly #places = new Map<string, Whereabouts>()
  /** Fields that are known to have an index, by collection. */
  readonly #indexed = new Set<string>()

  constructor(connection: QdrantConnection) {
    this.#connection = connection
  }

  guess(name: string): Whereabouts | undefined {
    return this.#places.get(name)
  }

  /** The directory says where; that it is there, the collection itself: without it there is nothing to be found. */
  async find(name: string, options?: CallOptions): Promise<CollectionPlace | undefined> {
    this.#places.delete(name)
    const entries = await retrieve(this.#connection, SharedCollections.DIRECTORY, [metadataId(name)], options)
    const place = entries?.[0] && placeIn(entries[0])
    const [metadata] =
      (place && (await readDescriptions(this.#connection, place.collection, [name], options))) ?? []
    if (metadata === 'newer') throw madeByNewer(name)
    if (!place || typeof metadata !== 'object') return undefined
    this.#places.set(name, place)
    return { ...place, metadata }
  }

  async all(prefix: string, options?: CallOptions): Promise<CollectionPlace[]> {
    const places = (await this.#directory(options)).filter(({ name }) => name.startsWith(prefix))
    const found = await Promise.all(
      Object.entries(Object.groupBy(places, ({ collection }) => collection)).map(
        async ([collection, some]) => {
          const names = some!.map(({ name }) => name)
          const metadata = await readDescriptions(this.#connection, collection, names, options)
          return some!.flatMap((place, at): CollectionPlace[] => {
            const one = metadata?.[at]
            return typeof one === 'object' ? [{ ...place, metadata: one }] : []
          })
        },
      ),
    )
    return found.flat()
  }

  async create(spec: CollectionSpec): Promise<CreatedPlace> {
    const connection = this.#connection
    const collection = sharedName(spec.embedderId, spec.dimensions)
    const place = { name: spec.name, collection, tenant: spec.name }
    if (await this.#isOlder(spec.name)) await this.drop(spec.name)
    const isFirst = await createCollection(connection, collection, documentCollection(spec.dimensions))
    const wanted = [TENANT, ...indexesFor(spec)].filter(
      ([field]) => !this.#indexed.has(`${collection}/${field}`),
    )
    await createIndexes(connection, collection, wanted)
    for (const [field] of wanted) this.#indexed.add(`${collection}/${field}`)
    const described = await describeCollection(connection, collection, spec, { isFirst })
    await createCollection(connection, SharedCollections.DIRECTORY, { vectors: {} })
    const entry = { id: metadataId(spec.name), vector: {}, payload: { [OURS]: { kind: PLACE, ...place } } }
    await putOnceThere(connection, SharedCollections.DIRECTORY, [entry], 'upsert')
    this.#places.set(spec.name, place)
    return { ...place, ...described }
  }

  async drop(name: string): Promise<void> {
    this.#places.delete(name)
    const points = [metadataId(name)]
    const entries = await retrieve(this.#connection, SharedCollections.DIRECTORY, points)
    const place = entries?.[0] && placeIn(entries[0])
    if (place) {
      const filter = { must: [{ key: `${OURS}.tenant`, match: { value: name } }] }
      await this.#remove(place.collection, { points })
      await this.#remove(place.collection, { filter })
    }
    await this.#remove(SharedCollections.DIRECTORY, { points })
  }

  async dropAll(): Promise<void> {
    for (const { name } of await this.#directory()) await this.drop(name)
  }

  /** Its documents would be found beside the new ones. */
  async #isOlder(name: string): Promise<boolean> {
    const entries = await retrieve(this.#connection, SharedCollections.DIRECTORY, [metadataId(name)])
    return entries?.[0] !== undefined && readMetadata(entries[0].payload) === 'older'
  }

  async #remove(collection: string, selection: Schemas['PointsSelector']): Promise<void> {
    const path = `${pathOf(collection)}/points/delete?wait=true`
    await this.#connection.find({ method: 'POST', path, body: selection }, { kind: 'write' })
  }

  async #directory(options?: CallOptions): Promise<Whereabouts[]> {
    const places: Whereabouts[] = []
    for (let offset: string | number | undefined; ; ) {
      const body = { limit: 1_000, with_payload: true, ...(offset !== undefined && { offset }) }
      const path = `${pathOf(SharedCollections.DIRECTORY)}/points/scroll`
      const page = await this.#connection.find<Schemas['ScrollResult']>(
        { method: 'POST', path, body },
        options,
      )
      for (const point of page?.points ?? [])
        places.push(...[placeIn(point)].filter((one) => one !== undefined))
      const next = page?.next_page_offset
      if (typeof next !== 'string' && typeof next !== 'number') return places
      offset = next
    }
  }
}

function sharedName(embedderId: string, dimensions: number): string {
  return `ralph-${dimensions}-${sha256(embedderId).slice(0, 8)}`
}

function placeIn({ payload }: StoredPoint): Whereabouts | undefined {
  const ours = payload?.[OURS]
  const entry = Entry.safeParse(ours).data
  if (entry) return { name: entry.name, collection: entry.collection, tenant: entry.name }
  const older = OlderEntry.safeParse(ours).data
  return (
    older && {
      name: older.name,
      collection: sharedName(older.embedder_id, older.dimensions),
      tenant: older.name,
    }
  )
}
