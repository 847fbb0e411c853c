import type { Task } from '../../board/task.ts'
import type { FeatureMemory } from '../../feature-memory/feature-memory.ts'
import type { IterationRecord, RunMemory } from '../../feature-memory/record.ts'
import { type ExtractedIteration, iterationOf, type TaskState } from '../../feature-memory/record-run.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'
import type { LoopParts } from '../parts.ts'
import type { RunFacts } from '../run-file.ts'
import { lookedUp } from './looked-up.ts'

/** What happened in a run of the loop, ready to be stored. */
export function iterationOfRun(
  { project, runPrices: prices }: Pick<LoopParts, 'project' | 'runPrices'>,
  facts: RunFacts,
  run: AgentRun,
  after: TaskState | undefined,
): ExtractedIteration {
  const { feature, taskId, taskTitle, discipline, modelTier, review, startedAt, memory } = facts
  // A review has no task whose status could tell.
  const task = review || !after ? undefined : { before: facts.before, after }
  const kind = review ? 'review' : 'task'
  const source = { run, kind, feature, taskId, taskTitle, discipline, modelTier, task } as const
  const extracted = iterationOf(run, source, { project, prices })
  return { ...extracted, timestamp: startedAt, ...(memory && { memory: withLookUps(memory, run) }) }
}

/** Of interest only where memory was kept from the run. */
function withLookUps(memory: RunMemory, run: AgentRun): RunMemory {
  const count = memory.given ? 0 : lookedUp(run)
  return count > 0 ? { ...memory, lookedUp: count } : memory
}

export function stateOf(tasks: readonly Task[], taskId: number): TaskState | undefined {
  const task = tasks.find(({ id }) => id === taskId)
  return task && { status: task.status, comments: task.comments.length }
}

/** The record of this run, if a loop that crashed afterwards had stored it already. */
export async function recordedBefore(
  memory: FeatureMemory,
  facts: RunFacts,
): Promise<IterationRecord | undefined> {
  for await (const record of memory.journal(facts.feature).records()) {
    if (record.timestamp === facts.startedAt && record.taskId === facts.taskId) return record
  }
  return undefined
}
