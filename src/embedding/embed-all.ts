import { type RalphError, throwIfAborted } from '../errors.ts'
import type { Embedder, EmbeddingKind } from './embedder.ts'
import { type Patience, withRetries } from './retry.ts'

/** Sits out a rate limit of some minutes: long jobs should end, not start over. */
const PATIENCE: Patience = { retries: 6, firstWaitMs: 1_000, longestWaitMs: 5 * 60_000 }

export interface EmbedAllOptions {
  kind?: EmbeddingKind
  signal?: AbortSignal
  onProgress?: (done: number, total: number) => void
  onRetry?: (error: RalphError, waitMs: number) => void
  patience?: Patience
}

export interface EmbeddedBatch {
  /** Position of the first text of this batch. */
  start: number
  vectors: Float32Array[]
}

/** Any number of texts, as many at a time as the embedder takes; each batch is there as soon as it is done. */
export async function* embedInBatches(
  embedder: Embedder,
  texts: readonly string[],
  { kind = 'document', signal, onProgress, onRetry, patience = PATIENCE }: EmbedAllOptions = {},
): AsyncGenerator<EmbeddedBatch> {
  for (let start = 0; start < texts.length; start += embedder.maxBatch) {
    throwIfAborted(signal)
    const batch = texts.slice(start, start + embedder.maxBatch)
    const vectors = await withRetries(() => embedder.embed(batch, kind, signal), {
      patience,
      signal,
      ...(onRetry && { onRetry }),
    })
    onProgress?.(start + batch.length, texts.length)
    yield { start, vectors }
  }
}

/** All vectors at once, in the order of the texts. */
export async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedAllOptions = {},
): Promise<Float32Array[]> {
  const all: Float32Array[] = []
  for await (const { vectors } of embedInBatches(embedder, texts, options)) all.push(...vectors)
  return all
}
