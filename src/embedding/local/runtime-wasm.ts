import type { ModelManifest } from '@lat.md/embed'
import { RalphError } from '../../errors.ts'
import { MEASURED } from '../calibration.ts'
import type { Encoder, Runtime } from './runtime.ts'

/** Runs everywhere Node does, at full precision, some ten times slower than onnxruntime. */
export function wasmRuntime(model: ModelManifest, reason: string): Runtime {
  return {
    kind: 'wasm',
    identity: 'wasm-fp32',
    detail: `WebAssembly, fp32 (${reason})`,
    calibration: MEASURED,
    tellsTokens: false,
    load: () => loadEncoder(model),
  }
}

async function loadEncoder(model: ModelManifest): Promise<Encoder> {
  const { createEmbedder } = await import('@lat.md/embed')
  const embedder = await createEmbedder({ model })
  return {
    async encode(text) {
      const [vector] = await embedder.embed([text])
      if (!vector) throw new RalphError('internal', 'the embedding runtime returned no vector')
      // The engine does not say how many tokens it saw; four characters each is the usual estimate.
      return { vector: Float32Array.from(vector), tokens: Math.ceil(text.length / 4) }
    },
    close: () => Promise.resolve(),
  }
}
