/**
 * A vector as it is stored and compared: whole numbers of 16 bits, the greatest as far as they reach. A cosine differs by
 * some millionths from that of the floats, at half of their bytes. How long a step is follows from the numbers, so what is
 * read and stored again, or made again of the same text, is the same to the last bit.
 */
export interface RoundedVector {
  steps: Int16Array
  /** What 1 stands for, so that the whole is of unit length. */
  step: number
}

const MOST_STEPS = 32_767

/** Of a vector of unit length, or of zeros. */
export function packVector(vector: Float32Array): Uint8Array {
  let highest = 0
  for (let at = 0; at < vector.length; at++) highest = Math.max(highest, Math.abs(vector[at]!))
  const steps = new Int16Array(vector.length)
  const factor = highest === 0 ? 0 : MOST_STEPS / highest
  for (let at = 0; at < vector.length; at++) steps[at] = Math.round(vector[at]! * factor)
  return new Uint8Array(steps.buffer)
}

/** Undefined when the bytes cannot be one any more. */
export function unpackVector(bytes: Uint8Array | undefined, dimensions: number): RoundedVector | undefined {
  if (bytes?.byteLength !== dimensions * Int16Array.BYTES_PER_ELEMENT) return undefined
  // Blobs come in buffers of their own, so they are aligned; a copy costs little where one is not.
  const aligned = bytes.byteOffset % Int16Array.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice()
  const steps = new Int16Array(aligned.buffer, aligned.byteOffset, dimensions)
  let squares = 0
  for (let at = 0; at < dimensions; at++) squares += steps[at]! * steps[at]!
  return { steps, step: squares === 0 ? 0 : 1 / Math.sqrt(squares) }
}

export function asFloats({ steps, step }: RoundedVector): Float32Array {
  return Float32Array.from(steps, (one) => one * step)
}

/** The cosine with a vector of unit length. Four sums, since each addition would wait for the one before it. */
export function cosineWith({ steps, step }: RoundedVector, question: Float32Array): number {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const { length } = question
  const even = length - (length % 4)
  for (let at = 0; at < even; at += 4) {
    first += steps[at]! * question[at]!
    second += steps[at + 1]! * question[at + 1]!
    third += steps[at + 2]! * question[at + 2]!
    fourth += steps[at + 3]! * question[at + 3]!
  }
  for (let at = even; at < length; at++) first += steps[at]! * question[at]!
  return step * (first + second + third + fourth)
}
