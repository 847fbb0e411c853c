import type { Reading, Source } from '../retrieval/catch-up.ts'
import type { Draft } from '../retrieval/draft.ts'
import type { Storage } from '../storage/storage.ts'
import type { EntryRow } from '../storage/tables.ts'
import { sha256 } from '../text/ids.ts'
import { entryEmbeddingText, failureIn, searchText } from './entry-text.ts'
import { filterName } from './fields.ts'
import { paged } from './paged.ts'
import { type FiledRow, knowledgeOf } from './rows.ts'

export const COLLECTION = 'project_knowledge'
/** What a query may filter by; Qdrant keeps payload indexes on them. */
export const ENTRY_FILTERS = ['entry_type', 'agent_type', 'task_type', 'technology'] as const
/** Rows read at a time. */
const PAGE = 500
/** Raised when entries are found by more than before: then the next checkpoint writes them again. */
const MADE = 2
/** How far it came: the database has no order in which entries arrive, so all or nothing. */
const LEVEL = `level ${MADE}`

/**
 * The entries in the database, as documents. With `forAnotherIndex` it does not believe what the index says of itself
 * and leaves no word in the database, where changed entries wait for the index in use.
 */
export function entriesSource(storage: Storage, { forAnotherIndex = false } = {}): Source {
  return {
    name: 'entries',
    owns: () => true,
    read: async (since, use, documents) => {
      const total = await countEntries(storage)
      // Another machine may have added entries; a checkpoint that was interrupted leaves a document too many, never one too few.
      const whole = forAnotherIndex || since !== LEVEL || (await documents()) < total
      const outdated = new Map<string, string>()
      const reading: Reading = {
        whole,
        drafts: draftsOf(storage, whole, (row) => outdated.set(row.id, row.twin_key)),
        cursor: async () => LEVEL,
        ...(whole && { total }),
        ...(!forAnotherIndex && { stored: (drafts) => noteEmbedded(storage, drafts, outdated) }),
      }
      await use(reading)
    },
  }
}

export function entryDraft(row: FiledRow & { id: string }): Draft {
  const knowledge = knowledgeOf(row)
  const given = { agent_type: row.agent_type, task_type: row.task_type, technology: row.technology }
  const filed = {
    agent_type: filterName(given.agent_type),
    task_type: filterName(given.task_type),
    technology: filterName(given.technology),
  }
  const embedded = entryEmbeddingText(knowledge)
  // Earlier versions filed documents under the spelling that was given: with another hash they are written again.
  const filing = JSON.stringify(filed) === JSON.stringify(given) ? '' : JSON.stringify(filed)
  return {
    id: row.id,
    embedded,
    failure: failureIn(knowledge),
    searched: searchText(knowledge),
    textHash: sha256(`${MADE}\n${embedded}${filing}`),
    payload: () => ({ entry_type: row.entry_type, ...filed }),
  }
}

export function allEntries(storage: Storage): AsyncIterable<Draft> {
  return draftsOf(storage, true, () => undefined)
}

/** All entries, or those that were changed after they had been embedded. */
async function* draftsOf(
  storage: Storage,
  whole: boolean,
  onOutdated: (row: EntryRow) => void,
): AsyncGenerator<Draft> {
  const entries = storage.db.selectFrom('knowledge_entries').selectAll().orderBy('id').limit(PAGE)
  const wanted = whole ? entries : entries.where('outdated', '=', 1)
  for await (const row of paged((after) => wanted.where('id', '>', after).execute())) {
    if (row.outdated) onOutdated(row)
    yield entryDraft(row)
  }
}

async function noteEmbedded(
  storage: Storage,
  drafts: readonly Draft[],
  outdated: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { id } of drafts) {
    const twinKey = outdated.get(id)
    if (twinKey === undefined) continue
    // Changed once more meanwhile: embedded once more the next time.
    const same = storage.db
      .updateTable('knowledge_entries')
      .where('id', '=', id)
      .where('twin_key', '=', twinKey)
    await same.set({ outdated: 0 }).execute()
  }
}

export async function countEntries({ db }: Storage): Promise<number> {
  const row = await db
    .selectFrom('knowledge_entries')
    .select(db.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow()
  return row.entries
}
