import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ModelManifest } from '@lat.md/embed'
import { errnoOf, messageOf } from '../../errors.ts'
import { installCommand } from '../../installation.ts'
import type { Notice } from '../../notices.ts'
import { ADAPTED, MEASURED } from '../calibration.ts'
import { adapted, type Weights } from './adapter.ts'
import { checkedPair } from './checked-cache.ts'
import {
  buildGraph,
  buildGraphAndMatrices,
  DIMENSIONS,
  GRAPH_VERSION,
  TOKEN_VECTORS,
  VECTORS_VERSION,
} from './graph.ts'
import { ONNXRUNTIME_VERSION } from './native-archive.ts'
import { type NativeSession, type OnnxLibrary, openLibrary, type Tensor } from './native-library.ts'
import type { Encoder, Runtime } from './runtime.ts'
import { Safetensors } from './safetensors.ts'
import { isMadeForThisSystem, shippedLibrary } from './shipped-onnxruntime.ts'
import { tellingTokens } from './telling-tokens.ts'
import { loadWordPieceTokenizer } from './tokenizer.ts'

const SESSION = {
  // One text is too small a job to share: more threads cost more than they give.
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  // Built from fused operators already.
  graphOptimizationLevel: 'disabled',
  // Allocating in large steps makes loading slower and nothing faster.
  enableCpuMemArena: false,
  logSeverityLevel: 3,
}

/** Of the folder it is unpacked into, not of the library. */
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR'])

export interface OnnxOptions {
  model: ModelManifest
  /** Undefined: the model as it came. */
  adapterPath: string | undefined
  /** Of the model's weights, and of what it has learnt. */
  fingerprint: string
  cacheDir: string
  onNotice: (notice: Notice) => void
}

/**
 * The native library, or why it cannot be had here: one that is installed, else the one our package brings. It decides
 * the vectors' identity, so it is asked first.
 */
export function loadOnnxruntime(cacheDir: string): OnnxLibrary | { problem: string; hint: string } {
  try {
    return installedLibrary() ?? shippedLibrary(cacheDir) ?? notForThisSystem()
  } catch (error) {
    return loadTrouble(error, cacheDir)
  }
}

export function loadTrouble(error: unknown, cacheDir: string): { problem: string; hint: string } {
  // Windows ends its sentence with a full stop and a line.
  const [why = ''] = messageOf(error).split(/\.?[\r\n]/, 1)
  const hint = UNWRITABLE.has(errnoOf(error) ?? '')
    ? `It is unpacked into ${cacheDir}: make that writable, or choose another folder with RALPH_HOME.`
    : 'It is made for macOS, Windows and Linux with glibc; the slower way needs nothing.'
  return { problem: `onnxruntime does not load here: ${why}`, hint }
}

function notForThisSystem(): { problem: string; hint: string } {
  if (!isMadeForThisSystem()) {
    return {
      problem: 'onnxruntime is made for Linux with glibc, and this one has another C library',
      hint: 'The slower way needs nothing else.',
    }
  }
  return {
    problem: 'onnxruntime is not there for this system',
    hint: `Run: ${installCommand(`onnxruntime-node@${ONNXRUNTIME_VERSION}`)}`,
  }
}

function installedLibrary(): OnnxLibrary | undefined {
  try {
    return openLibrary(createRequire(import.meta.url), 'onnxruntime-node')
  } catch (error) {
    if (errnoOf(error) === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

export function onnxRuntime(onnxruntime: OnnxLibrary, options: OnnxOptions): Runtime {
  const { version } = onnxruntime
  return {
    kind: 'onnx',
    identity: `onnx-int8-${version}-${VECTORS_VERSION}`,
    detail: `onnxruntime ${version}, int8`,
    calibration: options.adapterPath === undefined ? MEASURED : ADAPTED,
    tellsTokens: true,
    load: () => loadEncoder(onnxruntime, options),
  }
}

async function loadEncoder(onnxruntime: OnnxLibrary, options: OnnxOptions): Promise<Encoder> {
  const { model, cacheDir } = options
  const weights = Safetensors.open(model.weightsPath)
  try {
    const session = await openSession(onnxruntime, weights, options)
    const { tokenize, marks } = await loadWordPieceTokenizer(
      { path: model.tokenizerPath, cacheDir },
      model.maxTokens,
    )
    const embedTokens = tokenEmbedder(weights)
    const wanted = { vector: null }
    const wantedWithTokens = { vector: null, [TOKEN_VECTORS]: null }
    return {
      async encode(text, { tokens: kind } = {}) {
        const tokens = tokenize(text)
        const dims = [1, tokens.length, DIMENSIONS]
        const input: Tensor = { type: 'float32', data: embedTokens(tokens), dims, location: 'cpu' }
        const found = session.run({ tokens: input }, kind ? wantedWithTokens : wanted, {})
        const { vector, [TOKEN_VECTORS]: hidden } = found
        return {
          vector: Float32Array.from(vector!.data),
          tokens: tokens.length,
          ...(kind && hidden && { tokenVectors: tellingTokens(tokens, hidden.data, marks, kind) }),
        }
      },
      async close() {
        weights.close()
        session.dispose()
      },
    }
  } catch (error) {
    weights.close()
    throw error
  }
}

/**
 * From the cache, where the library maps the matrices into memory instead of copying them twice: 15 ms less of a cold search.
 * Where nothing can be kept, from memory.
 */
async function openSession(
  onnxruntime: OnnxLibrary,
  weights: Safetensors,
  { model, adapterPath, fingerprint, cacheDir, onNotice }: OnnxOptions,
): Promise<NativeSession> {
  const name = `${model.id}-int8-${GRAPH_VERSION}-${fingerprint}`
  const matricesFile = `${name}.matrices`
  const cached = { path: join(cacheDir, `${name}.graph.onnx`), besides: join(cacheDir, matricesFile) }
  const isCached = await checkedPair(
    cached,
    () => withAdapter((all) => buildGraphAndMatrices(all, matricesFile)),
    onNotice,
  )
  const session = new onnxruntime.InferenceSession()
  if (isCached) {
    session.loadModel(cached.path, SESSION)
  } else {
    const graph = withAdapter(buildGraph)
    session.loadModel(graph.buffer, graph.byteOffset, graph.byteLength, SESSION)
  }
  return session

  function withAdapter<Result>(build: (all: Weights) => Result): Result {
    if (adapterPath === undefined) return build(weights)
    const adapter = Safetensors.open(adapterPath)
    try {
      return build(adapted(weights, adapter))
    } finally {
      adapter.close()
    }
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
