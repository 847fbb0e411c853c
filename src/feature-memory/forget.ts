import { RalphError } from '../errors.ts'
import { type IterationRecord, iterationId } from './record.ts'

/** Which records to forget; everything when nothing is given. */
export interface ForgetSelection {
  iterations?: readonly number[] | undefined
  taskId?: number | undefined
  /** As `iterationId` names them: one of several that a merge brought under the same number. */
  ids?: readonly string[] | undefined
}

/** What else there is of forgotten iterations: whoever keeps it is told. */
export interface ForgottenIterations {
  feature: string
  everything: boolean
  records: readonly IterationRecord[]
}

interface Forgetting {
  everything: boolean
  /** By its letters alone: most lines need not be looked into. */
  mayMatch: (line: string) => boolean
  choose: (records: readonly IterationRecord[]) => IterationRecord[]
}

/** What a selection means for the lines of a journal. Throws when a number stands for more than one record. */
export function forgetting({ iterations, taskId, ids }: ForgetSelection): Forgetting {
  const wanted = [
    ...numbered('iteration_number', iterations),
    ...numbered('task_id', taskId === undefined ? undefined : [taskId]),
  ]
  const matches = (record: IterationRecord) =>
    (iterations === undefined || iterations.includes(record.iterationNumber)) &&
    (taskId === undefined || record.taskId === taskId) &&
    (ids === undefined || ids.includes(iterationId(record)))
  return {
    everything: iterations === undefined && taskId === undefined && ids === undefined,
    mayMatch: (line) => wanted.every((pattern) => pattern.test(line)),
    choose: (records) => {
      const chosen = records.filter(matches)
      if (iterations !== undefined && ids === undefined) refuseTwins(chosen)
      return chosen
    },
  }
}

function numbered(key: string, numbers: readonly number[] | undefined): RegExp[] {
  return numbers === undefined ? [] : [new RegExp(`"${key}"\\s*:\\s*(?:${numbers.join('|')})\\b`)]
}

/** A number that stands twice names nobody. */
function refuseTwins(records: readonly IterationRecord[]): void {
  const seen = new Map<number, IterationRecord[]>()
  for (const record of records)
    seen.set(record.iterationNumber, [...(seen.get(record.iterationNumber) ?? []), record])
  const twins = [...seen.values()].find((same) => same.length > 1)
  if (!twins) return
  const which = twins.map((record) => `${iterationId(record)} (${record.timestamp}, ${record.taskTitle})`)
  throw new RalphError(
    'conflict',
    `iteration ${twins[0]!.iterationNumber} stands ${twins.length} times in the journal, as after a merge: ${which.join('; ')}`,
    { hint: `Say which one: --id ${iterationId(twins[0]!)}` },
  )
}
