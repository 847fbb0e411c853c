import { complaintIn, serviceCauseIn } from './agent-trouble.ts'
import type { EndingCause, Outcome, RecordKind, RunEnding, TouchedFile } from './record.ts'

/** Of a record from before kinds were stored. */
export function olderKind({ taskId, modelTier }: { taskId: number; modelTier: string }): RecordKind {
  if (taskId > 0) return 'task'
  return modelTier === 'opus' ? 'review' : 'session'
}

/** What the fields of a record from before endings were stored tell of its end. */
export interface OlderRecord {
  outcome: Outcome
  summary: string
  errors: readonly { message: string; type?: string | undefined; command?: string | undefined }[]
  filesTouched: readonly TouchedFile[]
}

/** How one that was stopped was told, as an error or at the end of a summary. */
const STOPPED: readonly (readonly [EndingCause | undefined, RegExp])[] = [
  ['interrupted', /^The run was interrupted|\bThe run was interrupted\.?$/],
  ['time', /\bThe run was stopped because its time was up\.?$/],
  ['killed', /\bThe run was killed \(SIG[A-Z]+\)\.?$/],
  ['killed', /\bThe run ended with exit code (?:130|137|143) and no result\.?$/],
  [undefined, /\bThe run ended (?:without a result|with exit code \d+ and no result)\.?$/],
]

/** As truly as its fields allow: where they say nothing of the end, a run that was no success worked and was not done. */
export function olderEnding(record: OlderRecord): RunEnding {
  const { outcome, summary, errors, filesTouched } = record
  if (outcome === 'success') return { kind: 'done' }
  if (outcome === 'timeout') return { kind: 'stopped', cause: 'time' }
  const told = errors.filter(({ command }) => command === undefined).map(({ message }) => message)
  for (const detail of told) {
    const cause = serviceCauseIn(detail)
    if (cause) return { kind: 'service_failed', cause, detail }
  }
  if (outcome === 'rate_limited') return { kind: 'service_failed', cause: 'rate_limit' }
  const stop = STOPPED.find(([, pattern]) => pattern.test(summary) || told.some((text) => pattern.test(text)))
  if (stop) return { kind: 'stopped', ...(stop[0] && { cause: stop[0] }) }
  const changed = filesTouched.some(({ action }) => action !== 'read')
  const refused = errors.find(({ message }) => complaintIn(message) === 'refused')
  return refused && !changed ? { kind: 'refused', detail: refused.message } : { kind: 'worked' }
}
