import type { LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { SolvedError } from '../project-knowledge/promotion.ts'
import { isTelling } from '../text/error-signature.ts'
import type { FeatureHistory } from './history.ts'

type Past = Pick<FeatureHistory, 'ledger' | 'attempts'>

export interface SolvedOnTask {
  taskId: number
  error: SolvedError
}

/**
 * What this run settled: errors that outlived a run on a task which is done by now, and that a check shows solved. Either
 * the run finished the task, or its checks are the evidence for what an earlier one had done.
 */
export function solvedErrors(history: Past, record: IterationRecord): SolvedOnTask[] {
  return history.ledger.entries().flatMap((entry) => {
    const error = solvedError(entry)
    if (!error) return []
    const isNews = entry.solutions.at(-1)!.iteration === record.iterationNumber
    const tasks = new Set(
      entry.sightings
        .filter(({ taskId, iteration }) => taskId > 0 && iteration < error.solvedBy.iteration)
        .map(({ taskId }) => taskId),
    )
    return [...tasks]
      .filter((taskId) => (isNews || taskId === record.taskId) && isDone(history, taskId))
      .map((taskId) => ({ taskId, error }))
  })
}

function solvedError(entry: LedgerEntry): SolvedError | undefined {
  const solution = entry.solutions.at(-1)
  if (entry.life !== 'solved' || !solution?.by || !isTelling(entry.signature)) return undefined
  const { iteration, summary, decisions, files } = solution.by
  if (summary === '') return undefined
  return { id: entry.id, message: entry.message, solvedBy: { iteration, summary, decisions, files } }
}

function isDone(history: Past, taskId: number): boolean {
  return history.attempts(taskId)[0]?.outcome === 'success'
}
