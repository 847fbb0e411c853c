import { type EmbedAllOptions, embedAll, embedAllTokens } from '../embedding/embed-all.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { encodeParts } from './detail/part-vectors.ts'
import { packSections } from './detail/sections.ts'
import { sketchTokens } from './detail/tokens.ts'
import type { Draft, Embedded } from './draft.ts'

export interface EmbedDraftsOptions extends Omit<EmbedAllOptions, 'kind'> {
  /** Token by token, where the embedder tells tokens; then no parts are embedded. */
  tokens?: boolean
}

/** In the order of the drafts; whoever waits hears how many of them are done. */
export async function embedDrafts(
  embedder: Embedder,
  drafts: readonly Draft[],
  { tokens = false, ...options }: EmbedDraftsOptions = {},
): Promise<Embedded[]> {
  const wholes = drafts.map(({ embedded }) => embedded)
  const made = tokens ? await embedAllTokens(embedder, wholes, options) : undefined
  return (
    made?.map(({ vector, tokens }) => withDetail(vector, packSections({ tokens: sketchTokens(tokens) }))) ??
    withParts(embedder, drafts, options)
  )
}

async function withParts(
  embedder: Embedder,
  drafts: readonly Draft[],
  { signal, onEmbedded }: Omit<EmbedAllOptions, 'kind'>,
): Promise<Embedded[]> {
  const texts = drafts.map(({ embedded, parts }) => [
    embedded,
    ...(parts?.inShort ?? []),
    ...(parts?.pieces ?? []),
  ])
  const ends: number[] = []
  for (const { length } of texts) ends.push((ends.at(-1) ?? 0) + length)
  const vectors = await embedAll(embedder, texts.flat(), {
    signal,
    onEmbedded: onEmbedded && ((count) => onEmbedded(ends.filter((end) => end <= count).length)),
  })
  return drafts.map(({ parts }, at) => {
    const [whole, ...others] = vectors.slice(ends[at]! - texts[at]!.length, ends[at])
    if (!parts || others.length === 0) return { vector: whole! }
    const inShort = others.slice(0, parts.inShort.length)
    const pieces = others.slice(parts.inShort.length)
    return withDetail(whole!, packSections({ parts: encodeParts({ inShort, pieces }) }))
  })
}

function withDetail(vector: Float32Array, detail: Uint8Array | undefined): Embedded {
  return { vector, ...(detail && { detail }) }
}
