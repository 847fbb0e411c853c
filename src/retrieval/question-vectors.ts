import type { EmbeddedTokens, Embedder } from '../embedding/embedder.ts'

/** What an embedder makes of the texts of a question; the tokens only of a single one, where it tells them. */
export type QuestionVectors = readonly (Pick<EmbeddedTokens, 'vector'> & Partial<EmbeddedTokens>)[]

interface Latest {
  texts: readonly string[]
  vectors: QuestionVectors
}

const latest = new WeakMap<Embedder, Latest>()

/**
 * One question is put to every feature and every memory, one after the other: it is embedded for the first of them, with its
 * tokens, which cost next to nothing more. Only the latest question is kept.
 */
export async function questionVectors(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<QuestionVectors> {
  const known = latest.get(embedder)
  if (known && known.texts.length === texts.length && texts.every((text, at) => text === known.texts[at]))
    return known.vectors
  const vectors =
    texts.length === 1 && embedder.embedTokens
      ? await embedder.embedTokens(texts, 'query', signal)
      : (await embedder.embed(texts, 'query', signal)).map((vector) => ({ vector }))
  latest.set(embedder, { texts, vectors })
  return vectors
}
