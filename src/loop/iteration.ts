import type { IterationRecord, NewIteration, RunEnding } from '../feature-memory/record.ts'
import { endingRemark } from '../telling/ending-words.ts'
import type { AgentRun } from '../transcripts/agent-run.ts'
import { iterationOfRun, stateOf } from './after/journal-run.ts'
import { keepEnding } from './after/receipts.ts'
import { agentStart, modelOf } from './agent/command.ts'
import { asKept } from './agent/kept-run.ts'
import { type Loan, whileServersAreLent } from './agent/lent-servers.ts'
import { ownWrites } from './agent/own-writes.ts'
import { type AgentEnd, runAgent } from './agent/run-agent.ts'
import { unusableOutput } from './agent/unusable.ts'
import { modelFor } from './agent-choice.ts'
import { sayKept, sayTrouble } from './events.ts'
import type { FeatureHistory } from './history.ts'
import { type IterationContext, type Preparation, prepareRun } from './prepare.ts'
import type { KnowledgeBlock } from './prompt/prompt.ts'
import type { RunFacts } from './run-file.ts'
import { SettingsGuard } from './settings-guard.ts'
import { taskState } from './stagnation.ts'
import type { Work } from './work.ts'

export interface FinishedIteration {
  end: AgentEnd
  ending: RunEnding
  /** Absent when the journal could not be written; why was said. */
  record: IterationRecord | undefined
  facts: RunFacts
  shown: KnowledgeBlock | undefined
  /** The state of all tasks before and after, as hashes. */
  before: string
  after: string
  /** The task's own status now. */
  taskStatus: string | undefined
}

/** One iteration, from the snapshot to the durable record. What only follows from the record is left to the caller. */
export async function iterate(
  context: IterationContext,
  work: Work,
  history: FeatureHistory,
): Promise<FinishedIteration> {
  const begun = performance.now()
  const prepared = await prepareRun(context, work, history)
  try {
    const agentBegun = performance.now()
    const end = await whileServersAreLent(loanOf(context, prepared), () =>
      startAgent(context, prepared),
    ).catch((error) => forget(context, prepared, error))
    const agentMs = performance.now() - agentBegun
    const finished = await finish(context, prepared, end)
    report(context, finished, agentMs, performance.now() - begun - agentMs)
    return finished
  } finally {
    await prepared.journals.close()
    await prepared.folder.close()
  }
}

function loanOf({ parts, runs, agent }: IterationContext, { facts, servers }: Preparation): Loan {
  const { project, env } = parts
  return {
    of: agent.program?.lends,
    servers,
    env,
    places: { project, keptIn: runs.file(facts.runId, '.lent') },
    note: (lent) => runs.save(Object.assign(facts, { lent })),
  }
}

async function startAgent(context: IterationContext, prepared: Preparation): Promise<AgentEnd> {
  const { parts, options, signals, runs, emit, maxCost, agent } = context
  const { prompt, servers } = prepared
  const { runId, feature, taskId, taskTitle, review, log, memory } = prepared.facts
  const call = {
    agent: agent.words,
    mcpConfig: runs.file(runId, '.mcp.json'),
    promptFile: runs.file(runId, '.prompt.md'),
    model: modelFor(agent, options, review),
    maxCost,
    servers,
    env: parts.env,
  }
  const { command, env } = agentStart(call)
  emit({
    kind: 'iteration_started',
    run: runId,
    taskId,
    taskTitle,
    feature,
    review,
    agent: agent.program?.name,
    promptTokens: prompt.tokens,
    memory,
    leftOut: prompt.leftOut,
    log,
  })
  const begun = Date.now()
  return runAgent({
    runId,
    program: agent.program,
    model: modelOf(call),
    command,
    cwd: parts.project,
    env: {
      ...{ ...parts.env, ...env, RALPH_FEATURE: feature },
      // What else of ours the agent meets, its hooks and a server of its own settings, keeps to it.
      RALPH_LOOP_MEMORY: memory.given ? 'given' : 'withheld',
    },
    prompt: prompt.text,
    logPath: log,
    complaintPath: runs.file(runId, '.stderr'),
    limits: { timeMs: options.timeLimitMs, silenceMs: options.silenceLimitMs, costUsd: maxCost },
    prices: parts.prices,
    signal: signals.stop,
    killSignal: signals.kill,
    onStart: async ({ pid, started }) => {
      context.onAgentStarted()
      await runs
        .save({ ...prepared.facts, pid, pidStarted: started })
        .catch((error) => sayTrouble(emit, error))
    },
    onActivity: (activity) =>
      emit({ kind: 'activity', run: runId, elapsedMs: Date.now() - begun, ...activity }),
  })
}

