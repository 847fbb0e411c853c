import type { Collection } from './collection.ts'
import type { CollectionState } from './state.ts'

/** The highest revision that any of its documents was made of, or that was looked at. */
function seenUpTo({ sources }: CollectionState): number {
  const cursors = Object.values(sources).map(({ cursor }) => (typeof cursor === 'number' ? cursor : 0))
  return Math.max(0, ...cursors)
}

/**
 * For collections whose positions are revisions of one database. Those that have seen more than there is would take what is written next for
 * seen, so they begin anew. Somebody has to know: whoever restored a backup does, and whoever did not has lost what came last.
 */
export async function beginAnewIfAhead(
  collections: readonly Collection[],
  newest: () => Promise<number>,
): Promise<void> {
  const states = await Promise.all(collections.map((collection) => collection.state()))
  const seen = Math.max(...states.map(seenUpTo))
  // Nobody is ahead of a history that it knows nothing of, nor is one asked for then.
  const revision = seen === 0 ? 0 : await newest()
  if (seen <= revision) return
  for (const collection of collections) await collection.drop()
  collections[0]!.parts.notices.once({
    key: 'storage.older_than_index',
    message: `what is stored is older than its index knew it (change ${revision} of ${seen}): the database was replaced by an earlier one, or has lost its newest transactions; the index is built again from what there is`,
    hint: 'If nobody restored a backup, look for a ralph.db-wal and for copies of ralph.db before you go on; ralph doctor',
  })
}
