import type { Weights } from './adapter.ts'
import { CONTRIB, OnnxGraph } from './onnx.ts'
import { concatenate, quantiseTransposed, stack } from './quantise.ts'

/** Raise whenever the graph changes: it is part of the cached file's name. */
export const GRAPH_VERSION = 2
/** Raise when the graph computes other vectors than before: it is part of the embedder's identity. */
export const VECTORS_VERSION = 1

export const DIMENSIONS = 384
const LAYERS = 6
/** What the last layer makes of each token: their mean is the text's vector. */
export const TOKEN_VECTORS = `hidden.${LAYERS}`
const HEADS = 12
const EPSILON = 1e-12

/**
 * The encoder of all-MiniLM-L6-v2 as an ONNX model: summed token embeddings [1, n, 384] in; out come one unit-length
 * vector [1, 384] and, for who wants them, the tokens' own [1, n, 384]. Linear layers run in 8 bits. It is written with onnxruntime's fused operators, so that its
 * optimiser has nothing left to do at load. One text at a time means no padding, hence no attention mask.
 */
export function buildGraph(weights: Weights): Uint8Array {
  return built(weights, new OnnxGraph())
}

/** The same with its matrices, which are nearly all of it, in a file beside it. */
export function buildGraphAndMatrices(weights: Weights, matricesFile: string): [Uint8Array, Uint8Array] {
  const graph = new OnnxGraph(matricesFile)
  return [built(weights, graph), graph.matrices()]
}

function built(weights: Weights, graph: OnnxGraph): Uint8Array {
  const encoder = new Encoder(weights, graph)
  encoder.layerNorm('tokens', 'embeddings.LayerNorm', 'hidden.0')
  for (let layer = 0; layer < LAYERS; layer++) encoder.layer(layer)
  return encoder.finish(TOKEN_VECTORS)
}

class Encoder {
  readonly #graph: OnnxGraph
  readonly #weights: Weights

  constructor(weights: Weights, graph: OnnxGraph) {
    this.#weights = weights
    this.#graph = graph
  }

  layer(index: number): void {
    const name = (part: string) => `encoder.layer.${index}.${part}`
    const hidden = `hidden.${index}`
    const heads = ['query', 'key', 'value'].map((part) => name(`attention.self.${part}`))

    this.#linear(hidden, heads, name('projected'))
    this.#graph.node('Split', [name('projected')], heads, { attributes: { axis: { integer: 2 } } })
    this.#graph.node('MultiHeadAttention', heads, [name('attended')], {
      domain: CONTRIB,
      attributes: { num_heads: { integer: HEADS } },
    })
    this.#linear(name('attended'), [name('attention.output.dense')], name('mixed'))
    this.#addAndNorm(name('mixed'), hidden, name('attention.output.LayerNorm'), name('middle'))

    this.#linear(name('middle'), [name('intermediate.dense')], name('wide'))
    this.#graph.node('Gelu', [name('wide')], [name('activated')], { domain: CONTRIB })
    this.#linear(name('activated'), [name('output.dense')], name('narrow'))
    this.#addAndNorm(name('narrow'), name('middle'), name('output.LayerNorm'), `hidden.${index + 1}`)
  }

  layerNorm(input: string, weights: string, output: string): void {
    const attributes = { epsilon: { float: EPSILON }, axis: { integer: -1 } }
    this.#graph.node('LayerNormalization', [input, ...this.#normWeights(weights)], [output], { attributes })
  }

  finish(hidden: string): Uint8Array {
    this.#graph.node('ReduceMean', [hidden], ['mean'], {
      attributes: { axes: { integers: [1] }, keepdims: { integer: 0 } },
    })
    this.#graph.node('LpNormalization', ['mean'], ['vector'], {
      attributes: { axis: { integer: -1 }, p: { integer: 2 } },
    })
    return this.#graph.model({ name: 'tokens', shape: [1, 'length', DIMENSIONS] }, [
      { name: 'vector', shape: [1, DIMENSIONS] },
      { name: hidden, shape: [1, 'length', DIMENSIONS] },
    ])
  }

  /** One matrix multiplication for all `layers`, whose outputs end up side by side in `output`. */
  #linear(input: string, layers: readonly string[], output: string): void {
    const matrix = quantiseTransposed(stack(layers.map((layer) => this.#weights.matrix(`${layer}.weight`))))
    const bias = concatenate(layers.map((layer) => this.#weights.vector(`${layer}.bias`)))
    const inputs = [
      input,
      this.#graph.constant(`${output}.weight`, [matrix.rows, matrix.columns], matrix.values),
      this.#graph.constant(`${output}.scale`, [matrix.columns], matrix.scales),
      '', // Symmetric weights have no zero point.
      this.#graph.constant(`${output}.bias`, [matrix.columns], bias),
    ]
    this.#graph.node('DynamicQuantizeMatMul', inputs, [output], { domain: CONTRIB })
  }

  #addAndNorm(input: string, residual: string, weights: string, output: string): void {
    const inputs = [input, residual, ...this.#normWeights(weights)]
    const attributes = { epsilon: { float: EPSILON } }
    this.#graph.node('SkipLayerNormalization', inputs, [output], { domain: CONTRIB, attributes })
  }

  #normWeights(name: string): [string, string] {
    const constant = (part: string) => {
      const values = this.#weights.vector(`${name}.${part}`)
      return this.#graph.constant(`${name}.${part}`, [values.length], values)
    }
    return [constant('weight'), constant('bias')]
  }
}
