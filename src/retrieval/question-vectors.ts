import type { EmbeddedTokens, Embedder } from '../embedding/embedder.ts'

/** What an embedder makes of the texts of a question; the tokens of a single one where they were asked for and it tells them. */
export type QuestionVectors = readonly (Pick<EmbeddedTokens, 'vector'> & Partial<EmbeddedTokens>)[]

interface Latest {
  texts: readonly string[]
  withTokens: boolean
  vectors: QuestionVectors
}

const latest = new WeakMap<Embedder, Latest>()

/**
 * One question is put to every feature and every memory, one after the other: whoever asks next takes what was made of it
 * for the one before. Only the latest question is kept.
 */
export async function questionVectors(
  embedder: Embedder,
  texts: readonly string[],
  { tokens, signal }: { tokens: boolean; signal: AbortSignal },
): Promise<QuestionVectors> {
  const withTokens = tokens && texts.length === 1 && embedder.embedTokens !== undefined
  const known = latest.get(embedder)
  if (known && (known.withTokens || !withTokens) && areSame(known.texts, texts)) return known.vectors
  const vectors = withTokens
    ? await embedder.embedTokens!(texts, 'query', signal)
    : (await embedder.embed(texts, 'query', signal)).map((vector) => ({ vector }))
  latest.set(embedder, { texts, withTokens, vectors })
  return vectors
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, at) => text === others[at])
}
