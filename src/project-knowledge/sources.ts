import type { Queries } from '../storage/storage.ts'
import type { SightingRow } from '../storage/tables.ts'

/** Where a capture comes from. Each counts as a success once, however often it says the same. */
export interface CaptureSource {
  /** Where it lay, for people. */
  project: string
  /** What it is filed under. */
  projectId: string
  /** Where nobody named one, its words stand for it; empty in entries of earlier versions. */
  task: string
  /** Empty where nobody said. */
  person: string
}

/** How a task of a project is named, everywhere. */
export function taskSource(feature: string, taskId: string | number): string {
  return `${feature}/${taskId}`
}

/** The very same words again are a repetition; other words for it are another time that it happened. */
export function unnamedTask(twinKey: string): string {
  return `#${twinKey.slice(0, 16)}`
}

export function sourceOf(
  row: Pick<SightingRow, 'project' | 'project_id' | 'task' | 'person'>,
): CaptureSource {
  const { project, project_id: projectId, task, person } = row
  return { project, projectId, task, person }
}

/** The same for the same task of the same project, seen by the same person. */
export function sourceKey({ projectId, task, person }: CaptureSource): string {
  return JSON.stringify([projectId, task, person])
}

/** Whether nothing but one task of a project, which is named as it is filed, stands behind it. */
export function isOnlyFrom(
  task: Pick<CaptureSource, 'project' | 'task'> | undefined,
  sources: readonly CaptureSource[],
): boolean {
  return (
    task !== undefined &&
    sources.length > 0 &&
    sources.every((source) => source.projectId === task.project && source.task === task.task)
  )
}

const IMPORTED = 'import '

/** What a file says of its sources is its own claim: all that was imported counts as one. */
export function importedTask(task: string): string {
  return task.startsWith(IMPORTED) ? task : IMPORTED + task
}

/** One project, or one file, can invent tasks and people without end: so many count, which is never the most common way. */
const MOST_FROM_ONE = 4

/** How many successes the sources are worth; `unnamed`: those that an import brought beyond the sources it names. */
export function sourceWeight(sources: readonly CaptureSource[], unnamed: number): number {
  const counts = new Map([[IMPORTED, Math.max(0, unnamed)]])
  for (const { projectId, task } of sources) {
    const from = task.startsWith(IMPORTED) ? IMPORTED : projectId
    counts.set(from, (counts.get(from) ?? 0) + 1)
  }
  return [...counts.values()].reduce((sum, count) => sum + Math.min(count, MOST_FROM_ONE), 0)
}

/** Whose captures each entry stands for, each source once. */
export async function sourcesOf(
  db: Queries,
  entryIds: readonly string[],
): Promise<Map<string, CaptureSource[]>> {
  const sources = new Map<string, CaptureSource[]>()
  if (entryIds.length === 0) return sources
  const rows = await db
    .selectFrom('knowledge_sightings')
    .select(['entry_id', 'project', 'project_id', 'task', 'person'])
    .distinct()
    .where('entry_id', 'in', entryIds)
    .execute()
  for (const id of new Set(rows.map((row) => row.entry_id))) {
    const found = rows.filter((row) => row.entry_id === id).map(sourceOf)
    // From two checkouts of a project, the same task is still one.
    sources.set(id, [...new Map(found.map((source) => [sourceKey(source), source])).values()])
  }
  return sources
}
