import type { Queries } from '../storage/storage.ts'

/** Where a capture comes from. Each counts as a success once, however often it says the same. */
export interface CaptureSource {
  /** What it is filed under, wherever it lay. */
  project: string
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

export function sourceOf(row: { project_id: string; task: string; person: string }): CaptureSource {
  return { project: row.project_id, task: row.task, person: row.person }
}

/** The same for the same task of the same project, seen by the same person. */
export function sourceKey({ project, task, person }: CaptureSource): string {
  return JSON.stringify([project, task, person])
}

/** One person in one project can invent tasks without end: so many of them count, which is never the most common way. */
const MOST_FROM_ONE = 4

/** How many successes the sources are worth. */
export function sourceWeight(sources: readonly CaptureSource[]): number {
  const tasks = new Map<string, number>()
  for (const { project, person } of sources) {
    const key = JSON.stringify([project, person])
    tasks.set(key, (tasks.get(key) ?? 0) + 1)
  }
  return [...tasks.values()].reduce((sum, count) => sum + Math.min(count, MOST_FROM_ONE), 0)
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
    .select(['entry_id', 'project_id', 'task', 'person'])
    .distinct()
    .where('entry_id', 'in', entryIds)
    .execute()
  for (const { entry_id: id, ...row } of rows) sources.set(id, [...(sources.get(id) ?? []), sourceOf(row)])
  return sources
}
