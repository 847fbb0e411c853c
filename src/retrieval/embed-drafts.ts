import { type EmbedAllOptions, embedAll, embedAllTokens } from '../embedding/embed-all.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { encodeHeadline } from './detail/headline.ts'
import { encodeParts } from './detail/part-vectors.ts'
import { packSections } from './detail/sections.ts'
import { sketchTokens } from './detail/tokens.ts'
import { encodePairs } from './detail/word-pairs.ts'
import type { Draft, Embedded } from './draft.ts'
import { headlineOf } from './long-question.ts'

export interface EmbedDraftsOptions extends Omit<EmbedAllOptions, 'kind'> {
  /** Token by token, where the embedder tells tokens; then nothing else is looked at. */
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
  return drafts.map(({ parts, searched, beside = '', names = '', failure }, at) => {
    const [whole, ...others] = vectors.slice(ends[at]! - texts[at]!.length, ends[at])
    const inShort = others.slice(0, parts?.inShort.length ?? 0)
    const pieces = others.slice(inShort.length)
    const detail = packSections({
      parts: others.length > 0 ? encodeParts({ inShort, pieces }) : undefined,
      pairs: encodePairs([searched, beside, names].join('\n')),
      headline: failure === undefined ? undefined : encodeHeadline(headlineOf(failure) ?? ''),
    })
    return withDetail(whole!, detail)
  })
}

function withDetail(vector: Float32Array, detail: Uint8Array | undefined): Embedded {
  return { vector, ...(detail && { detail }) }
}
