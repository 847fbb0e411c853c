import type { ProjectKey } from '../identity/identity.ts'
import type { Collection, MeaningSample } from '../retrieval/collection.ts'
import type { Storage } from '../storage/storage.ts'
import { problemOf, solutionOf } from './entry-text.ts'
import { listEntries } from './listing.ts'
import { expiryLimit } from './retention.ts'

/** An entry in short; its id is that of its document. */
export interface EntryNote {
  text: string
  capturedAt: string
}

interface SampleParts {
  storage: Storage
  collection: Collection
  clock: () => number
  project?: ProjectKey | undefined
}

/** Knowledge is of the user or team: which of it is this project's, the database knows. */
export async function sampleEntries(
  { storage, collection, clock, project }: SampleParts,
  limit: number,
): Promise<MeaningSample<EntryNote>> {
  if (!project) return { documents: 0, sampled: [] }
  const { documents } = await storage.db
    .selectFrom('knowledge_entries')
    .where('project_id', '=', project.key)
    .where('embedded_at', '>=', expiryLimit(clock()))
    .select(storage.db.fn.countAll<number>().as('documents'))
    .executeTakeFirstOrThrow()
  if (documents === 0) return { documents: 0, sampled: [] }
  const { entries } = await listEntries(storage, { project: project.key, limit }, clock())
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  const sample = await collection.sample(known.size, [...known.keys()])
  const sampled = sample.sampled.flatMap(({ id, vector }) => {
    const entry = known.get(id)
    if (!entry) return []
    const text = `${problemOf(entry)} → ${solutionOf(entry)}`
    return [{ id, vector, text, capturedAt: entry.capturedAt }]
  })
  return { ...sample, documents, sampled }
}
