import { throwIfAborted } from '../errors.ts'
import type { EmbeddedTokens, Embedder, EmbeddingKind } from './embedder.ts'

export interface EmbedAllOptions {
  kind?: EmbeddingKind
  signal?: AbortSignal | undefined
  /** Hears how many there are. */
  onEmbedded?: ((count: number) => void) | undefined
}

/** Any number of texts, as many at a time as the embedder takes. Trying again is the embedder's own business. */
export function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  { kind = 'document', ...options }: EmbedAllOptions = {},
): Promise<Float32Array[]> {
  return inBatches(embedder, texts, options, (batch) => embedder.embed(batch, kind, options.signal))
}

/** The same with the tokens of each; undefined where the embedder does not tell them. */
export function embedAllTokens(
  embedder: Embedder,
  texts: readonly string[],
  { kind = 'document', ...options }: EmbedAllOptions = {},
): Promise<EmbeddedTokens[]> | undefined {
  if (!embedder.embedTokens) return undefined
  return inBatches(embedder, texts, options, (batch) => embedder.embedTokens!(batch, kind, options.signal))
}

async function inBatches<Made>(
  { maxBatch }: Embedder,
  texts: readonly string[],
  { signal, onEmbedded }: EmbedAllOptions,
  embed: (texts: readonly string[]) => Promise<Made[]>,
): Promise<Made[]> {
  const all: Made[] = []
  for (let start = 0; start < texts.length; start += maxBatch) {
    throwIfAborted(signal)
    all.push(...(await embed(texts.slice(start, start + maxBatch))))
    onEmbedded?.(all.length)
  }
  return all
}