async function finish(
  context: IterationContext,
  prepared: Preparation,
  end: AgentEnd,
): Promise<FinishedIteration> {
  const { parts, runs, agent } = context
  const { shown, before } = prepared
  const facts: RunFacts = {
    ...prepared.facts,
    phase: 'ended',
    exitCode: end.run.process.exitCode,
    signal: end.run.process.signal,
    stopped: end.run.process.stopped?.reason,
    limitMs: end.run.process.stopped?.limitMs,
  }
  await runs.save(facts)
  const undone = await undoHarm(context, prepared, facts, end.run)
  const tasks = await parts.board.tasks()
  // Taken before anything is extracted or learned: neither may pass for progress.
  const after = taskState(tasks)
  const unusable = unusableOutput(end, agent.program)
  if (unusable) return forget(context, prepared, unusable)
  const state = stateOf(tasks, facts.taskId)
  // Now, not later: an agent that runs would find the file changed under its hands.
  if (state?.status === 'done' && facts.before.status !== 'done')
    await parts.board.stampCompletion(facts.taskId)
  const fields = {
    ...iterationOfRun(parts, facts, await asKept(end.run, parts.sessionPlaces), state),
    ...(undone.length > 0 && { undone }),
  }
  const record = await recordSafely(context, fields)
  if (record) {
    await runs.save({ ...facts, phase: 'recorded' })
    await keepEnding(parts, facts, record, end.run).catch((error) => sayTrouble(context.emit, error))
  }
  const { ending } = fields
  return { end, ending, record, facts, shown, before, after, taskStatus: state?.status }
}

/**
 * The files of the board and the journals are ours to protect: an agent edits, cleans up and resets as it likes. One that
 * has not said a word has done nothing: then whatever changed was changed by people.
 */
async function undoHarm(
  { parts, emit }: IterationContext,
  { snapshot, settings, journals, folder }: Preparation,
  { runId, feature, taskId, review }: RunFacts,
  run: AgentRun,
): Promise<string[]> {
  if (run.lines.total === 0) {
    await parts.board.guard.release()
    return []
  }
  const writes = ownWrites(run)
  const { guard } = parts.board
  const { undone, others, rejectedIn } = await guard.check(snapshot, {
    feature,
    task: taskId,
    review,
    writes,
  })
  const restored = await journals.restore(parts.featureMemory)
  const rest = await folder.restore(writes)
  const reset = await new SettingsGuard(parts.settings, parts.cacheDir).undo(settings, writes)
  const what = [...undone, ...reset.undone, ...restored, ...rest.undone]
  if (what.length > 0) emit({ kind: 'undone', run: runId, what, rejectedIn })
  sayKept(emit, runId, [...others, ...reset.others, ...rest.others])
  return what
}

/** Nothing was attempted, so there is nothing to record, also not after a restart. */
async function forget(
  { runs, parts }: IterationContext,
  { facts }: Preparation,
  error: unknown,
): Promise<never> {
  await parts.board.guard.release()
  await runs.done(facts.runId)
  throw error
}

async function recordSafely(
  { parts, emit }: IterationContext,
  fields: NewIteration,
): Promise<IterationRecord | undefined> {
  try {
    return await parts.featureMemory.recordIteration(fields)
  } catch (error) {
    // The note and the log stay: the next loop records it.
    sayTrouble(emit, error)
    return undefined
  }
}

function report(
  { emit }: IterationContext,
  { facts, record, end, ending, taskStatus }: FinishedIteration,
  agentMs: number,
  ownMs: number,
): void {
  emit({
    kind: 'iteration_ended',
    run: facts.runId,
    taskId: facts.taskId,
    feature: facts.feature,
    review: facts.review,
    outcome: record?.outcome ?? 'failure',
    remark: endingRemark({ ending }),
    iterationNumber: record?.iterationNumber,
    summary: record?.summary ?? '',
    taskStatus: taskStatus ?? '',
    tokens: record?.tokensUsed ?? end.activity.tokens,
    costUsd: record?.costUsd ?? end.activity.cost,
    agentMs: Math.round(agentMs),
    ownMs: Math.round(ownMs),
  })
}
