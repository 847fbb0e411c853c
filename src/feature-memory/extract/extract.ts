import type { AgentRun } from '../../transcripts/agent-run.ts'
import type { Decision, Outcome, RecordedCheck, RecordedError, RunEnding, TouchedFile } from '../record.ts'
import { readCalls } from './calls.ts'
import { extractChecks } from './checks.ts'
import { extractCommitted } from './committed.ts'
import { extractDecisions } from './decisions.ts'
import { extractEnding } from './ending.ts'
import { extractErrors } from './errors.ts'
import { extractFiles } from './files.ts'
import { extractOutcome, type TaskChange } from './outcome.ts'
import { ProjectRoot } from './project-root.ts'
import { extractSaid } from './said.ts'
import { extractSummary } from './summary.ts'
import { extractUsage, type Usage } from './usage.ts'

export interface ExtractOptions {
  /** Absolute path of the project; paths become relative to it. */
  project: string
  /** The task before and after the run, where a task is known. */
  task?: TaskChange
}

/** What happened in a run, in the fields of a record. */
export interface Extraction extends Usage {
  outcome: Outcome
  ending: RunEnding
  checks: RecordedCheck[]
  agent?: string
  sessionId?: string
  startedAt?: string
  endedAt?: string
  summary: string
  said?: string
  committed?: string[]
  errors: RecordedError[]
  decisions: Decision[]
  filesTouched: TouchedFile[]
  /** When the run ended by its own clock, ISO 8601 in UTC: the same transcript always gives the same record. */
  timestamp?: string
}

/** Pure: no clock, no disk, no environment. Whatever an agent wrote, it gives a valid, if poor, account. */
export function extract(run: AgentRun, { project, task }: ExtractOptions): Extraction {
  const root = new ProjectRoot(run, project)
  const calls = readCalls(run, root)
  const filesTouched = extractFiles(calls, root)
  const errors = extractErrors(run, calls, root, filesTouched)
  const outcome = extractOutcome(run, calls, filesTouched, task)
  const summary = extractSummary(run, filesTouched, errors)
  const said = extractSaid(run, summary)
  const committed = extractCommitted(run)
  return {
    outcome,
    ending: extractEnding(run, calls, root, outcome),
    checks: extractChecks(calls, root),
    ...(run.agent !== undefined && { agent: run.agent }),
    ...(run.sessionId && { sessionId: run.sessionId }),
    ...(run.startedAt !== undefined && { startedAt: run.startedAt }),
    summary,
    ...(said !== '' && { said }),
    ...(committed.length > 0 && { committed }),
    errors,
    decisions: extractDecisions(run),
    filesTouched,
    ...extractUsage(run),
    ...(run.endedAt !== undefined && { endedAt: run.endedAt, timestamp: run.endedAt }),
  }
}
