import type { CollectionSelection, SearchIndex } from './search-index.ts'

/** Enough of a random id to tell some thousand storages apart. */
const OWNER_LENGTH = 8

/**
 * The collections of one storage in an index that other storages may use too: nobody finds or removes what is not theirs. Whose
 * they are is part of their names, so nobody has to look first, and two who come at once do not meet.
 */
export function ownedIndex(index: SearchIndex, owner: () => Promise<string>): SearchIndex {
  const suffix = async () => `-${(await owner()).slice(0, OWNER_LENGTH)}`
  const owned = async (name: string) => name + (await suffix())
  const plain = async <One extends { name: string }>(found: readonly One[]): Promise<One[]> => {
    const end = await suffix()
    return found
      .filter(({ name }) => name.endsWith(end))
      .map((one) => ({ ...one, name: one.name.slice(0, -end.length) }))
  }
  const all = async (selection: CollectionSelection = { prefix: '' }, signal?: AbortSignal) => {
    const wanted = 'prefix' in selection ? selection : await Promise.all(selection.map(owned))
    return plain(await index.collections(wanted, signal))
  }
  return {
    find: async (name, signal) => {
      const found = await index.find(await owned(name), signal)
      return found && { ...found, name }
    },
    collections: all,
    write: async (spec, change, signal) =>
      index.write({ ...spec, name: await owned(spec.name) }, change, signal),
    read: async (name, selection, signal) => index.read(await owned(name), selection, signal),
    search: async (name, request, signal) => index.search(await owned(name), request, signal),
    drop: async (name) => index.drop(await owned(name)),
    check: (options) => index.check(options),
    reset: async () => {
      for (const { name } of await all()) await index.drop(await owned(name))
    },
    close: () => index.close(),
  }
}
