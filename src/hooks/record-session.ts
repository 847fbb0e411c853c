import { existsSync } from 'node:fs'
import { currentFeature, featuresInProgress } from '../board/current-feature.ts'
import type { Task } from '../board/task.ts'
import { changedPaths } from '../feature-memory/endings.ts'
import type { RecordedRun } from '../feature-memory/feature-memory.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import { extract } from '../feature-memory/record-run.ts'
import { withFileLock } from '../files/file-lock.ts'
import type { Ralph } from '../ralph.ts'
import { accountOf, pieceEndings, usedOf } from '../receipts/judge.ts'
import { readReceipts } from '../receipts/read.ts'
import { endingRemark } from '../telling/ending-words.ts'
import { shorten } from '../text/truncate.ts'
import type { AgentRun } from '../transcripts/agent-run.ts'
import { sessionSize } from '../transcripts/kept-sessions.ts'
import { readTranscript } from '../transcripts/read-transcript.ts'
import { readFacts } from './facts/feature-facts.ts'
import type { PendingSession, SessionNotes, SessionPart } from './session-notes.ts'
import { noteSilence } from './silence.ts'
import { countUnreached } from './unreached.ts'

export interface RecordedSession {
  /** Where it was recorded as an iteration; absent when it was only a conversation. */
  feature?: string
  iterationNumber?: number
}

/** The task of a session that nobody started for a task. */
const NO_TASK = 0
const LONGEST_TITLE = 120
/** What is not done by then is done after the next session. */
const WORK_MS = 5 * 60_000

/**
 * Records what a hand-driven session did since it was last recorded: as a conversation, and as an iteration if it changed
 * files, ran checks or ran into errors. Whoever is killed on the way, or finds the storage down, leaves it to the next one.
 */
export async function recordSession(ralph: Ralph, notes: SessionNotes): Promise<RecordedSession> {
  const { isNew: _, parts, ...recorded } = await storeSession(ralph, notes)
  if (parts > 0) await makeFindable(ralph)
  return recorded
}

export interface StoredSession extends RecordedSession {
  /** How many stretches of it were read. */
  parts: number
  /** Memory has something that it did not have before. */
  isNew: boolean
}

/** The same, but for what makes it findable. */
export async function storeSession(ralph: Ralph, notes: SessionNotes): Promise<StoredSession> {
  const pending = notes.pending()
  if (!pending) return { parts: 0, isNew: false }
  // One process at a time per session: the hooks may be installed twice, and others look at the files.
  return withFileLock(notes.lockFile, () => recordParts(ralph, pending, notes))
}

/** What makes sessions findable, as the settings say: summaries and vectors. They are safely stored before that. */
export async function makeFindable(ralph: Ralph): Promise<void> {
  await ralph.conversations.workers.runOnce(AbortSignal.timeout(WORK_MS))
}

async function recordParts(
  ralph: Ralph,
  pending: PendingSession,
  notes: SessionNotes,
): Promise<StoredSession> {
  const { transcript, agent } = pending
  const size = await sessionSize(transcript, agent ?? 'claude-code')
  let recorded: RecordedSession = {}
  let parts = 0
  let isNew = false
  for (let from = notes.recordedBytes(); from < size; from = notes.recordedBytes()) {
    // What somebody has begun is ended as he began it, so that it is recognised.
    const part = notes.begunPart() ?? { from, to: size }
    const { status, ...iteration } = await asIteration(ralph, pending, notes, part)
    recorded = { ...recorded, ...iteration }
    const { exchanges } = await ralph.conversations.importSessions(transcript, { agent })
    isNew ||= status === 'recorded' || exchanges.added + exchanges.updated > 0
    if (agent === undefined || agent === 'claude-code') await noteUnreached(ralph, pending, part)
    // Last: whatever came to nothing before is done again, and both memories recognise what they have.
    notes.setRecordedBytes(part.to)
    parts++
  }
  return { ...recorded, parts, isNew }
}

async function noteUnreached({ config }: Ralph, pending: PendingSession, part: SessionPart): Promise<void> {
  const unreached = await countUnreached(pending.transcript, part)
  if (unreached > 0) noteSilence(config.home, pending.cwd, 'PreToolUse', 'unreached', unreached)
}

async function asIteration(
  ralph: Ralph,
  pending: PendingSession,
  notes: SessionNotes,
  part: SessionPart,
): Promise<RecordedSession & { status?: RecordedRun['status'] }> {
  const { project, paths } = ralph.config
  if (!existsSync(paths.database)) return {}
  // Only what is new: a resumed session goes on in the same file.
  const { transcript, agent } = pending
  const read = (after?: string) => readTranscript(transcript, { agent, part, after, mayBeEmpty: true })
  const run = await read()
  const { filesTouched, errors, checks } = extract(run, { project })
  const changed = changedPaths({ filesTouched })
  // A check that went well may show that an error is solved.
  if (changed.length === 0 && errors.length === 0 && checks.length === 0) return {}
  const feature = part.feature ?? (await featureOf(ralph, pending, changed))
  notes.beginPart({ ...part, feature })
  const { status, record } = await ralph.featureMemory.record({
    run,
    later: read,
    kind: 'session',
    feature,
    taskId: NO_TASK,
    taskTitle: titleOf(run),
  })
  await endReceipts(ralph, pending.sessionId, run, record)
  return { status, feature, iterationNumber: record.iterationNumber }
}

function titleOf({ prompt }: AgentRun): string {
  const line = (prompt ?? '')
    .replace(/<[^<>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (line === '') return 'Interactive session'
  return shorten(line, LONGEST_TITLE)
}

/** What told it while the session ran counts; where nothing did, the files it changed may. */
async function featureOf(ralph: Ralph, { feature }: PendingSession, changed: string[]): Promise<string> {
  if (feature && feature.by !== 'default' && feature.by !== 'files') return feature.name
  const recorded = await ralph.featureMemory.features()
  const board = await onBoard(ralph)
  const features = [...new Set([...recorded, ...board.features])]
  return currentFeature({
    project: ralph.config.project,
    features,
    session: ralph.config.session.feature,
    inProgress: () => featuresInProgress(features, board.tasks),
    touched: changed,
    filesOf: (name) => readFacts(ralph.config, name)?.files ?? [],
  }).name
}

async function onBoard({ board }: Ralph): Promise<{ features: string[]; tasks: Task[] }> {
  try {
    return { features: (await board.features()).map(({ name }) => name), tasks: await board.tasks() }
  } catch {
    return { features: [], tasks: [] } // `ralph doctor` tells what is wrong with it; the session is recorded all the same
  }
}

/** So that `ralph receipts` can say what became of what was shown. */
async function endReceipts(
  ralph: Ralph,
  run: string,
  { texts }: AgentRun,
  record: IterationRecord,
): Promise<void> {
  const { receipts } = await readReceipts(ralph.config.paths.receipts, { run, limit: 200 })
  // The newest tells: it has the ending already when the same part was recorded before.
  if (receipts.length === 0 || receipts[0]!.ending?.iterationNumber === record.iterationNumber) return
  const { project } = ralph.config
  const account = accountOf(record, { texts: texts.map(({ text }) => text), project })
  const pieces = pieceEndings(receipts, account)
  const { outcome, iterationNumber } = record
  const used = usedOf(pieces)
  ralph.receipts.ended({ run, outcome, remark: endingRemark(record), iterationNumber, used, pieces })
}
