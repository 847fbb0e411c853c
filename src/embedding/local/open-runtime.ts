import type { ModelManifest } from '@lat.md/embed'
import { RalphError } from '../../errors.ts'
import type { Notice } from '../../notices.ts'
import { assertReadable, locateModel } from './model-files.ts'
import type { Runtime } from './runtime.ts'
import { loadOnnxruntime, onnxRuntime } from './runtime-onnx.ts'
import { wasmRuntime } from './runtime-wasm.ts'

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
): Promise<{ model: ModelManifest; runtime: Runtime }> {
  const model = await locateModel(weightsDir)
  assertReadable(model)
  if (runtime === 'wasm') return { model, runtime: wasmRuntime(model, 'as configured') }
  const onnxruntime = loadOnnxruntime()
  if (!('problem' in onnxruntime))
    return { model, runtime: onnxRuntime(onnxruntime, { model, cacheDir, onNotice }) }
  const { problem, hint } = onnxruntime
  if (runtime === 'onnx') throw new RalphError('missing_dependency', problem, { hint })
  onNotice({
    key: 'embedding-runtime',
    message: `Searching by meaning is slower than it could be: ${problem}.`,
    hint,
  })
  return { model, runtime: wasmRuntime(model, problem) }
}
