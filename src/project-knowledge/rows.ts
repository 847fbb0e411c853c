import type { EntryRow, StagingRow } from '../storage/tables.ts'
import { fromContent, type Knowledge, type KnowledgeKind } from './entry.ts'

/** An entry that waits for a checkpoint. */
export type StagedEntry = Knowledge & {
  id: string
  /** What the project is filed under: its id, or its path or name where it has none. */
  projectId: string
  /** ISO 8601. */
  capturedAt: string
  /** False while a solution waits for its verification; it is not embedded until then. */
  verified: boolean
}

/** An entry that can be found. */
export type KnowledgeEntry = Knowledge & {
  id: string
  projectId: string
  capturedAt: string
  embeddedAt: string
  /** How often the same problem was solved the same way. */
  successCount: number
  /** How often the task succeeded, or failed, after this entry had been put into its prompt. */
  helped: number
  misled: number
}

/** What of a row tells what its entry says. */
export type FiledRow = Pick<
  EntryRow,
  'entry_type' | 'project' | 'agent_type' | 'task_type' | 'technology' | 'content'
>

export function knowledgeOf(row: FiledRow): Knowledge {
  const filing = {
    kind: row.entry_type as KnowledgeKind,
    project: row.project,
    agentType: row.agent_type,
    taskType: row.task_type,
    technology: row.technology,
  }
  return fromContent(filing, row.content)
}

export function stagedEntryOf(row: StagingRow): StagedEntry {
  return {
    ...knowledgeOf(row),
    id: row.id,
    projectId: row.project_id,
    capturedAt: isoTime(row.captured_at),
    verified: row.verified === 1,
  }
}

export function entryOf(row: EntryRow): KnowledgeEntry {
  return {
    ...knowledgeOf(row),
    id: row.id,
    projectId: row.project_id,
    capturedAt: isoTime(row.captured_at),
    embeddedAt: isoTime(row.embedded_at),
    successCount: row.success_count,
    helped: row.helped,
    misled: row.misled,
  }
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
