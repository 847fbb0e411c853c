import { z } from 'zod'
import { RalphError } from '../../errors.ts'
import { deterministicUuid, sha256 } from '../../text/ids.ts'
import type { CollectionSpec } from '../search-index.ts'
import { hash32 } from '../terms.ts'
import type { QdrantConnection } from './connection.ts'
import { isConflict } from './qdrant-error.ts'

/** Our own part of a payload; the rest of it belongs to the caller. */
export const OURS = '_ralph'
export const MEANING = 'meaning'
export const WORDS_VECTOR = 'words'

const Metadata = z.object({
  kind: z.literal('metadata'),
  version: z.literal(1, { error: 'is of another version' }),
  name: z.string(),
  embedder_id: z.string(),
  dimensions: z.int().positive(),
  filterable: z.array(z.string()),
  state: z.string().optional(),
})
export type Metadata = z.infer<typeof Metadata>

/** Where a collection of ours lives. */
export interface CollectionPlace {
  metadata: Metadata
  /** Qdrant's collection with the documents. */
  collection: string
  /** Set when several of ours share Qdrant's collection. */
  tenant: string | undefined
  /** Qdrant's collection with the metadata point. */
  directory: string
}

/** Two ways of laying out our collections in Qdrant's. */
export interface CollectionPlaces {
  find(name: string): Promise<CollectionPlace | undefined>
  all(): Promise<CollectionPlace[]>
  create(spec: CollectionSpec): Promise<CollectionPlace>
  drop(place: CollectionPlace): Promise<void>
}

export function metadataId(name: string): string {
  return deterministicUuid('metadata', name)
}

/** Ids are unique in a collection of ours; in a shared one each tenant has its own. */
export function pointId({ tenant }: CollectionPlace, id: string): string {
  return tenant === undefined ? id : deterministicUuid(tenant, id)
}

/** The dimension of a term. Tenants have dimensions of their own, so that the IDF is theirs too. */
export function dimensionOf({ tenant }: CollectionPlace, hash: number): number {
  return tenant === undefined ? hash : hash32(`${tenant}\n${hash}`)
}

/** One of Qdrant's collections for each of ours, under the same name, with a point that describes it. */
export class OwnCollections implements CollectionPlaces {
  readonly #connection: QdrantConnection

  constructor(connection: QdrantConnection) {
    this.#connection = connection
  }

