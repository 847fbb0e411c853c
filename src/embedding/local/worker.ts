import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../errors.ts'
import type { Notice } from '../../notices.ts'
import { openRuntime, type RuntimeOptions } from './open-runtime.ts'

/** Entry of the thread that embeds long batches. It loads the model once more; threads share nothing of it. */

export interface WorkerRequest {
  texts: string[]
}
export interface WorkerAnswer {
  vectors: Float32Array[]
  tokens: number
}
/** Notices may come at any time, an answer or a problem once per request. */
export type WorkerMessage = { notice: Notice } | { problem: string } | WorkerAnswer

const port = parentPort
if (!port) throw new Error('this file is the entry of a worker thread')

const options: RuntimeOptions = workerData
const encoder = openRuntime(options, (notice) => port.postMessage({ notice })).then(({ runtime }) =>
  runtime.load(),
)
// Reported to the first request, which is already on its way.
encoder.catch(() => undefined)

port.on('message', async ({ texts }: WorkerRequest) => {
  try {
    const { encode } = await encoder
    const vectors: Float32Array<ArrayBuffer>[] = []
    let tokens = 0
    for (const text of texts) {
      const encoded = await encode(text)
      vectors.push(encoded.vector)
      tokens += encoded.tokens
    }
    port.postMessage(
      { vectors, tokens },
      vectors.map((vector) => vector.buffer),
    )
  } catch (error) {
    port.postMessage({ problem: messageOf(error) })
  }
})
