import type { ModelManifest } from '@lat.md/embed'
import { RalphError } from '../../errors.ts'
import { reinstallAdvice } from '../../installation.ts'
import type { Notice } from '../../notices.ts'
import { locateAdapter } from './adapter.ts'
import { assertReadable, locateModel } from './model-files.ts'
import type { Runtime } from './runtime.ts'
import { loadOnnxruntime, onnxRuntime } from './runtime-onnx.ts'
import { wasmRuntime } from './runtime-wasm.ts'
import { Safetensors } from './safetensors.ts'

/** `auto`: the fast one where it loads, else the one that always does. */
export type RuntimeChoice = 'auto' | 'onnx' | 'wasm'

export interface RuntimeOptions {
  /** Where the built model is kept; shared by all projects of a user. */
  cacheDir: string
  weightsDir?: string
  /** What the model has learnt; false: the model as it came. */
  adapter?: string | false
  runtime?: RuntimeChoice
}

export async function openRuntime(
  { cacheDir, weightsDir, adapter, runtime = 'auto' }: RuntimeOptions,
  onNotice: (notice: Notice) => void,
): Promise<{ model: ModelManifest; fingerprint: string; runtime: Runtime }> {
  const model = await locateModel(weightsDir)
  assertReadable(model)
  const plain = (reason: string) => ({
    model,
    fingerprint: fingerprintOf([model.weightsPath]),
    runtime: wasmRuntime(model, reason),
  })
  if (runtime === 'wasm') return plain('as configured')
  const onnxruntime = loadOnnxruntime(cacheDir)
  if (!('problem' in onnxruntime)) {
    const adapterPath = adapter === false ? undefined : (adapter ?? locateAdapter())
    if (adapterPath === undefined && adapter !== false) onNotice(unlearnt())
    const paths = [model.weightsPath, ...(adapterPath === undefined ? [] : [adapterPath])]
    const options = { model, adapterPath, fingerprint: fingerprintOf(paths), cacheDir, onNotice }
    const { fingerprint } = options
    return { model, fingerprint, runtime: onnxRuntime(onnxruntime, options) }
  }
  const { problem, hint } = onnxruntime
  if (runtime === 'onnx') throw new RalphError('missing_dependency', problem, { hint })
  onNotice({
    key: 'embedding-runtime',
    message: `Searching by meaning is slower than it could be: ${problem}.`,
    hint,
  })
  return plain(problem)
}

/** A bundler may leave behind what is no code. */
function unlearnt(): Notice {
  return {
    key: 'embedding-adapter',
    message:
      'The embedding model is the plain one, since minilm-adapter.safetensors is missing: what is asked for in other words is found less often.',
    hint: reinstallAdvice(),
  }
}

function fingerprintOf(paths: readonly string[]): string {
  return paths.map(oneFingerprint).join('-')
}

function oneFingerprint(path: string): string {
  const weights = Safetensors.open(path)
  try {
    return weights.fingerprint()
  } finally {
    weights.close()
  }
}
