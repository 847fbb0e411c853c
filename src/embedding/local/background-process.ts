import { messageOf } from '../../errors.ts'
import type { Notice } from '../../notices.ts'
import { openRuntime, type RuntimeOptions } from './open-runtime.ts'
import type { Encoded, EncodeOptions, Encoder } from './runtime.ts'

/** Entry of the process that embeds long batches; it loads the model for itself. */

export type BackgroundRequest = { open: RuntimeOptions } | EncodeRequest
export interface EncodeRequest extends EncodeOptions {
  texts: string[]
}
export interface BackgroundAnswer {
  encoded: Encoded[]
}
/** Notices may come at any time, an answer or a problem once per list of texts. */
export type BackgroundMessage = { notice: Notice } | { problem: string } | BackgroundAnswer

/** Ctrl-C reaches every process of a terminal. Ours ends when the one that started it lets go or is gone. */
process.on('SIGINT', () => undefined)

let encoder: Promise<Encoder> | undefined

process.on('message', (request: BackgroundRequest) => {
  if ('open' in request) {
    encoder = openRuntime(request.open, (notice) => send({ notice })).then(({ runtime }) => runtime.load())
    // Told to whoever sends the first texts, which are already on their way.
    encoder.catch(() => undefined)
  } else {
    void answer(request).then(send, (error: unknown) => send({ problem: messageOf(error) }))
  }
})

async function answer({ texts, tokens }: EncodeRequest): Promise<BackgroundAnswer> {
  if (!encoder) throw new Error('texts before the model')
  const { encode } = await encoder
  const encoded: Encoded[] = []
  for (const text of texts) encoded.push(await encode(text, { tokens }))
  return { encoded }
}

function send(message: BackgroundMessage): void {
  if (process.connected) process.send?.(message)
}
