import type { Patience } from '../services/retry.ts'
import type { EmbeddingKind } from './embedder.ts'

/** How long we wait for embedding services. */

export const EMBED_TIMEOUT_MS = 60_000

/** Who asks a question waits for the answer; who stores documents has time. */
export const PATIENCE: Record<EmbeddingKind, Patience> = {
  query: { retries: 1, firstWaitMs: 250, longestWaitMs: 1_000 },
  document: { retries: 3, firstWaitMs: 500, longestWaitMs: 20_000 },
}
