import type { Embedder } from '../embedding/embedder.ts'
import type { StoredDocument } from '../search-index/search-index.ts'
import type { Collection, DraftChange } from './collection.ts'
import { addIfEmbedded, type Draft, type Embedded } from './draft.ts'

/** Whether it has to be embedded. */
export function isOutdated(draft: Draft, stored: StoredDocument | undefined, vectors: boolean): boolean {
  return stored?.textHash !== draft.textHash || (vectors && !stored.hasVector)
}

/** Whether what is stored, if anything is, was made from something earlier. What has no revision stays as it is. */
function isBehind({ revision }: Draft, stored: StoredDocument | undefined): boolean {
  if (!stored || revision === undefined) return !stored
  const { revision: before } = stored.payload
  return typeof before !== 'number' || before < revision
}

/** Those that are not stored as they are now, with all that this embedder makes of them. */
export async function missing<One extends Draft>(
  collection: Collection,
  drafts: readonly One[],
  embedder: Embedder,
): Promise<One[]> {
  const ids = drafts.map(({ id }) => id)
  if (ids.length === 0) return []
  const { parts, name } = collection
  const stored = await parts.index.read(name, { ids, vectors: collection.keepsTokensOf(embedder) })
  const known = new Map(stored.map((document) => [document.id, document]))
  return drafts.filter((draft) => {
    const document = known.get(draft.id)
    const isLevel = !isOutdated(draft, document, true) && !isBehind(draft, document)
    return !isLevel || !collection.isWhole(document, embedder)
  })
}

/**
 * What has to be written so that these are found by the words they have now. A vector stays, with the hash of the text it was
 * made of, until another one is made; where something later is stored, that stays as a whole.
 */
export async function newWords(
  { parts, name }: Collection,
  drafts: readonly Draft[],
  signal?: AbortSignal,
): Promise<Pick<DraftChange, 'put' | 'embedded'>> {
  const ids = drafts.map(({ id }) => id)
  const stored = ids.length > 0 ? await parts.index.read(name, { ids, vectors: true }, signal) : []
  const known = new Map(stored.map((document) => [document.id, document]))
  const put = drafts.filter((draft) => isBehind(draft, known.get(draft.id)))
  if (put.length === 0) return {}
  const kept = new Map<string, Embedded>()
  for (const { id } of put) addIfEmbedded(kept, id, known.get(id) ?? {})
  const hashOf = ({ id, textHash }: Draft) => (kept.has(id) ? known.get(id)!.textHash : textHash)
  return {
    put: put.map((draft) => ({ ...draft, textHash: hashOf(draft) })),
    embedded: put.map(({ id }) => kept.get(id)),
  }
}

/** What this embedder makes of them, in their order. What is stored of the very same text is not made again: only what stands beside it has changed. */
export async function remade(
  collection: Collection,
  drafts: readonly Draft[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<Embedded[]> {
  const made = await collection.vectorsOf(drafts.map(({ id }) => id))
  const kept = new Map<string, Embedded>()
  for (const { id, textHash } of drafts) {
    const before = made.get(id)
    const isSame = before?.textHash === textHash && before.embedderId === embedder.id
    if (isSame && collection.isWhole(before, embedder)) addIfEmbedded(kept, id, before)
  }
  const others = drafts.filter(({ id }) => !kept.has(id))
  const anew = others.length > 0 ? await collection.embedded(others, embedder, signal) : []
  let next = 0
  return drafts.map(({ id }) => kept.get(id) ?? anew[next++]!)
}

/** Those get their vectors for whom somebody lends one; none is made. */
export async function takeLent(
  collection: Collection,
  drafts: readonly Draft[],
  embedder: Embedder,
): Promise<void> {
  const wanting = await missing(collection, drafts, embedder)
  const lent = await collection.parts.lender?.lend(collection.name, embedder.id, wanting)
  const put = wanting.filter(({ id }) => lent?.has(id))
  await collection.write({ put, embedded: put.map(({ id }) => lent?.get(id)) }, embedder)
}
