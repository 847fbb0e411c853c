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
