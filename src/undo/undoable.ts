import type { HistoryParts } from './changes.ts'

/** Does something that a person may want undone; `label` says what, in the words of the command. */
export async function undoable<Result>(
  { config, board, notices }: HistoryParts,
  label: string,
  work: () => Promise<Result>,
  options?: { remark?: string | undefined },
): Promise<Result> {
  const { ChangeHistory } = await import('./changes.ts')
  return new ChangeHistory({ config, board, notices }).during(label, work, options)
}

/** Something was done for good, and why nothing brings it back. */
export async function doneForGood(
  { config, board, notices }: HistoryParts,
  label: string,
  why: string,
): Promise<void> {
  const { ChangeHistory } = await import('./changes.ts')
  await new ChangeHistory({ config, board, notices }).noteFinal(label, why)
}
