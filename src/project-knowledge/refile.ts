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
  { key, formerly }: ProjectKey,
  features: () => Promise<readonly string[]>,
): Promise<void> {
  const others = formerly.filter((former) => former !== key)
  // Long paths were kept with their end cut off.
  const former = [...new Set(others.flatMap((other) => [other, truncate(other, ENTRY_CAPS.name)]))]
  if (former.length === 0 || !(await isAnyFiled(storage.db, former))) return
  const known = await features()
  await storage.transaction(async (db) => {
    for (const table of TABLES) {
      let rows = db.updateTable(table).set({ project_id: key }).where('project_id', 'in', former)
      // On a server several projects may have lain at this very path, each in a container of its own: a gate tells whose it is.
      if (table === 'gates' && storage.dialect === 'postgres')
        rows = rows.where('feature', 'in', ['', ...known])
      await rows.execute()
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
