import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import type { SourceRow } from '../../storage/tables.ts'
import type { SessionFile } from '../../transcripts/kept-sessions.ts'

/** Asked about together: most sessions have not changed since the last import. */
export const FILES_AT_ONCE = 500

/** Those of the sessions that an import would read: new ones, and those that were written to since. */
export async function unreadFiles<File extends SessionFile>(
  storage: Storage,
  person: Person,
  files: readonly File[],
): Promise<File[]> {
  const unread: File[] = []
  for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
    const group = files.slice(at, at + FILES_AT_ONCE)
    const known = await readBefore(storage, person, group)
    unread.push(...group.filter((file) => !isRead(file, known.get(file.path))))
  }
  return unread
}

export function isRead({ identity, size, modifiedAt }: SessionFile, known: SourceRow | undefined): boolean {
  return known?.identity === identity && known.size === size && known.modified_at === modifiedAt
}

/** What is known of sessions from earlier imports of this person. */
export async function readBefore(
  { db }: Storage,
  person: Person,
  files: readonly SessionFile[],
): Promise<Map<string, SourceRow>> {
  const paths = files.map(({ path }) => path)
  const rows = await db
    .selectFrom('conversation_sources')
    .selectAll()
    .where('person', '=', person.id)
    .where('path', 'in', paths)
    .execute()
  return new Map(rows.map((row) => [row.path, row]))
}

/** Notes how far each was read. */
export async function noteRead({ db }: Storage, rows: readonly SourceRow[]): Promise<void> {
  await db
    .insertInto('conversation_sources')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['person', 'path']).doUpdateSet((set) => ({
        identity: set.ref('excluded.identity'),
        size: set.ref('excluded.size'),
        modified_at: set.ref('excluded.modified_at'),
        byte_offset: set.ref('excluded.byte_offset'),
        fingerprint: set.ref('excluded.fingerprint'),
      })),
    )
    .execute()
}

/** Forgets that they were ever read. */
export async function forgetRead({ db }: Storage, person: Person, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE)
    await db
      .deleteFrom('conversation_sources')
      .where('person', '=', person.id)
      .where('path', 'in', paths.slice(at, at + FILES_AT_ONCE))
      .execute()
}
