import { existsSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRalphError } from '../errors.ts'
import { describeEnding } from '../telling/ending-words.ts'
import type { AgentRun } from '../transcripts/agent-run.ts'
import { readTranscript } from '../transcripts/read-transcript.ts'
import { iterationOfRun, recordedBefore, stateOf } from './after/journal-run.ts'
import { keepEnding } from './after/receipts.ts'
import { bringIndexUpToDate, remember } from './after/remember.ts'
import { asKept } from './agent/kept-run.ts'
import { takeBackServers } from './agent/lent-servers.ts'
import { ownWrites } from './agent/own-writes.ts'
import { RunProcesses } from './agent/process-tree.ts'
import { PROGRAMS } from './agent/programs/programs.ts'
import { type Emit, sayKept, sayTrouble } from './events.ts'
import type { Histories } from './history.ts'
import type { LoopParts } from './parts.ts'
import type { RunFacts, RunFiles } from './run-file.ts'

/**
 * Finishes what a loop that was killed left behind: its agent is ended, the board is checked, each run is recorded from
 * its log unless it is in the journal already, and what follows from it is done.
 */
export async function recoverRuns(
  parts: LoopParts,
  runs: RunFiles,
  histories: Histories,
  emit: Emit,
): Promise<void> {
  await runs.dropHalfWritten()
  const unfinished = await runs.unfinished()
  for (const facts of unfinished) {
    await endLeftovers(facts)
    await takeBackLent(parts, runs, facts).catch((error) => sayTrouble(emit, error))
  }
  const last = unfinished.at(-1)
  const undone = await checkBoard(parts, last, emit)
  for (const facts of unfinished) {
    try {
      await recoverRun(parts, facts, histories, emit, facts === last ? undone : [])
      await runs.done(facts.runId)
    } catch (error) {
      // Kept for the next start, unless it can never be read; this one goes on.
      if (isRalphError(error) && error.code === 'invalid_input') await runs.done(facts.runId)
      sayTrouble(emit, error, `run ${facts.runId} could not be recorded: `)
    }
  }
}

/** The agent of a killed loop may live on and go on editing. */
async function endLeftovers({ runId, pid, pidStarted }: RunFacts): Promise<void> {
  const first = pid !== undefined && pidStarted !== undefined ? { pid, started: pidStarted } : undefined
  const processes = new RunProcesses(runId, first)
  if ((await processes.alive()).length === 0) return
  await processes.kill('SIGTERM')
  await sleep(200)
  await processes.kill('SIGKILL')
}

/** What was put into a file of the project for the run alone. */
async function takeBackLent(
  { project }: LoopParts,
  runs: RunFiles,
  { runId, agent, lent }: RunFacts,
): Promise<void> {
  const loan = agent && PROGRAMS[agent].lends
  if (loan && lent) await takeBackServers(loan, lent, { project, keptIn: runs.file(runId, '.lent') })
}

/**
 * What the agent wrote is judged as it would have been at its end. Since then people may have edited: of a file that was
 * changed after the run's last word, only what the log shows to be the agent's is undone.
 */
async function checkBoard({ board }: LoopParts, last: RunFacts | undefined, emit: Emit): Promise<string[]> {
  const snapshot = await board.guard.unchecked()
  if (!snapshot) return []
  const lastWord = last && modifiedAt(last.log)
  if (!last || lastWord === undefined) {
    await board.guard.release()
    return []
  }
  const { feature, taskId: task, review, runId } = last
  const known = ownWrites(await readLog(last))
  const writes = (path: string) => {
    const found = known(path)
    return found === 'unknown' && (modifiedAt(path) ?? 0) > lastWord ? [] : found
  }
  const { undone, others, rejectedIn } = await board.guard.check(snapshot, { feature, task, review, writes })
  if (undone.length > 0) emit({ kind: 'undone', run: runId, what: undone, rejectedIn })
  sayKept(emit, runId, others)
  return undone
}

/** Milliseconds; undefined for what is not there. */
function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

async function recoverRun(
  parts: LoopParts,
  facts: RunFacts,
  histories: Histories,
  emit: Emit,
  undone: string[],
): Promise<void> {
  const known = await recordedBefore(parts.featureMemory, facts)
  // Killed before the agent was started: nothing happened.
  if (!known && !existsSync(facts.log)) return
  const after = stateOf(await parts.board.tasks(), facts.taskId)
  const run = known ? undefined : await asKept(await readLog(facts), parts.sessionPlaces)
  const record =
    known ??
    (await parts.featureMemory.recordIteration({
      ...iterationOfRun(parts, facts, run!, after),
      ...(undone.length > 0 && { undone }),
    }))
  const { outcome } = record
  await keepEnding(parts, facts, record, run).catch((error) => sayTrouble(emit, error))
  const history = await histories.of(facts.feature)
  await remember(parts, {
    record,
    history,
    shown: undefined,
    shownLearnings: facts.shownLearnings,
    learnedAlready: facts.phase === 'learned',
  })
  await bringIndexUpToDate(parts, facts.feature)
  if (known) return
  const what = facts.review ? 'the review' : `the iteration on task ${facts.taskId}`
  const message = `recorded ${what} that was left unrecorded: ${outcome}, ${describeEnding(record)}`
  emit({
    kind: 'recovered',
    run: facts.runId,
    taskId: facts.taskId,
    feature: facts.feature,
    outcome,
    message,
  })
}

async function readLog({
  agent,
  log,
  phase,
  exitCode,
  signal,
  stopped,
  limitMs,
}: RunFacts): Promise<AgentRun> {
  const reason = phase === 'running' ? 'recovered' : stopped
  const process = {
    exitCode: exitCode ?? null,
    signal: signal ?? null,
    stopped: reason && { reason, limitMs },
  }
  const run = await readTranscript(log, { agent, process, mayBeEmpty: true })
  // Of a run that we have ended just now some programs say that a person did.
  const ending = phase === 'running' && run.ending === 'interrupted' ? 'cut' : run.ending
  // Some repeat the prompt, which was ours.
  return { ...run, ending, prompt: undefined }
}
