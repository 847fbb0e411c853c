import type { Filter } from '../../src/search-index/query.ts'
import type {
  CollectionSpec,
  IndexDocument,
  Payload,
  SearchIndex,
} from '../../src/search-index/search-index.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'

export const DIMENSIONS = 16

export const id = (name: string) => deterministicUuid('test', name)

export function spec(name: string, overrides: Partial<CollectionSpec> = {}): CollectionSpec {
  return {
    name,
    embedderId: 'test-embedder',
    dimensions: DIMENSIONS,
    filterable: ['kind', 'number', 'created', 'files', 'flag'],
    types: { number: 'number', created: 'time', flag: 'flag' },
    ...overrides,
  }
}

/** As it is listed. */
export function listed(name: string): Omit<CollectionSpec, 'types'> {
  const { types: _, ...info } = spec(name)
  return info
}

/** A vector that points mostly along one axis: equal axes are alike, different ones are not. */
export function along(axis: number, jitter = 0): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, (_, at) => 0.01 * Math.sin(at * 7 + jitter))
  vector[axis % DIMENSIONS]! += 1
  return vector
}

export function document(
  name: string,
  text: string,
  { axis, payload = {} }: { axis?: number; payload?: Payload } = {},
): IndexDocument {
  return {
    id: id(name),
    text,
    textHash: sha256(text),
    payload: { name, ...payload },
    ...(axis !== undefined && { vector: along(axis) }),
  }
}

export async function countOf(index: SearchIndex, collection: string): Promise<number> {
  const [found] = await index.collections([collection])
  return found?.documents ?? 0
}

/** How many of the documents with a word pass a filter. */
export async function countPassing(
  index: SearchIndex,
  collection: string,
  word: string,
  filter: Filter,
): Promise<number> {
  const found = await index.search(collection, { text: word, limit: 200_000, filter })
  return found.filter(({ bm25 }) => bm25 > 0).length
}
