import type { TaskState } from '../../feature-memory/extract/outcome.ts'
import type { FeatureMemory } from '../../feature-memory/feature-memory.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import { iterationOf } from '../../feature-memory/record-run.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'
import type { RunFacts } from '../run-file.ts'

/** Extracts what happened and appends it to the journal; the returned record is on the disk. */
export async function journalRun(
  memory: FeatureMemory,
  project: string,
  facts: RunFacts,
  run: AgentRun,
  after: TaskState | undefined,
): Promise<IterationRecord> {
  const { feature, taskId, taskTitle, discipline, modelTier } = facts
  // A review has no task whose status could tell; an iteration that somebody stopped is no failed attempt.
  const task = facts.review || !after ? undefined : { before: facts.before, after }
  const cutOff = facts.stopped === 'interrupted' && after?.status !== 'done'
  const fields = iterationOf(
    run,
    {
      run,
      feature,
      taskId,
      taskTitle,
      discipline,
      modelTier,
      task,
      ...(cutOff && { outcome: 'partial' as const }),
    },
    project,
  )
  return memory.recordIteration({ ...fields, timestamp: facts.startedAt })
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
