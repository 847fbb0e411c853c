import { RalphError } from '../errors.ts'

/** Checked and of unit length, so that a dot product is the cosine. A vector of zeros (of an empty text) stays one. */
export function unitVector(vector: Float32Array, dimensions: number): Float32Array {
  if (vector.length !== dimensions) {
    throw new RalphError(
      'invalid_input',
      `the collection holds vectors of ${dimensions} dimensions, not of ${vector.length}`,
    )
  }
  let sum = 0
  for (const component of vector) sum += component * component
  if (!Number.isFinite(sum)) {
    throw new RalphError('invalid_input', 'a vector with components that are not numbers')
  }
  const length = Math.sqrt(sum)
  return length === 0 ? vector : vector.map((component) => component / length)
}

/** Of unit vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}

/** A vector as it was stored; undefined when its bytes cannot be one any more. */
export function storedVector(bytes: Uint8Array | undefined, dimensions: number): Float32Array | undefined {
  if (bytes?.byteLength !== dimensions * 4) return undefined
  // Blobs come in buffers of their own, so they are aligned; a copy costs little where one is not.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const vector = new Float32Array(aligned.buffer, aligned.byteOffset, dimensions)
  const length = cosine(vector, vector)
  return length === 0 || Math.abs(length - 1) < 0.01 ? vector : undefined
}
