import { isRalphError, throwIfAborted } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import type { StagingRow } from '../storage/tables.ts'
import { camelKeys, snakeKeys } from '../text/case.ts'
import { deterministicUuid } from '../text/ids.ts'
import { asObject } from '../text/json.ts'
import { z } from '../text/schema.ts'
import { type CaptureOptions, stage, stagingRow } from './capture.ts'
import { paged } from './paged.ts'
import { expiryLimit } from './retention.ts'
import { entryOf, stagedEntryOf } from './rows.ts'
import { importedTask } from './sources.ts'

export interface ImportResult {
  /** Staged now; the next checkpoint embeds them. */
  imported: number
  /** Here before: importing twice changes nothing. */
  known: number
  rejected: { line: number; reason: string }[]
}

export interface KnowledgeImportOptions {
  /** For lines that do not say which project they come from. */
  project?: string | undefined
  /** What the project in which this happens is filed under; undefined for any other. */
  keyHere?: ((project: unknown) => string | undefined) | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((lines: number) => void) | undefined
}

const BATCH = 200
const PAGE = 500

/** Stages one entry per line. A bad line is reported with its number and does not stop the others. */
export async function importEntries(
  storage: Storage,
  lines: AsyncIterable<string> | Iterable<string>,
  options: KnowledgeImportOptions,
  now: number,
): Promise<ImportResult> {
  const result: ImportResult = { imported: 0, known: 0, rejected: [] }
  let batch: StagingRow[] = []
  const flush = async () => {
    if (batch.length === 0) return
    const rows = batch
    batch = []
    const stored = await storage.transaction((db) => stage(db, rows))
    result.imported += stored.length
    result.known += rows.length - stored.length
    options.onProgress?.(line)
  }
  let line = 0
  for await (const text of lines) {
    line++
    throwIfAborted(options.signal)
    if (text.trim() === '') continue
    try {
      batch.push(rowOf(text, options, now))
    } catch (error) {
      if (!isRalphError(error) && !(error instanceof SyntaxError)) throw error
      result.rejected.push({ line, reason: isRalphError(error) ? error.message : 'not JSON' })
    }
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  return result
}

/** Other spellings of the same fields, as they stand in files of other origin. */
const ALIASES: Record<string, string> = {
  entryType: 'kind',
  timestamp: 'capturedAt',
  time: 'capturedAt',
}

function rowOf(text: string, from: KnowledgeImportOptions, now: number): StagingRow {
  const given = asObject(camelKeys(JSON.parse(text.replace(/^\uFEFF/, '')))) ?? {}
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [ALIASES[name] ?? name, value]),
  )
  const { id, capturedAt, successCount, task, by, projectId: named, ...entry } = fields
  const project = entry['project'] ?? named ?? from.project
  const projectId = z.uuid().safeParse(named).data ?? from.keyHere?.(project)
  // Trusted no further than their form: checked with the rest of the options.
  const options = { id, capturedAt, successCount, task, by, projectId } as CaptureOptions
  const row = stagingRow({ ...entry, project }, options, now)
  const imported = { ...row, task: importedTask(row.task) }
  if (id !== undefined) return imported
  // A line without an id gets one from what it says and who says it, so that the same again changes nothing.
  const source = task === undefined && by === undefined ? [] : [row.task, row.person]
  return { ...imported, id: deterministicUuid('import', row.project, row.twin_key, ...source) }
}

/** One line per entry, staged ones included, ready to be imported elsewhere; page by page, whatever their number. */
export async function* exportJsonl(storage: Storage, now: number): AsyncGenerator<string> {
  const entries = storage.db
    .selectFrom('knowledge_entries')
    .selectAll()
    .where('embedded_at', '>=', expiryLimit(now))
    .orderBy('id')
    .limit(PAGE)
  for await (const row of paged((after) => entries.where('id', '>', after).execute()))
    yield JSON.stringify(snakeKeys(entryOf(row)))
  const staged = storage.db.selectFrom('knowledge_staging').selectAll().orderBy('id').limit(PAGE)
  for await (const row of paged((after) => staged.where('id', '>', after).execute())) {
    const { verified: _, ...entry } = stagedEntryOf(row)
    const { success_count: successCount, task, person: by } = row
    yield JSON.stringify(snakeKeys({ ...entry, successCount, task, by }))
  }
}
