import type { Notices } from '../notices.ts'

/** Somebody has to know: whoever restored a backup does, and whoever did not has lost what came last. */
export function sayOlderThanIndex(
  notices: Notices,
  { newest, seen }: { newest: number; seen: number },
): void {
  notices.once({
    key: 'conversations.older_than_index',
    message: `the stored conversations are older than their index knew them (change ${newest} of ${seen}): the database was replaced by an earlier one, or has lost its newest transactions; the index is built again from what there is`,
    hint: 'If nobody restored a backup, look for a ralph.db-wal and for copies of ralph.db before you go on; ralph doctor',
  })
}
