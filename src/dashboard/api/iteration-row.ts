import { changedPaths } from '../../feature-memory/endings.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import { endingRemark } from '../../telling/ending-words.ts'
import { memoryRemark } from '../../telling/memory-words.ts'
import { oneLine } from '../../text/truncate.ts'

const SUMMARY = 300

/** One iteration as a line in a list. */
export function iterationRow(record: IterationRecord) {
  const { iterationNumber, kind, taskId, taskTitle, outcome, timestamp, durationMs, costUsd, tokensUsed } =
    record
  const { agent } = record
  return {
    ...{
      iterationNumber,
      kind,
      taskId,
      taskTitle,
      outcome,
      timestamp,
      durationMs,
      costUsd,
      tokensUsed,
      agent,
    },
    remark: endingRemark(record),
    withoutMemory: memoryRemark(record),
    summary: oneLine(record.summary, SUMMARY),
    changedFiles: changedPaths(record).length,
    errors: record.errors.length,
    failedChecks: record.checks.filter(({ result }) => result === 'failed').length,
    passedChecks: record.checks.filter(({ result }) => result === 'passed').length,
  }
}

export type IterationRow = ReturnType<typeof iterationRow>
