import type { Journal } from './journal.ts'
import type { IterationRecord } from './record.ts'

/** What tells one run from another: the agent's own name for it, when it was, and what it came to. */
export interface RunIdentity
  extends Pick<IterationRecord, 'agent' | 'sessionId' | 'startedAt' | 'endedAt' | 'tokensUsed' | 'summary'> {}

/** A run next to what the journal has of its session. */
export type Acquaintance =
  | { kind: 'new' }
  /** All of it is in that record. */
  | { kind: 'known'; record: IterationRecord }
  /** A session that went on after it was recorded: new is only what came after this moment. */
  | { kind: 'grown'; after: string }

/**
 * Whether a run has been recorded before. An agent resumes a session under the same name, so the name alone does not tell:
 * a run that ends within a recorded stretch of its session is known; one that begins in it and ends later has grown; any
 * other is a further stretch. Old programs write no times: there, the same end and the same tokens are the same run.
 */
export async function acquaintance(journal: Journal, run: RunIdentity): Promise<Acquaintance> {
  if (run.sessionId === undefined) return { kind: 'new' }
  const { sessionId } = run
  let after: string | undefined
  for await (const record of journal.newestFirst((line) => line.includes(sessionId))) {
    if (record.sessionId !== sessionId || record.agent !== run.agent) continue
    if (isWithin(run, record)) return { kind: 'known', record }
    if (goesBeyond(run, record) && (after === undefined || record.endedAt! > after)) after = record.endedAt
  }
  return after === undefined ? { kind: 'new' } : { kind: 'grown', after }
}

function isWithin(run: RunIdentity, record: IterationRecord): boolean {
  if (run.endedAt === undefined || record.endedAt === undefined)
    return run.summary === record.summary && run.tokensUsed === record.tokensUsed
  return run.endedAt <= record.endedAt && run.endedAt >= (record.startedAt ?? record.endedAt)
}

function goesBeyond({ startedAt, endedAt }: RunIdentity, record: IterationRecord): boolean {
  if (startedAt === undefined || endedAt === undefined || record.endedAt === undefined) return false
  return startedAt <= record.endedAt && endedAt > record.endedAt
}
