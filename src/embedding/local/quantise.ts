import type { Matrix } from './safetensors.ts'

/**
 * Processors without VNNI add two 8-bit products in 16 bits and saturate; half the range of the weights cannot
 * overflow there, so every machine computes the same vectors.
 */
const LARGEST = 63

export interface QuantisedMatrix {
  rows: number
  columns: number
  values: Int8Array
  /** One scale per column: a single one for the whole matrix costs clearly more accuracy. */
  scales: Float32Array
}

/**
 * Eight-bit weights, symmetric around zero: value ≈ quantised × scale of its column. The matrix comes as stored
 * (output × input) and leaves transposed (input × output), ready to be multiplied from the left.
 */
export function quantiseTransposed({ rows, columns, values }: Matrix): QuantisedMatrix {
  const scales = new Float32Array(rows)
  const quantised = new Int8Array(values.length)
  for (let row = 0; row < rows; row++) {
    const start = row * columns
    let largest = 0
    for (let index = start; index < start + columns; index++)
      largest = Math.max(largest, Math.abs(values[index]!))
    // A row of zeros stays zero under any scale but zero.
    const scale = (largest || 1) / LARGEST
    scales[row] = scale
    for (let column = 0; column < columns; column++)
      quantised[column * rows + row] = Math.round(values[start + column]! / scale)
  }
  return { rows: columns, columns: rows, values: quantised, scales }
}

/** Several layers with the same input become one: their outputs side by side. */
export function stack(matrices: readonly Matrix[]): Matrix {
  const columns = matrices[0]?.columns ?? 0
  return {
    rows: matrices.reduce((sum, matrix) => sum + matrix.rows, 0),
    columns,
    values: concatenate(matrices.map((matrix) => matrix.values)),
  }
}

export function concatenate(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let position = 0
  for (const part of parts) {
    whole.set(part, position)
    position += part.length
  }
  return whole
}
