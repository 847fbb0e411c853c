import type { ProjectKey } from '../identity/identity.ts'
import type { Queries, Storage } from '../storage/storage.ts'
import { truncate } from '../text/truncate.ts'
import { ENTRY_CAPS } from './entry.ts'

const TABLES = ['knowledge_staging', 'knowledge_entries', 'knowledge_sightings', 'gates'] as const

/**
 * Files under a project's key what it has under former ones: its path, before it had an id. All at once, so that nobody
 * finds half of it; whoever comes second finds nothing left to do.
 */
export async function refile(
  storage: Storage,
  { key, path, formerly }: ProjectKey,
  features: () => Promise<readonly string[]>,
): Promise<void> {
  // Long paths were kept with their end cut off.
  const paths = [path, truncate(path, ENTRY_CAPS.name)]
  const former = [...(formerly.includes(path) ? paths : []), ...formerly].filter((one) => one !== key)
  if (former.length === 0 || !(await isAnyFiled(storage.db, former))) return
  const known = ['', ...(await features())]
  await storage.transaction(async (db) => {
    for (const table of TABLES) {
      const rows = db.updateTable(table).set({ project_id: key }).where('project_id', 'in', former)
      // On a server several projects may have lain at this path, each in a container of its own: a gate tells whose it is.
      const mine =
        table === 'gates' && storage.dialect === 'postgres'
          ? rows.where((row) => row.or([row('project_id', 'not in', paths), row('feature', 'in', known)]))
          : rows
      await mine.execute()
    }
  })
}

async function isAnyFiled(db: Queries, keys: readonly string[]): Promise<boolean> {
  for (const table of TABLES) {
    const row = await db.selectFrom(table).select('id').where('project_id', 'in', keys).limit(1).execute()
    if (row.length > 0) return true
  }
  return false
}
