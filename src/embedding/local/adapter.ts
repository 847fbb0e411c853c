import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RalphError } from '../../errors.ts'
import { reinstallAdvice } from '../../installation.ts'
import type { Matrix, Safetensors } from './safetensors.ts'

/** From dist/chunks/ as from here. */
const PLACES = ['../../model/', '../../../model/'].map((path) =>
  fileURLToPath(new URL(`${path}minilm-adapter.safetensors`, import.meta.url)),
)

/** What a graph is built of. */
export type Weights = Pick<Safetensors, 'matrix' | 'vector'>

/** What the model has learnt beside what it came with: model/README.md says from what. */
export function locateAdapter(places = PLACES): string | undefined {
  return places.find((place) => existsSync(place))
}

/** The weights with what was learnt added: beside each linear layer, two thin matrices whose product is added to it. */
export function adapted(weights: Weights, adapter: Weights): Weights {
  return {
    vector: (name) => weights.vector(name),
    matrix: (name) => {
      const layer = name.replace(/\.weight$/, '')
      return added(weights.matrix(name), adapter.matrix(`${layer}.lora_B`), adapter.matrix(`${layer}.lora_A`))
    },
  }
}

function added({ rows, columns, values }: Matrix, left: Matrix, right: Matrix): Matrix {
  const rank = left.columns
  if (left.rows !== rows || right.columns !== columns || right.rows !== rank) {
    throw new RalphError('damaged', 'what the embedding model has learnt is of another model', {
      hint: reinstallAdvice(),
    })
  }
  const sum = Float32Array.from(values)
  for (let row = 0; row < rows; row++) {
    for (let one = 0; one < rank; one++) {
      const factor = left.values[row * rank + one]!
      for (let column = 0; column < columns; column++)
        sum[row * columns + column]! += factor * right.values[one * columns + column]!
    }
  }
  return { rows, columns, values: sum }
}
