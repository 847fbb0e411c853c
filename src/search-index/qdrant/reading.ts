import type { Schemas } from '@qdrant/js-client-rest'
import type { CallOptions, QdrantConnection } from './connection.ts'
import { type FoundMetadata, metadataId, OURS, readMetadata } from './metadata.ts'
import { isMissing } from './qdrant-error.ts'

export interface StoredPoint {
  id: string | number
  payload?: Record<string, unknown> | null
  vector?: unknown
}

/** Qdrant takes more at once; answers of that size are long enough. */
const IDS_PER_REQUEST = 1_000

export function pathOf(collection: string): string {
  return `/collections/${encodeURIComponent(collection)}`
}

export async function collectionNames(
  connection: QdrantConnection,
  options?: CallOptions,
): Promise<string[]> {
  const { collections } = await connection.call<Schemas['CollectionsResponse']>(
    { method: 'GET', path: '/collections' },
    options,
  )
  return collections.map(({ name }) => name)
}

interface Wanted {
  with_vector?: false | string[]
  with_payload?: Schemas['WithPayloadInterface']
}

/** Undefined when there is no such collection. */
export async function retrieve(
  connection: QdrantConnection,
  collection: string,
  ids: readonly string[],
  options: CallOptions & Wanted = {},
): Promise<StoredPoint[] | undefined> {
  try {
    return await retrievePages(connection, collection, ids, options)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw connection.told(error)
  }
}

/** At most so many at once, with refusals as they come. */
export async function retrievePages(
  connection: QdrantConnection,
  collection: string,
  ids: readonly string[],
  options: CallOptions & Wanted & { most?: number } = {},
): Promise<StoredPoint[]> {
  const { with_vector = false, with_payload = true, most = Infinity, ...call } = options
  const size = Math.max(1, Math.min(most, IDS_PER_REQUEST))
  const found: StoredPoint[] = []
  for (let at = 0; at < ids.length; at += size) {
    const body = { ids: ids.slice(at, at + size), with_payload, with_vector }
    const path = `${pathOf(collection)}/points`
    found.push(...(await connection.attempt<StoredPoint[]>({ method: 'POST', path, body }, call)))
  }
  return found
}

/** What describes each of our collections in one of Qdrant's; undefined when that is not there. */
export async function readDescriptions(
  connection: QdrantConnection,
  collection: string,
  names: readonly string[],
  options: CallOptions = {},
): Promise<FoundMetadata[] | undefined> {
  const points = await retrieve(connection, collection, names.map(metadataId), {
    ...options,
    with_payload: [OURS],
  })
  const found = points && new Map(points.map(({ id, payload }) => [String(id), readMetadata(payload)]))
  return found && names.map((name) => found.get(metadataId(name)))
}

/** 0 where there is nothing. */
export async function countPoints(
  connection: QdrantConnection,
  collection: string,
  {
    filter,
    exact = false,
    ...options
  }: CallOptions & { filter?: Schemas['Filter'] | undefined; exact?: boolean } = {},
): Promise<number> {
  const body = { exact, ...(filter && { filter }) }
  const path = `${pathOf(collection)}/points/count`
  const counted = await connection.find<Schemas['CountResult']>({ method: 'POST', path, body }, options)
  return counted?.count ?? 0
}
