import type { Person } from '../../identity/person.ts'
import { isOwnerAlive } from '../../storage/leases.ts'
import type { Storage } from '../../storage/storage.ts'
import type { WorkerActivity, WorkerState } from './worker.ts'

/** A worker that has not shown itself for this long is not there any more. */
const GONE_AFTER_MS = 20_000

export interface SeenWorker extends WorkerActivity {
  worker: string
  owner: string
}

/** The person's workers of all processes that show signs of life. */
export async function seenWorkers({ db }: Storage, person: Person, now: Date): Promise<SeenWorker[]> {
  const rows = await db
    .selectFrom('conversation_workers')
    .selectAll()
    .where('person', '=', person.id)
    .execute()
  return rows
    .filter(({ owner, seen_at }) => Number(seen_at) > now.getTime() - GONE_AFTER_MS && isOwnerAlive(owner))
    .map((row) => ({
      worker: row.worker,
      owner: row.owner,
      state: row.state as WorkerState,
      currentItem: row.current_item ?? undefined,
      done: row.done,
      total: row.total,
      problem: row.problem ?? undefined,
    }))
}
