import { shortHash } from '../text/ids.ts'
import { NO_EMBEDDER } from './query.ts'
import type { CollectionInfo, CollectionSelection, SearchIndex } from './search-index.ts'

/** Whose vectors are meant, as far as it can be told before anything is embedded. */
export interface EmbedderMark {
  /** For the names of its collections. */
  label: string
  /** Whether vectors of that `Embedder.id` are its own. */
  isOwn: (embedderId: string) => boolean
}

const LABEL_CHARACTERS = 24

/** `identity`: the embedder's id where it is known, else its model. */
export function embedderMark(provider: string, identity: string): EmbedderMark {
  const whole = identity.startsWith(`${provider}:`) ? identity : `${provider}:${identity}`
  const readable = whole
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return {
    label: `${readable.slice(0, LABEL_CHARACTERS)}-${shortHash(whole, 6)}`,
    isOwn: (embedderId) => embedderId === whole || embedderId.startsWith(`${whole}:`),
  }
}

/**
 * The collections of one embedder in an index that people with another one use too: their names tell whose vectors they hold, so
 * nobody builds anew what somebody else has built. A collection from a time when names did not tell is used on by whoever has
 * its embedder.
 */
export function indexOfEmbedder(
  index: SearchIndex,
  mark: () => Promise<EmbedderMark>,
  onOthers: (embedderId: string) => void,
): SearchIndex {
  const resolved = new Map<string, Promise<string>>()
  const resolve = async (name: string): Promise<string> => {
    const { label, isOwn } = await mark()
    const labelled = `${name}-${label}`
    if (await index.find(labelled)) return labelled
    const alike = await index.collections({ prefix: name })
    const before = alike.find((one) => one.name === name)
    if (before && isOwn(before.embedderId)) return name
    const other = alike.find(({ embedderId }) => embedderId !== NO_EMBEDDER && !isOwn(embedderId))
    if (other) onOthers(other.embedderId)
    return labelled
  }
  const named = (name: string): Promise<string> => {
    const known = resolved.get(name) ?? resolve(name)
    resolved.set(name, known)
    known.catch(() => resolved.delete(name))
    return known
  }
  const collections = async (selection: CollectionSelection = { prefix: '' }, signal?: AbortSignal) => {
    if (!('prefix' in selection)) {
      const names = new Map(
        await Promise.all(selection.map(async (name) => [await named(name), name] as const)),
      )
      const found = await index.collections([...names.keys()], signal)
      return found.map((one) => ({ ...one, name: names.get(one.name) ?? one.name }))
    }
    const { label, isOwn } = await mark()
    const end = `-${label}`
    return (await index.collections(selection, signal)).flatMap((one): CollectionInfo[] => {
      if (one.name.endsWith(end)) return [{ ...one, name: one.name.slice(0, -end.length) }]
      return isOwn(one.embedderId) ? [one] : []
    })
  }
  return {
    collections,
    find: async (name, signal) => {
      const found = await index.find(await named(name), signal)
      return found && { ...found, name }
    },
    write: async (spec, change, signal) =>
      index.write({ ...spec, name: await named(spec.name) }, change, signal),
    read: async (name, selection, signal) => index.read(await named(name), selection, signal),
    search: async (name, request, signal) => index.search(await named(name), request, signal),
    drop: async (name) => {
      await index.drop(await named(name))
      resolved.delete(name)
    },
    check: (options) => index.check(options),
    reset: async () => {
      for (const { name } of await collections()) await index.drop(await named(name))
      resolved.clear()
    },
    close: () => index.close(),
  }
}