  async find(name: string): Promise<CollectionPlace | undefined> {
    const metadata = await readMetadata(this.#connection, name, name)
    if (metadata === 'no collection') return undefined
    if (metadata === 'no metadata') return this.#refuseUnlessEmpty(name)
    return { metadata, collection: name, tenant: undefined, directory: name }
  }

  async all(): Promise<CollectionPlace[]> {
    const { collections } = await this.#connection.call((client) => client.getCollections())
    const places: CollectionPlace[] = []
    for (const { name } of collections) {
      const metadata = await readMetadata(this.#connection, name, name)
      // What others keep in the same Qdrant is none of our business.
      if (typeof metadata === 'object') {
        places.push({ metadata, collection: name, tenant: undefined, directory: name })
      }
    }
    return places
  }

  async create(spec: CollectionSpec): Promise<CollectionPlace> {
    await createCollection(this.#connection, spec.name, spec.dimensions, false)
    const metadata = metadataOf(spec)
    await writeMetadata(this.#connection, spec.name, metadata)
    return { metadata, collection: spec.name, tenant: undefined, directory: spec.name }
  }

  async drop({ collection }: CollectionPlace): Promise<void> {
    await this.#connection.call((client) => client.deleteCollection(collection), { ifMissing: () => false })
  }

  /** Empty and without description: a crash came between the two; anything else is not ours. */
  async #refuseUnlessEmpty(name: string): Promise<undefined> {
    const { count } = await this.#connection.call((client) => client.count(name, { exact: true }))
    if (count === 0) return undefined
    throw new RalphError('conflict', `Qdrant's collection "${name}" was not made by ralph`, {
      hint: `Rename or remove it, or give ralph a Qdrant of its own (index.url).`,
    })
  }
}

/** One of Qdrant's collections for all of ours that share an embedder, kept apart by a tenant key. */
export class SharedCollections implements CollectionPlaces {
  static readonly DIRECTORY = 'ralph-tenants'
  readonly #connection: QdrantConnection

  constructor(connection: QdrantConnection) {
    this.#connection = connection
  }

  async find(name: string): Promise<CollectionPlace | undefined> {
    const metadata = await readMetadata(this.#connection, SharedCollections.DIRECTORY, name)
    return typeof metadata === 'object' ? this.#place(metadata) : undefined
  }

  async all(): Promise<CollectionPlace[]> {
    const places: CollectionPlace[] = []
    for (let offset: string | number | undefined; ; ) {
      const page = await this.#connection.call(
        (client) =>
          client.scroll(SharedCollections.DIRECTORY, {
            limit: 1_000,
            ...(offset !== undefined && { offset }),
          }),
        { ifMissing: () => ({ points: [] }) },
      )
      for (const { payload } of page.points) places.push(this.#place(parseMetadata(payload?.[OURS])))
      const next = page.next_page_offset
      if (typeof next !== 'string' && typeof next !== 'number') return places
      offset = next
    }
  }

  async create(spec: CollectionSpec): Promise<CollectionPlace> {
    const metadata = metadataOf(spec)
    const place = this.#place(metadata)
    await createCollection(this.#connection, place.collection, spec.dimensions, true)
    await createDirectory(this.#connection, SharedCollections.DIRECTORY)
    await writeMetadata(this.#connection, SharedCollections.DIRECTORY, metadata)
    return place
  }

  async drop({ collection, tenant, metadata }: CollectionPlace): Promise<void> {
    const filter = { must: [{ key: `${OURS}.tenant`, match: { value: tenant! } }] }
    await this.#connection.call((client) => client.delete(collection, { wait: true, filter }), {
      ifMissing: () => ({ status: 'completed' }),
    })
    const points = [metadataId(metadata.name)]
    await this.#connection.call((client) =>
      client.delete(SharedCollections.DIRECTORY, { wait: true, points }),
    )
  }

  #place(metadata: Metadata): CollectionPlace {
    const collection = `ralph-${metadata.dimensions}-${sha256(metadata.embedder_id).slice(0, 8)}`
    return { metadata, collection, tenant: metadata.name, directory: SharedCollections.DIRECTORY }
  }
}

export async function writeMetadata(
  connection: QdrantConnection,
  directory: string,
  metadata: Metadata,
): Promise<void> {
  const payload = { record_type: 'metadata', [OURS]: metadata }
  const points = [{ id: metadataId(metadata.name), vector: {}, payload }]
  await connection.call((client) => client.upsert(directory, { wait: true, points }))
}

async function readMetadata(
  connection: QdrantConnection,
  directory: string,
  name: string,
): Promise<Metadata | 'no collection' | 'no metadata'> {
  const ids = [metadataId(name)]
  const points = await connection.call(
    (client) => client.retrieve(directory, { ids, with_payload: [OURS], with_vector: false }),
    { ifMissing: () => undefined },
  )
  if (points === undefined) return 'no collection'
  return points[0] ? parseMetadata(points[0].payload?.[OURS]) : 'no metadata'
}

function parseMetadata(value: unknown): Metadata {
  const parsed = Metadata.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RalphError('unsupported_version', 'a collection in Qdrant was made by another version of ralph', {
    hint: 'Update ralph-memory, or build the index again: ralph memory rebuild',
    cause: parsed.error,
  })
}

function metadataOf({ name, embedderId, dimensions, filterable }: CollectionSpec): Metadata {
  return {
    kind: 'metadata',
    version: 1,
    name,
    embedder_id: embedderId,
    dimensions,
    filterable: [...filterable],
  }
}

async function createCollection(
  connection: QdrantConnection,
  name: string,
  size: number,
  shared: boolean,
): Promise<void> {
  await unlessThere(connection, (client) =>
    client.createCollection(name, {
      vectors: {
        [MEANING]: {
          size,
          distance: 'Cosine',
          on_disk: true,
          hnsw_config: { m: 64, ef_construct: 512, on_disk: true },
        },
      },
      sparse_vectors: { [WORDS_VECTOR]: { modifier: 'idf', index: { on_disk: true } } },
      on_disk_payload: true,
    }),
  )
  const keyword = { type: 'keyword' as const, on_disk: true }
  const index = (field_name: string, field_schema: typeof keyword & { is_tenant?: boolean }) =>
    connection.call((client) => client.createPayloadIndex(name, { wait: true, field_name, field_schema }))
  await index(`${OURS}.kind`, keyword)
  if (shared) await index(`${OURS}.tenant`, { ...keyword, is_tenant: true })
}

async function createDirectory(connection: QdrantConnection, name: string): Promise<void> {
  await unlessThere(connection, (client) => client.createCollection(name, { vectors: {} }))
}

async function unlessThere(
  connection: QdrantConnection,
  create: Parameters<QdrantConnection['call']>[0],
): Promise<void> {
  await connection.call((client) =>
    create(client).catch((error: unknown) => {
      if (!isConflict(error)) throw error
    }),
  )
}
