import { setTimeout as sleep } from 'node:timers/promises'
import type { Schemas } from '@qdrant/js-client-rest'
import type { CollectionSpec, FieldType } from '../search-index.ts'
import type { QdrantConnection } from './connection.ts'
import { MEANING, type Metadata, metadataPoint, newMetadata, OURS, WORDS_VECTOR } from './metadata.ts'
import { isConflict, isNotReady } from './qdrant-error.ts'
import { pathOf, readDescriptions } from './reading.ts'
import { ANCHOR } from './word-statistics.ts'

type FieldIndex = readonly [field: string, schema: Schemas['PayloadFieldSchema']]

/** Whoever is making the same collection has so long; then they are taken for dead, which does no harm if they are not. */
export const MADE_WITHIN_MS = 2_000
const LOOK_EVERY_MS = 50

const INDEXES: Record<FieldType, Schemas['PayloadFieldSchema']> = {
  text: { type: 'keyword', on_disk: true },
  number: { type: 'float', on_disk: true },
  time: { type: 'datetime', on_disk: true },
  flag: { type: 'bool' },
}
const KIND: FieldIndex = [`${OURS}.kind`, INDEXES.text]
export const TENANT: FieldIndex = [`${OURS}.tenant`, { type: 'keyword', on_disk: true, is_tenant: true }]

/** Strict mode refuses to filter by what has no index, so each is made before there is anything to filter. */
export function indexesFor({ filterable, types = {} }: CollectionSpec): FieldIndex[] {
  return [KIND, ...filterable.map((field): FieldIndex => [field, INDEXES[types[field] ?? 'text']])]
}

/** False when somebody else has made it. */
export async function createCollection(
  connection: QdrantConnection,
  collection: string,
  body: Schemas['CreateCollection'],
): Promise<boolean> {
  try {
    await connection.attempt({ method: 'PUT', path: pathOf(collection), body }, { kind: 'write' })
    return true
  } catch (error) {
    if (isConflict(error)) return false
    throw connection.told(error)
  }
}

export function documentCollection(size: number): Schemas['CreateCollection'] {
  const hnsw_config = { m: 64, ef_construct: 512, on_disk: true }
  return {
    vectors: { [MEANING]: { size, distance: 'Cosine', on_disk: true, hnsw_config } },
    sparse_vectors: { [WORDS_VECTOR]: { modifier: 'idf', index: { on_disk: true } } },
    on_disk_payload: true,
  }
}

export async function createIndexes(
  connection: QdrantConnection,
  collection: string,
  indexes: readonly FieldIndex[],
): Promise<void> {
  const create = ([field_name, field_schema]: FieldIndex) => {
    const path = `${pathOf(collection)}/index?wait=true`
    return onceThere(connection, () =>
      connection.attempt({ method: 'PUT', path, body: { field_name, field_schema } }, { kind: 'write' }),
    )
  }
  await Promise.all(indexes.map(create))
}

/**
 * Last of all: whoever finds it finds the collection whole. Of two who come at once the first one's stands, for both: what is
 * noted later is noted in that. The anchor is for the first one who comes to put there.
 */
export async function describeCollection(
  connection: QdrantConnection,
  collection: string,
  spec: CollectionSpec,
  { isFirst = true, isAlone = false } = {},
): Promise<{ metadata: Metadata; isNew: boolean }> {
  const metadata = newMetadata(spec)
  const points = [metadataPoint(metadata), ...(isFirst ? [ANCHOR] : [])]
  await putOnceThere(connection, collection, points, 'insert_only')
  if (isAlone) return { metadata, isNew: true }
  // Qdrant takes what is written into a collection before it shows it.
  const standing = await madeByOthers(
    async () => (await readDescriptions(connection, collection, [spec.name]))?.[0],
  )
  if (typeof standing === 'object')
    return { metadata: standing, isNew: standing.generation === metadata.generation }
  // Left behind by another version.
  await putOnceThere(connection, collection, points, 'upsert')
  return { metadata, isNew: false }
}

/** Also while the collection is still being made by somebody else. Servers before 1.17 take any mode for `upsert`. */
export async function putOnceThere(
  connection: QdrantConnection,
  collection: string,
  points: readonly Schemas['PointStruct'][],
  update_mode: Schemas['UpdateMode'],
): Promise<void> {
  const path = `${pathOf(collection)}/points?wait=true`
  await onceThere(connection, () =>
    connection.attempt({ method: 'PUT', path, body: { points, update_mode } }, { kind: 'write' }),
  )
}

/** What somebody else is making at the moment, once it is there; undefined when they seem to have died over it. */
export async function madeByOthers<Found>(
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const until = performance.now() + MADE_WITHIN_MS; performance.now() < until; ) {
    const found = await find()
    if (found !== undefined) return found
    await sleep(LOOK_EVERY_MS)
  }
  return undefined
}

/** Qdrant says of a collection that is being made that there is one already, and that there is none yet. */
async function onceThere<Result>(connection: QdrantConnection, work: () => Promise<Result>): Promise<Result> {
  for (const until = performance.now() + MADE_WITHIN_MS; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!isNotReady(error) || performance.now() > until) throw connection.told(error)
      await sleep(LOOK_EVERY_MS)
    }
  }
}
