import type { Schemas } from '@qdrant/js-client-rest'
import { RalphError } from '../../errors.ts'
import { z } from '../../text/schema.ts'
import type { IndexDocument, Payload, StoredDocument } from '../search-index.ts'
import { type DocumentTerms, documentTerms, hash32, weightOf } from '../terms.ts'
import { unitVector } from '../vectors.ts'
import { DETAIL, MEANING, OURS, WORDS_VECTOR } from './metadata.ts'
import { type CollectionPlace, dimensionOf, pointId, type Whereabouts } from './places.ts'
import type { StoredPoint } from './reading.ts'

/** Of documents without any word. */
const WORDLESS_DIMENSION = hash32('\0wordless')

const Ours = z.object({
  kind: z.literal('document'),
  id: z.string(),
  text_hash: z.string(),
  has_vector: z.boolean(),
})

export function toPoint(
  place: CollectionPlace,
  document: IndexDocument,
  typicalLength?: number,
): Schemas['PointStruct'] {
  const { id, textHash, vector, detail, payload } = document
  const unit = vector && unitVector(vector, place.metadata.dimensions)
  const words = sparseVector(place, documentTerms(document, typicalLength))
  const ours = { kind: 'document', id, text_hash: textHash, has_vector: vector !== undefined }
  return {
    id: pointId(place, id),
    vector: { ...(unit && { [MEANING]: numbersOf(unit) }), [WORDS_VECTOR]: words },
    payload: {
      ...payload,
      [OURS]: { ...ours, ...(place.tenant !== undefined && { tenant: place.tenant }) },
      ...(vector && detail && { [DETAIL]: Buffer.from(detail).toString('base64') }),
    },
  }
}

/** Written down with what a float holds of a unit vector: not half as long again, for a server that has to read it. */
export function numbersOf(unit: Float32Array): number[] {
  return Array.from(unit, (value) => Math.round(value * 1e9) / 1e9)
}

function sparseVector(place: Whereabouts, { hashes, weights }: DocumentTerms): Schemas['SparseVector'] {
  // Counted with the rest: what Qdrant counts beyond the documents was removed.
  if (hashes.length === 0) return { indices: [WORDLESS_DIMENSION], values: [1] }
  // By dimension: in a shared collection two terms of a text may, once in a blue moon, fall together.
  const values = new Map(Array.from(hashes, (hash, at) => [dimensionOf(place, hash), weightOf(weights[at]!)]))
  return { indices: [...values.keys()], values: [...values.values()] }
}

export function readPoint(place: Whereabouts, point: Omit<StoredPoint, 'id'>): StoredDocument {
  const { [OURS]: ours, [DETAIL]: detail, ...payload } = point.payload ?? {}
  const parsed = Ours.safeParse(ours)
  if (!parsed.success) {
    throw new RalphError(
      'damaged',
      `a document in Qdrant's collection "${place.collection}" was changed by others`,
      {
        hint: 'Build the index again: ralph memory rebuild',
        cause: parsed.error,
      },
    )
  }
  const { id, text_hash, has_vector } = parsed.data
  const vector = meaningOf(point.vector)
  return {
    id,
    payload: payload as Payload,
    textHash: text_hash,
    hasVector: has_vector,
    ...(vector && { vector }),
    ...(typeof detail === 'string' && { detail: new Uint8Array(Buffer.from(detail, 'base64')) }),
  }
}

/** What is read of a document, with its detail or without. */
export function payloadWanted(detail: boolean): Schemas['WithPayloadInterface'] {
  return detail || { exclude: [DETAIL] }
}

/** The dense vector, where it was asked for. */
function meaningOf(vectors: unknown): Float32Array | undefined {
  const vector = vectors instanceof Object && MEANING in vectors ? vectors[MEANING] : undefined
  return Array.isArray(vector) ? Float32Array.from(vector) : undefined
}

/** Not what describes the collection. */
export function isDocument({ payload }: StoredPoint): boolean {
  const ours = payload?.[OURS]
  const kind = ours instanceof Object && 'kind' in ours ? ours.kind : undefined
  return typeof kind !== 'string' || !NOT_A_DOCUMENT.test(kind)
}

const NOT_A_DOCUMENT = /^(metadata|anchor)/
