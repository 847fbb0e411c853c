import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ModelManifest } from '@lat.md/embed'
import type * as Onnxruntime from 'onnxruntime-common'
import { errnoOf, messageOf } from '../../errors.ts'
import type { Notice } from '../../notices.ts'
import { buildGraph, DIMENSIONS, GRAPH_VERSION } from './graph.ts'
import { cachedGraph } from './graph-cache.ts'
import type { Encoder, Runtime } from './runtime.ts'
import { Safetensors } from './safetensors.ts'
import { loadWordPieceTokenizer } from './tokenizer.ts'

export interface OnnxOptions {
  model: ModelManifest
  cacheDir: string
  onNotice: (notice: Notice) => void
}

/** The native library, or why it cannot be had here. It decides the vectors' identity, so it is asked first. */
export function loadOnnxruntime(): typeof Onnxruntime | { problem: string; hint: string } {
  try {
    return createRequire(import.meta.url)('onnxruntime-node')
  } catch (error) {
    if (errnoOf(error) === 'MODULE_NOT_FOUND') {
      const problem = 'onnxruntime-node is not installed for this system'
      return { problem, hint: 'Run: npm install onnxruntime-node@1.17.0' }
    }
    const problem = `onnxruntime-node does not load here: ${messageOf(error).split('\n', 1)[0]}`
    return {
      problem,
      hint: 'It is made for macOS, Windows and Linux with glibc; the slower way needs nothing.',
    }
  }
}

export function onnxRuntime(onnxruntime: typeof Onnxruntime, options: OnnxOptions): Runtime {
  const version = onnxruntime.env.versions.node ?? 'unknown'
  return {
    kind: 'onnx',
    identity: `onnx-int8-${version}-${GRAPH_VERSION}`,
    detail: `onnxruntime ${version}, int8`,
    load: () => loadEncoder(onnxruntime, options),
  }
}

async function loadEncoder(
  onnxruntime: typeof Onnxruntime,
  { model, cacheDir, onNotice }: OnnxOptions,
): Promise<Encoder> {
  const weights = Safetensors.open(model.weightsPath)
  try {
    const path = join(cacheDir, `${model.id}-int8-${GRAPH_VERSION}-${weights.fingerprint()}.onnx`)
    const graph = await cachedGraph(path, () => buildGraph(weights), onNotice)
    const session = await onnxruntime.InferenceSession.create(graph, {
      // One text is too small a job to share: more threads cost more than they give.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      // Built from fused operators already.
      graphOptimizationLevel: 'disabled',
      // Allocating in large steps makes loading slower and nothing faster.
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    })
    const tokenize = await loadWordPieceTokenizer(model.tokenizerPath, model.maxTokens)
    const embedTokens = tokenEmbedder(weights)
    return {
      async encode(text) {
        const tokens = tokenize(text)
        const input = new onnxruntime.Tensor('float32', embedTokens(tokens), [1, tokens.length, DIMENSIONS])
        const { vector } = await session.run({ tokens: input })
        return { vector: Float32Array.from(vector!.data as Float32Array), tokens: tokens.length }
      },
      async close() {
        weights.close()
        await session.release()
      },
    }
  } catch (error) {
    weights.close()
    throw error
  }
}

/** Looks up and sums what stands for each token: its word, its position, and the first (only) segment. */
function tokenEmbedder(weights: Safetensors): (tokens: readonly number[]) => Float32Array {
  const readWord = weights.rowReader('embeddings.word_embeddings.weight')
  const readPosition = weights.rowReader('embeddings.position_embeddings.weight')
  const segment = weights.rowReader('embeddings.token_type_embeddings.weight')(0)
  const positions: Float32Array[] = []
  return (tokens) => {
    const sums = new Float32Array(tokens.length * DIMENSIONS)
    for (const [index, token] of tokens.entries()) {
      const word = readWord(token)
      // Read when first needed: a short question does not wait for 256 of them.
      positions[index] ??= readPosition(index)
      const position = positions[index]
      for (let column = 0; column < DIMENSIONS; column++)
        sums[index * DIMENSIONS + column] = word[column]! + position[column]! + segment[column]!
    }
    return sums
  }
}
