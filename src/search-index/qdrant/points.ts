import type { Schemas } from '@qdrant/js-client-rest'
import { z } from 'zod'
import { RalphError } from '../../errors.ts'
import type { IndexDocument, Payload, StoredDocument } from '../search-index.ts'
import { documentTerms, weightOf } from '../terms.ts'
import { unitVector } from '../vectors.ts'
import { type CollectionPlace, dimensionOf, MEANING, OURS, pointId, WORDS_VECTOR } from './places.ts'

const Ours = z.object({
  kind: z.literal('document'),
  id: z.string(),
  text_hash: z.string(),
  has_vector: z.boolean(),
})

export interface StoredPoint {
  id: string | number
  payload?: Record<string, unknown> | { [key: string]: unknown } | null
  vector?: unknown
}

export function toPoint(place: CollectionPlace, document: IndexDocument): Schemas['PointStruct'] {
  const { id, text, textHash, vector, payload } = document
  const unit = vector && unitVector(vector, place.metadata.dimensions)
  const words = sparseVector(place, text)
  const ours = { kind: 'document', id, text_hash: textHash, has_vector: vector !== undefined }
  return {
    id: pointId(place, id),
    vector: { ...(unit && { [MEANING]: Array.from(unit) }), ...(words && { [WORDS_VECTOR]: words }) },
    payload: { ...payload, [OURS]: { ...ours, ...(place.tenant !== undefined && { tenant: place.tenant }) } },
  }
}

function sparseVector(place: CollectionPlace, text: string): Schemas['SparseVector'] | undefined {
  const { hashes, weights } = documentTerms(text)
  if (hashes.length === 0) return undefined
  // By dimension: in a shared collection two terms of a text may, once in a blue moon, fall together.
  const values = new Map(Array.from(hashes, (hash, at) => [dimensionOf(place, hash), weightOf(weights[at]!)]))
  return { indices: [...values.keys()], values: [...values.values()] }
}

export function readPoint(place: CollectionPlace, point: Omit<StoredPoint, 'id'>): StoredDocument {
  const { [OURS]: ours, ...payload } = point.payload ?? {}
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
  }
}

/** The dense vector, where it was asked for. */
function meaningOf(vectors: unknown): Float32Array | undefined {
  const vector = vectors instanceof Object && MEANING in vectors ? vectors[MEANING] : undefined
  return Array.isArray(vector) ? Float32Array.from(vector) : undefined
}
