import { describe, expect, it } from 'vitest'
import { adapted, locateAdapter } from '../../../src/embedding/local/adapter.ts'
import { type Matrix, Safetensors } from '../../../src/embedding/local/safetensors.ts'

function matrixOf(rows: number, columns: number, ...values: number[]): Matrix {
  return { rows, columns, values: Float32Array.from(values) }
}

function weightsOf(matrices: Record<string, Matrix>) {
  return { matrix: (name: string) => matrices[name]!, vector: () => Float32Array.of(7) }
}

describe('what the model has learnt', () => {
  const weights = weightsOf({ 'dense.weight': matrixOf(2, 3, 1, 2, 3, 4, 5, 6) })

  it('is added to its linear layers as the product of two thin matrices, and leaves the rest', () => {
    const adapter = weightsOf({
      'dense.lora_B': matrixOf(2, 1, 10, 100),
      'dense.lora_A': matrixOf(1, 3, 1, 0, -1),
    })
    const sum = adapted(weights, adapter)
    expect(sum.matrix('dense.weight')).toEqual(matrixOf(2, 3, 11, 2, -7, 104, 5, -94))
    expect(sum.vector('dense.bias')).toEqual(Float32Array.of(7))
    expect(weights.matrix('dense.weight').values[0]).toBe(1)
  })

  it('is refused where it was learnt by another model', () => {
    const adapter = weightsOf({
      'dense.lora_B': matrixOf(3, 1, 1, 1, 1),
      'dense.lora_A': matrixOf(1, 3, 1, 0, -1),
    })
    expect(() => adapted(weights, adapter).matrix('dense.weight')).toThrow(/another model/)
  })

  it('comes with the package, for all linear layers of all six', () => {
    const file = Safetensors.open(locateAdapter()!)
    for (let layer = 0; layer < 6; layer++) {
      for (const part of ['attention.self.query', 'attention.output.dense', 'output.dense']) {
        const { columns } = file.matrix(`encoder.layer.${layer}.${part}.lora_B`)
        expect(file.matrix(`encoder.layer.${layer}.${part}.lora_A`).rows).toBe(columns)
      }
    }
    file.close()
  })

  it('may be missing, where a bundler has left it behind', () => {
    expect(locateAdapter(['/nowhere'])).toBeUndefined()
  })
})
