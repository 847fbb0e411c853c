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

/** How a run failed by the service was told then: as an error without a command. */
const SERVICE: readonly (readonly [EndingCause, RegExp])[] = [
  ['turns', /^Reached maximum number of turns/],
  ['budget', /^Reached maximum budget/],
  ['credit', /^Credit balance is too low|billing/i],
  ['key', /^Invalid API key|^OAuth (?:token|authentication)|Please run \/login/i],
  ['context', /^Prompt is too long/],
  [
    'rate_limit',
    /^The API was rate limited or overloaded|^API Error:\s*(?:Request rejected \()?(?:429|529)\b/,
  ],
  ['api', /^API Error\b|^Request timed out$|^The run ended with (?:an API error|error_)/],
]
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
  const failed = serviceEnding(told)
  if (failed) return failed
  if (outcome === 'rate_limited') return { kind: 'service_failed', cause: 'rate_limit' }
  const stop = STOPPED.find(([, pattern]) => pattern.test(summary) || told.some((text) => pattern.test(text)))
  if (stop) return { kind: 'stopped', ...(stop[0] && { cause: stop[0] }) }
  const changed = filesTouched.some(({ action }) => action !== 'read')
  const refused = errors.find(({ message }) => /^Permission to use \S+ .*has been denied/.test(message))
  return refused && !changed ? { kind: 'refused', detail: refused.message } : { kind: 'worked' }
}

function serviceEnding(messages: readonly string[]): RunEnding | undefined {
  for (const [cause, pattern] of SERVICE) {
    const detail = messages.find((message) => pattern.test(message))
    if (detail !== undefined) return { kind: 'service_failed', cause, detail }
  }
  return undefined
}
