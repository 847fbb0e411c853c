import { throwIfAborted } from '../errors.ts'
import type { Embedder, EmbeddingKind } from './embedder.ts'

/** Any number of texts, as many at a time as the embedder takes. Trying again is the embedder's own business. */
export async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  { kind = 'document', signal }: { kind?: EmbeddingKind; signal?: AbortSignal | undefined } = {},
): Promise<Float32Array[]> {
  const all: Float32Array[] = []
  for (let start = 0; start < texts.length; start += embedder.maxBatch) {
    throwIfAborted(signal)
    all.push(...(await embedder.embed(texts.slice(start, start + embedder.maxBatch), kind, signal)))
  }
  return all
}
