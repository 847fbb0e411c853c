import type { CollectionSpec, IndexDocument, Payload } from '../../src/search-index/search-index.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'

export const DIMENSIONS = 16

export const id = (name: string) => deterministicUuid('test', name)

export function spec(name: string, overrides: Partial<CollectionSpec> = {}): CollectionSpec {
  return {
    name,
    embedderId: 'test-embedder',
    dimensions: DIMENSIONS,
    filterable: ['kind', 'number', 'created', 'files', 'flag'],
    ...overrides,
  }
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
