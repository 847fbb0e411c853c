import type { Schemas } from '@qdrant/js-client-rest'
import { RalphError } from '../../errors.ts'
import { shownUrl } from '../../text/shown-url.ts'
import type { CollectionChange, IndexDocument } from '../search-index.ts'
import type { QdrantConnection } from './connection.ts'
import { MEANING, type Metadata, metadataFilter, OURS, WORDS_VECTOR } from './metadata.ts'
import { type CollectionPlace, pointId } from './places.ts'
import { toPoint } from './points.ts'
import { LARGEST_REQUEST_BYTES, megabytes } from './qdrant-error.ts'
import { pathOf } from './reading.ts'
import type { Limits } from './strict-mode.ts'

/** As JSON: a number of a vector, and a word with its weight, at most. */
const NUMBER_BYTES = 24
const WORD_BYTES = 36
const BYTES_PER_REQUEST = LARGEST_REQUEST_BYTES / 2
/** What surrounds a point in a request. */
const ENVELOPE_BYTES = 1_000

/** What of the description changes along with the documents. */
export type NotedChange = Partial<Pick<Metadata, 'state' | 'documents' | 'filterable'>>

export interface PlaceChange {
  put: readonly IndexDocument[]
  remove: readonly string[]
  noted: NotedChange
  more: boolean
}

export function placeChange({ put = [], remove = [], state, more = false }: CollectionChange): PlaceChange {
  // As text: Qdrant takes a null for "no value".
  return { put, remove, more, noted: state === undefined ? {} : { state: JSON.stringify(state) } }
}

/** Points of a change, checked before the first is sent: all of them can be taken. */
export function pointsOf(
  { url }: QdrantConnection,
  place: CollectionPlace,
  documents: readonly IndexDocument[],
  typicalLength?: number,
): { point: Schemas['PointStruct']; bytes: number }[] {
  const latest = new Map(documents.map((document) => [document.id, document]))
  return Array.from(latest.values(), (document) => {
    const point = toPoint(place, document, typicalLength)
    const bytes = bytesOf(point)
    if (bytes + ENVELOPE_BYTES > LARGEST_REQUEST_BYTES) throw tooLargeDocument(document, bytes, url)
    return { point, bytes }
  })
}

/** A little more than it will be: writing down each vector twice would take longer than sending it. */
function bytesOf({ vector, payload }: Schemas['PointStruct']): number {
  const { [MEANING]: meaning, [WORDS_VECTOR]: words } = vector as { [name: string]: unknown }
  const dimensions = Array.isArray(meaning) ? meaning.length : 0
  const terms = words instanceof Object && 'indices' in words ? (words.indices as number[]).length : 0
  return dimensions * NUMBER_BYTES + terms * WORD_BYTES + Buffer.byteLength(JSON.stringify(payload))
}

/**
 * Everything in as few requests as Qdrant takes, in this order: documents, what goes, what is noted. Only the last one is
 * waited for: it is done when all before it are.
 */
export async function writeChange(
  connection: QdrantConnection,
  place: CollectionPlace,
  change: PlaceChange & { points: ReturnType<typeof pointsOf> },
  { limits, signal }: { limits: Limits; signal: AbortSignal | undefined },
): Promise<void> {
  const path = `${pathOf(place.collection)}/points/batch`
  const requests = requestsFor(place, change, limits)
  for (const [at, operations] of requests.entries()) {
    const wait = !change.more && at === requests.length - 1
    await connection.attempt(
      { method: 'POST', path: `${path}?wait=${wait}`, body: { operations } },
      { kind: 'write', signal, waits: limits.waits },
    )
  }
}

type Operation = Schemas['UpdateOperation']

function requestsFor(
  place: CollectionPlace,
  { points, remove, noted }: PlaceChange & { points: ReturnType<typeof pointsOf> },
  limits: Limits,
): Operation[][] {
  const upserts = Array.from(
    slicesOf(points, limits.points),
    (some): Operation => ({ upsert: { points: some } }),
  )
  const gone = remove.map((id) => pointId(place, id))
  const size = Math.min(gone.length, limits.writeTokens)
  const deletes = Array.from(
    { length: gone.length === 0 ? 0 : Math.ceil(gone.length / size) },
    (_, at): Operation => ({
      delete: { points: gone.slice(at * size, (at + 1) * size) },
    }),
  )
  const notes: Operation[] =
    Object.keys(noted).length > 0 ? [{ set_payload: noting(place.metadata, noted) }] : []
  const all = [...upserts, ...deletes, ...notes]
  // Where writing is limited, what was let through of a request would be paid for again with the rest of it.
  if (limits.writeTokens < Infinity) return all.map((operation) => [operation])
  const last = [...upserts.slice(-1), ...deletes, ...notes]
  return [...upserts.slice(0, -1).map((operation) => [operation]), ...(last.length > 0 ? [last] : [])]
}

/** Not in a collection that was made anew meanwhile: of that one it would not be true. */
function noting(metadata: Metadata, payload: NotedChange): Schemas['SetPayload'] {
  return { payload, key: OURS, filter: metadataFilter(metadata) }
}

/** Requests that Qdrant takes, each as large as possible. */
function* slicesOf(points: ReturnType<typeof pointsOf>, most: number): Generator<Schemas['PointStruct'][]> {
  let slice: Schemas['PointStruct'][] = []
  let size = 0
  for (const { point, bytes } of points) {
    if (slice.length > 0 && (size + bytes > BYTES_PER_REQUEST || slice.length >= most)) {
      yield slice
      slice = []
      size = 0
    }
    slice.push(point)
    size += bytes
  }
  if (slice.length > 0) yield slice
}

function tooLargeDocument({ id }: IndexDocument, bytes: number, url: string): RalphError {
  return new RalphError(
    'limit_reached',
    `a document of ${megabytes(bytes)} (${id}) is more than Qdrant at ${shownUrl(url)} takes in one request (${megabytes(LARGEST_REQUEST_BYTES)})`,
    { hint: 'Shorten what it was made from, or keep the index in SQLite: index.driver sqlite' },
  )
}
