import { isRalphError, messageOf, throwIfAborted } from '../errors.ts'
import { workOutFacts } from '../hooks/facts/work-out.ts'
import { makeFindable } from '../hooks/record-session.ts'
import type { Ralph } from '../ralph.ts'
import type { AgentName } from '../transcripts/agents.ts'
import { type FoundSession, keptSessions } from '../transcripts/kept-sessions.ts'
import { SyncLedger } from './ledger.ts'
import { QUIET_MS } from './new-sessions.ts'
import { recordKept, type SyncedSession } from './record-kept.ts'

export interface SyncRequest {
  /** Only this agent's sessions. */
  agent?: AgentName | undefined
  /** Only what was written to since, in milliseconds; default: what is recent the first time, what is new from then on. */
  since?: number | undefined
  /** Also sessions that may still go on: what they have done by now. */
  running?: boolean | undefined
  onProgress?: ((done: number, of: number) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface SyncReport {
  /** What became part of memory. */
  recorded: SyncedSession[]
  /** Sessions of the project that were found. */
  found: number
  /** Nothing is new in them, nothing is worth recording, or somebody else records them. */
  unchanged: number
  /** They may still go on. */
  running: number
  /** Too long ago to be taken unasked. */
  older: number
  /** What could not be read, and why. */
  failed: { agent: AgentName; path?: string; why: string }[]
}

/** Records what agents have done in this project and no hook has told: from the sessions that their programs keep. */
export async function syncSessions(ralph: Ralph, request: SyncRequest = {}): Promise<SyncReport> {
  const { config } = ralph
  const { agent, signal, onProgress } = request
  const now = Date.now()
  const ledger = new SyncLedger(config, now)
  const since = request.since ?? ledger.since
  const { sessions, failures } = await keptSessions(config.sessionPlaces, {
    agent,
    project: config.project,
    signal,
  })
  const whole = sessions.filter(({ isWhole }) => isWhole)
  const report: SyncReport = {
    recorded: [],
    found: whole.length,
    unchanged: 0,
    running: 0,
    older: 0,
    failed: failures.map(({ agent: whose, error }) => ({ agent: whose, why: error.message })),
  }
  const due = whole.filter((session) => isDue(session, { ledger, since, now, request, report }))
  // In the order in which it happened.
  due.reverse()
  try {
    for (const [at, session] of due.entries()) {
      throwIfAborted(signal)
      onProgress?.(at, due.length)
      await take(ralph, session, { ledger, report, running: request.running === true })
    }
  } finally {
    // Of one agent alone is not all that there was to be seen.
    const lookedAt = agent === undefined ? now - QUIET_MS : ledger.lookedAt
    ledger.save({
      since: Math.min(since, ledger.since),
      lookedAt: signal?.aborted ? ledger.lookedAt : lookedAt,
    })
  }
  if (report.recorded.length > 0) await settle(ralph, report.recorded)
  return report
}

interface Sorting {
  ledger: SyncLedger
  since: number
  now: number
  request: SyncRequest
  report: SyncReport
}

function isDue(session: FoundSession, { ledger, since, now, request, report }: Sorting): boolean {
  if (ledger.knows(session)) report.unchanged++
  else if (session.modifiedAt < since) report.older++
  else if (!request.running && now - session.modifiedAt < QUIET_MS) report.running++
  else return true
  return false
}

async function take(
  ralph: Ralph,
  session: FoundSession,
  { ledger, report, running }: { ledger: SyncLedger; report: SyncReport; running: boolean },
): Promise<void> {
  try {
    const came = await recordKept(ralph, session, { running })
    if (came === 'running') report.running++
    else {
      ledger.add(session)
      if (came === 'nothing') report.unchanged++
      else report.recorded.push(came)
    }
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled') throw error
    report.failed.push({ agent: session.agent!, path: session.path, why: messageOf(error) })
  }
}

/** Once for all of them: what makes them findable, and what hooks have ready for the next session. */
async function settle(ralph: Ralph, recorded: readonly SyncedSession[]): Promise<void> {
  await makeFindable(ralph)
  const features = new Set(recorded.flatMap(({ feature }) => feature ?? []))
  for (const feature of features) await workOutFacts(ralph.config, feature)
}
