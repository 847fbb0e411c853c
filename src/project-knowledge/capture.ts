import { randomUUID } from 'node:crypto'
import { RalphError } from '../errors.ts'
import { FREE } from '../storage/leases.ts'
import type { Queries, Storage } from '../storage/storage.ts'
import type { StagingRow } from '../storage/tables.ts'
import { redact } from '../text/redact.ts'
import { z } from '../text/schema.ts'
import { truncate } from '../text/truncate.ts'
import { cleanKnowledge } from './clean.ts'
import { contentOf, ENTRY_CAPS, type Knowledge } from './entry.ts'
import { type StagedEntry, stagedEntryOf } from './rows.ts'
import { unnamedTask } from './sources.ts'
import { twinKeys } from './twin-keys.ts'

export interface CaptureOptions {
  /** A UUID; the same one a second time changes nothing. For callers that may repeat themselves after a crash. */
  id?: string | undefined
  /** ISO 8601; default: now. */
  capturedAt?: string | undefined
  /** More than 1 only for what is imported. */
  successCount?: number | undefined
  /** The task it comes from, in whatever way the project names it, and the person: the same ones count once. */
  task?: string | number | undefined
  by?: string | undefined
  /** What the project's memory is filed under; default: the project as it is named. */
  projectId?: string | undefined
}

export interface Captured {
  /** `known`: this id is already staged or embedded. */
  status: 'staged' | 'known'
  id: string
  /** What was stored: cleaned, cut to its caps. */
  entry: StagedEntry | undefined
}

const LONGEST_PATH = 4_096

const Options = z.object({
  id: z.optional(z.uuid({ error: 'id must be a UUID' })),
  capturedAt: z.optional(z.iso.datetime({ offset: true, error: 'captured_at must be a time in ISO 8601' })),
  successCount: z.optional(
    z
      .int({ error: 'success_count must be a whole number' })
      .check(
        z.minimum(1, { error: 'success_count must be at least 1' }),
        z.maximum(1_000_000, { error: 'success_count is implausible' }),
      ),
  ),
  task: z.pipe(
    z._default(z.union([z.string(), z.number()], { error: 'task must be text' }), ''),
    z.transform(shortName),
  ),
  by: z.pipe(z._default(z.string({ error: 'by must be text' }), ''), z.transform<string, string>(shortName)),
  projectId: z.optional(
    z.string({ error: 'project_id must be text' }).check(z.minLength(1), z.maxLength(LONGEST_PATH)),
  ),
})

function shortName(name: string | number): string {
  return truncate(redact(String(name)).trim(), ENTRY_CAPS.name)
}

/** Validates and cleans an entry and puts it into staging; it is durable when this returns. */
export async function capture(
  storage: Storage,
  value: unknown,
  options: CaptureOptions,
  now: number,
): Promise<Captured> {
  const row = stagingRow(value, options, now)
  const stored = await storage.transaction((db) => stage(db, [row]))
  return stored.length > 0
    ? { status: 'staged', id: row.id, entry: stagedEntryOf(row) }
    : { status: 'known', id: row.id, entry: undefined }
}

export function stagingRow(value: unknown, options: CaptureOptions, now: number): StagingRow {
  const knowledge = cleanKnowledge(value)
  const checked = Options.safeParse(options)
  if (!checked.success) {
    throw new RalphError('invalid_input', checked.error.issues.map((issue) => issue.message).join('; '))
  }
  const { id = randomUUID(), capturedAt, successCount = 1, task, by, projectId } = checked.data
  const columns = filedColumns(knowledge)
  return {
    ...columns,
    project_id: projectId ?? knowledge.project,
    id: id.toLowerCase(),
    captured_at: capturedAt === undefined ? now : Date.parse(capturedAt),
    success_count: successCount,
    task: task || unnamedTask(columns.twin_key),
    person: by,
    ...FREE,
  }
}

/** The columns that follow from what an entry says. */
export function filedColumns(knowledge: Knowledge) {
  const keys = twinKeys(knowledge)
  return {
    entry_type: knowledge.kind,
    project: knowledge.project,
    agent_type: knowledge.agentType,
    task_type: knowledge.taskType,
    technology: knowledge.technology,
    content: contentOf(knowledge),
    twin_key: keys.twin,
    problem_key: keys.problem,
    solution_key: keys.solution,
    verified:
      knowledge.kind === 'failure_solution' && !knowledge.successVerified ? (0 as const) : (1 as const),
  }
}

/** Stages what is not here yet, staged or embedded or merged into a twin. Returns the ids of those. */
export async function stage(db: Queries, rows: readonly StagingRow[]): Promise<string[]> {
  const ids = rows.map((row) => row.id)
  const seen = await db.selectFrom('knowledge_sightings').select('id').where('id', 'in', ids).execute()
  const known = new Set(seen.map((row) => row.id))
  const fresh = rows.filter((row) => !known.has(row.id))
  if (fresh.length === 0) return []
  const stored = await db
    .insertInto('knowledge_staging')
    .values(fresh)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return stored.map((row) => row.id)
}
