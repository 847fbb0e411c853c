import { randomBytes } from 'node:crypto'
import type { Schemas } from '@qdrant/js-client-rest'
import { RalphError } from '../../errors.ts'
import { deterministicUuid } from '../../text/ids.ts'
import { z } from '../../text/schema.ts'
import type { CollectionSpec, FoundCollection, Json } from '../search-index.ts'

/** Our own part of a payload; the rest of it belongs to the caller. */
export const OURS = '_ralph'
/** A document's detail, as base64: read only where it is wanted. */
export const DETAIL = '_ralph_detail'
export const MEANING = 'meaning'
export const WORDS_VECTOR = 'words'
/** Raise when the layout changes: what an older version has laid out is built again. */
const VERSION = 2

const Metadata = z.object({
  kind: z.string(),
  version: z.literal(VERSION),
  /** Which making of the collection this is: what was begun in an earlier one is not noted in a later one. */
  generation: z.string(),
  name: z.string(),
  embedder_id: z.string(),
  dimensions: z.int().check(z.positive()),
  filterable: z.array(z.string()),
  /** As of the last change: for word statistics, which need not be exact to the last document. */
  documents: z.int(),
  state: z.optional(z.string()),
})
export type Metadata = z.infer<typeof Metadata>

/** What a collection says of itself; `older` is ours and of no use any more. */
export type FoundMetadata = Metadata | 'older' | 'newer' | undefined

export function metadataId(name: string): string {
  return deterministicUuid('metadata', name)
}

export function newMetadata({ name, embedderId, dimensions, filterable }: CollectionSpec): Metadata {
  const generation = randomBytes(6).toString('hex')
  return {
    kind: kindOf(generation),
    version: VERSION,
    generation,
    name,
    embedder_id: embedderId,
    dimensions,
    filterable: [...filterable],
    documents: 0,
  }
}

export function metadataPoint(metadata: Metadata): Schemas['PointStruct'] {
  return { id: metadataId(metadata.name), vector: {}, payload: { record_type: 'metadata', [OURS]: metadata } }
}

/** The metadata of this very making of a collection; matched by a field that is indexed, which strict mode wants. */
export function metadataFilter({ name, generation }: Metadata): Schemas['Filter'] {
  return {
    must: [{ has_id: [metadataId(name)] }, { key: `${OURS}.kind`, match: { value: kindOf(generation) } }],
  }
}

export function readMetadata(payload: unknown): FoundMetadata {
  const ours = payload instanceof Object && OURS in payload ? payload[OURS] : undefined
  const known = z
    .object({ kind: z.string().check(z.startsWith('metadata')), version: z.number() })
    .safeParse(ours)
  if (!known.success) return undefined
  if (known.data.version > VERSION) return 'newer'
  return Metadata.safeParse(ours).data ?? 'older'
}

export function infoOf({ name, embedder_id, dimensions, filterable, state }: Metadata): FoundCollection {
  return {
    name,
    embedderId: embedder_id,
    dimensions,
    filterable,
    // As text: Qdrant takes a null for "no value".
    ...(state !== undefined && { state: JSON.parse(state) as Json }),
  }
}

export function madeByNewer(name: string): RalphError {
  return new RalphError('unsupported_version', `Qdrant's collection "${name}" was made by a newer ralph`, {
    hint: 'Update ralph-memory, or build it again with this one: ralph memory rebuild',
  })
}

function kindOf(generation: string): string {
  return `metadata ${generation}`
}
