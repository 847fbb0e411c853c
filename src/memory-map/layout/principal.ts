import type { Turns } from './turns.ts'

export type Point = [x: number, y: number]

/** Steps towards a direction; what is left to gain then is below what can be seen. */
const STEPS = 30
/** How far from the middle the points stand at first, on average. */
const SPREAD = 5

/**
 * Where vectors fall on the two directions in which they differ most (principal components, by power iteration). Gives
 * the large shape of the picture, the same every time: each direction is turned so that its largest part is positive.
 */
export async function principalPlane(vectors: readonly Float32Array[], turns: Turns): Promise<Point[]> {
  const centred = centredAt(vectors, meanOf(vectors))
  const first = await direction(centred, [], turns)
  const second = await direction(centred, [first], turns)
  const along = (axis: Float64Array) => scaled(centred.map((vector) => dot(vector, axis)))
  const [xs, ys] = [along(first), along(second)]
  return xs.map((x, at) => [x, ys[at]!])
}

async function direction(
  vectors: readonly Float64Array[],
  others: readonly Float64Array[],
  turns: Turns,
): Promise<Float64Array> {
  const dimensions = vectors[0]!.length
  // Not along any axis, so that no direction is missed.
  let axis = Float64Array.from({ length: dimensions }, (_, at) => 1 + ((at * 7) % 11) / 11)
  for (let step = 0; step < STEPS; step++) {
    const next = new Float64Array(dimensions)
    for (const vector of vectors) {
      const share = dot(vector, axis)
      for (let at = 0; at < dimensions; at++) next[at]! += share * vector[at]!
      if (turns.isOver) await turns.next()
    }
    for (const other of others) {
      const share = dot(next, other)
      for (let at = 0; at < dimensions; at++) next[at]! -= share * other[at]!
    }
    const length = Math.sqrt(dot(next, next))
    if (length < 1e-12) return new Float64Array(dimensions) // all alike: no direction tells them apart
    axis = next.map((value) => value / length)
  }
  const largest = axis.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0)
  return largest < 0 ? axis.map((value) => -value) : axis
}

function meanOf(vectors: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array(vectors[0]!.length)
  for (const vector of vectors) for (let at = 0; at < mean.length; at++) mean[at]! += vector[at]!
  return mean.map((sum) => sum / vectors.length)
}

function centredAt(vectors: readonly Float32Array[], mean: Float64Array): Float64Array[] {
  return vectors.map((vector) => mean.map((value, at) => vector[at]! - value))
}

function scaled(values: readonly number[]): number[] {
  const spread = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length)
  return spread < 1e-12 ? values.map(() => 0) : values.map((value) => (value / spread) * SPREAD)
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
