import type { WorkerName, WorkerStatus } from '../conversation-memory/workers/workers.ts'
import { plural } from '../text/plural.ts'

const TITLES: Record<WorkerName, string> = {
  conversation: 'Conversation summarizer',
  exchange: 'Exchange summarizer',
  embedding: 'Embedding pipeline',
}

/** What a worker is doing, in a few lines. */
export function workerText(status: WorkerStatus): string {
  const { worker, progress, currentItem, totals, failures, waiting, problem } = status
  const givenUp = failures.filter((failure) => failure.givenUp)
  const retrying = failures.filter((failure) => !failure.givenUp)
  return [
    `${TITLES[worker]}: ${stateText(status)}`,
    ...(progress && progress.total > 0 ? [`  Progress: ${progress.done}/${progress.total}`] : []),
    ...(currentItem ? [`  Current: ${currentItem}`] : []),
    `  Completed: ${totals.completed}, failed: ${totals.failed}, waiting: ${waiting}`,
    ...(retrying.length ? [`  ! Retry queue: ${plural(retrying.length, 'item')}${nextTry(retrying)}`] : []),
    ...(givenUp.length
      ? [
          `  ! Given up: ${plural(givenUp.length, 'item')}, e.g. ${givenUp[0]!.itemId}: ${givenUp[0]!.problem}`,
          '    → bring them back with: ralph workers retry',
        ]
      : []),
    ...(problem ? [`  ! ${problem}`] : []),
  ].join('\n')
}

function stateText({ state, enabled, processes, waiting }: WorkerStatus): string {
  if (!enabled) return 'OFF'
  if (processes === 0)
    return waiting > 0 ? 'on, but not running (start with: ralph workers run)' : 'on, not running'
  return state === 'running' ? 'RUNNING' : 'IDLE'
}

function nextTry(retrying: WorkerStatus['failures']): string {
  const soonest = Math.min(...retrying.map(({ nextTry: at }) => at.getTime()))
  const seconds = Math.max(0, Math.round((soonest - Date.now()) / 1_000))
  return ` (next try in ${plural(seconds, 'second')}; last problem: ${retrying[0]!.problem})`
}
