import type { ModelManifest } from '@lat.md/embed'
import { RalphError } from '../../errors.ts'
import type { Notice } from '../../notices.ts'
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
  runtime?: RuntimeChoice
}

export async function openRuntime(
  { cacheDir, weightsDir, runtime = 'auto' }: RuntimeOptions,
  onNotice: (notice: Notice) => void,
): Promise<{ model: ModelManifest; fingerprint: string; runtime: Runtime }> {
  const model = await locateModel(weightsDir)
  assertReadable(model)
  const fingerprint = fingerprintOf(model.weightsPath)
  if (runtime === 'wasm') return { model, fingerprint, runtime: wasmRuntime(model, 'as configured') }
  const onnxruntime = loadOnnxruntime(cacheDir)
  if (!('problem' in onnxruntime)) {
    const options = { model, fingerprint, cacheDir, onNotice }
    return { model, fingerprint, runtime: onnxRuntime(onnxruntime, options) }
  }
  const { problem, hint } = onnxruntime
  if (runtime === 'onnx') throw new RalphError('missing_dependency', problem, { hint })
  onNotice({
    key: 'embedding-runtime',
    message: `Searching by meaning is slower than it could be: ${problem}.`,
    hint,
  })
  return { model, fingerprint, runtime: wasmRuntime(model, problem) }
}

function fingerprintOf(weightsPath: string): string {
  const weights = Safetensors.open(weightsPath)
  try {
    return weights.fingerprint()
  } finally {
    weights.close()
  }
}
