import type { ProjectKey } from '../identity/identity.ts'
import type { Collection } from '../retrieval/collection.ts'
import type { Queries, Storage } from '../storage/storage.ts'

export interface ForgottenProject {
  entries: number
  gates: number
}

/** Removes what one project has taught; what others have met too stays, as theirs. */
export async function forgetProject({
  storage,
  collection,
  project,
}: {
  storage: Storage
  collection: Collection
  project?: ProjectKey | undefined
}): Promise<ForgottenProject> {
  if (!project) return { entries: 0, gates: 0 }
  const { key } = project
  const forgotten = await storage.transaction(async (db) => {
    const staged = await db
      .deleteFrom('knowledge_staging')
      .where('project_id', '=', key)
      .returning('id')
      .execute()
    const gates = await db.deleteFrom('gates').where('project_id', '=', key).returning('id').execute()
    await db.deleteFrom('knowledge_sightings').where('project_id', '=', key).execute()
    await leaveToOthers(db, key)
    const entries = await db
      .deleteFrom('knowledge_entries')
      .where('project_id', '=', key)
      .returning('id')
      .execute()
    return { staged, gates, entries }
  })
  await collection.remove(forgotten.entries.map(({ id }) => id))
  return { entries: forgotten.entries.length + forgotten.staged.length, gates: forgotten.gates.length }
}

/** An entry that another project has met as well is filed under that one from now on. */
async function leaveToOthers(db: Queries, key: string): Promise<void> {
  const others = await db
    .selectFrom('knowledge_sightings')
    .innerJoin('knowledge_entries', 'knowledge_entries.id', 'knowledge_sightings.entry_id')
    .select(['entry_id', 'knowledge_sightings.project', 'knowledge_sightings.project_id'])
    .where('knowledge_entries.project_id', '=', key)
    .orderBy('seen_at')
    .execute()
  for (const { entry_id, project, project_id } of others)
    await db
      .updateTable('knowledge_entries')
      .set({ project, project_id })
      .where('id', '=', entry_id)
      .execute()
}
