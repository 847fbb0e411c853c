import type { CollectionInfo, Json, SearchIndex } from './search-index.ts'

/** Which of the index's collections stands for one of ours, and whether it is there. */
interface Owned {
  name: string
  stored: boolean
}

/**
 * The collections of one storage in an index that other storages may use too: nobody finds or removes what is not theirs. The
 * first storage has a collection under its plain name, every other one under a name of its own.
 */
export function ownedIndex(index: SearchIndex, owner: () => Promise<string>): SearchIndex {
  const known = new Map<string, Owned>()
  const find = async (plain: string): Promise<Owned> => {
    const mine = await owner()
    const [first] = await index.collections([plain])
    const of = first && ownerIn(first.state)
    if (of === undefined && first) await index.write(first, { state: owned(first.state, mine) })
    if (of === undefined || of === mine) return { name: plain, stored: first !== undefined }
    const name = `${plain}-${mine.slice(0, 8)}`
    return { name, stored: (await index.collections([name])).length > 0 }
  }
  const resolve = async (plain: string): Promise<Owned> => {
    const found = known.get(plain) ?? (await find(plain))
    if (found.stored) known.set(plain, found)
    return found
  }
  return {
    collections: async (names) => {
      if (!names) return (await index.collections()).map(withoutOwner)
      const found: CollectionInfo[] = []
      for (const plain of names) {
        const [stored] = await index.collections([(await resolve(plain)).name])
        if (stored) found.push({ ...withoutOwner(stored), name: plain })
        else known.delete(plain) // somebody has dropped it
      }
      return found
    },
    write: async (spec, change, signal) => {
      const { name, stored } = await resolve(spec.name)
      const state = change.state !== undefined || !stored ? owned(change.state, await owner()) : undefined
      await index.write({ ...spec, name }, { ...change, ...(state && { state }) }, signal)
      known.set(spec.name, { name, stored: true })
    },
    read: async (plain, selection) => index.read((await resolve(plain)).name, selection),
    search: async (plain, request, signal) => index.search((await resolve(plain)).name, request, signal),
    drop: async (plain) => {
      await index.drop((await resolve(plain)).name)
      known.delete(plain)
    },
    check: (signal) => index.check(signal),
    reset: () => index.reset(),
    close: () => index.close(),
  }
}

/** Beside the state that it was given. */
function owned(given: Json | undefined, owner: string): Json {
  return given === undefined ? { owner } : { owner, given }
}

function withoutOwner({ state, ...info }: CollectionInfo): CollectionInfo {
  const given = ownerIn(state) === undefined ? state : (state as { given?: Json }).given
  return { ...info, ...(given !== undefined && { state: given }) }
}

function ownerIn(state: Json | undefined): string | undefined {
  const owner = isRecord(state) ? state['owner'] : undefined
  return typeof owner === 'string' ? owner : undefined
}

function isRecord(state: Json | undefined): state is { [key: string]: Json } {
  return typeof state === 'object' && state !== null && !Array.isArray(state)
}
