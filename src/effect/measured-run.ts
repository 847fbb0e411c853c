import { ranToItsEnd, wasInVain } from '../feature-memory/endings.ts'
import { ErrorLedger } from '../feature-memory/ledger/error-ledger.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import { isTelling } from '../text/error-signature.ts'

/** One run on a task, in what a comparison needs of it. */
export interface MeasuredRun {
  feature: string
  taskId: number
  timestamp: string
  /** Whether memory stood before it, how much there was, and whether a draw decided; absent in older records. */
  memory?: IterationRecord['memory']
  /** It was ended from outside, so that it shows nothing: by a person, the machine, the service, missing permissions. */
  isCutOff: boolean
  /** An earlier run of the feature had met an error: only then can one be met again. */
  couldRepeat: boolean
  /** It met an error that an earlier run of the feature had met. */
  repeated: boolean
  done: boolean
  costUsd?: number | undefined
}

/**
 * Takes the records of one feature's journal, oldest first, and keeps its runs on tasks. Errors are told apart as the ledger
 * does it; those whose words say nothing ("exit code 1") are never taken for the same. A run that used up its time, its turns
 * or its context counts: that may well have come of what it was told.
 */
export class RunMeasurer {
  readonly runs: MeasuredRun[] = []
  readonly #ledger: ErrorLedger
  #couldRepeat = false

  constructor(options: { project?: string } = {}) {
    this.#ledger = new ErrorLedger(options)
  }

  add(record: IterationRecord): void {
    const met = this.#ledger.add(record).filter(({ signature }) => isTelling(signature))
    const { feature, taskId, timestamp, memory, costUsd } = record
    if (record.kind === 'task' && taskId > 0)
      this.runs.push({
        ...{ feature, taskId, timestamp, memory, costUsd },
        isCutOff: !ranToItsEnd(record) && !wasInVain(record),
        couldRepeat: this.#couldRepeat,
        repeated: met.some(({ again }) => again),
        done: record.ending.kind === 'done',
      })
    this.#couldRepeat ||= met.length > 0
  }
}
