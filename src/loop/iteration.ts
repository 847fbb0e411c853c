import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { Snapshot } from '../board/guard/guard.ts'
import type { Task } from '../board/task.ts'
import { messageOf, RalphError } from '../errors.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import { keepEnding, keepReceipt } from './after/receipts.ts'
import { recordRun, type TaskState } from './after/record-run.ts'
import { commandLine } from './agent/command.ts'
import { type AgentEnd, runAgent } from './agent/run-agent.ts'
import { briefTask } from './briefing.ts'
import type { Emit } from './events.ts'
import { type FeatureHistory, REVIEW_TASK_ID } from './history.ts'
import { writeMcpConfig } from './mcp-config.ts'
import type { LoopOptions, LoopParts, LoopSignals } from './parts.ts'
import type { Prompt } from './prompt/assemble.ts'
import type { KnowledgeBlock } from './prompt/prompt.ts'
import { briefReview } from './review.ts'
import type { RunFacts, RunFiles } from './run-file.ts'
import { taskState } from './stagnation.ts'
import type { Work } from './work.ts'

export interface IterationContext {
  parts: LoopParts
  options: LoopOptions
  signals: LoopSignals
  runs: RunFiles
  emit: Emit
  /** The agent runs: there is time for what can wait. */
  onAgentStarted: () => void
  /** Dollars this iteration may cost. */
  maxCost: number | undefined
  memoryTools: boolean
}

export interface FinishedIteration {
  end: AgentEnd
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

interface Preparation {
  facts: RunFacts
  snapshot: Snapshot
  prompt: Prompt
  shown: KnowledgeBlock | undefined
  before: string
}

/** One iteration, from the snapshot to the durable record. What only follows from the record is left to the caller. */
export async function iterate(
  context: IterationContext,
  work: Work,
  history: FeatureHistory,
): Promise<FinishedIteration> {
  const begun = performance.now()
  const prepared = await prepare(context, work, history)
  const agentBegun = performance.now()
  const end = await startAgent(context, prepared)
  const agentMs = performance.now() - agentBegun
  const finished = await finish(context, prepared, end)
  report(context, finished, agentMs, performance.now() - begun - agentMs)
  return finished
}

async function prepare(context: IterationContext, work: Work, history: FeatureHistory): Promise<Preparation> {
  const { parts, options, runs, memoryTools, signals } = context
  const before = taskState(await parts.board.tasks())
  const snapshot = await parts.board.guard.snapshot()
  const budget = { budget: options.promptBudget, memoryTools, memory: options.memory, signal: signals.stop }
  const task = work.kind === 'task' ? work.task : undefined
  const { prompt, knowledge, stale } = task
    ? await briefTask(parts, task, history, budget)
    : {
        ...(await briefReview(parts, (work as { feature: string }).feature, history, budget)),
        knowledge: undefined,
        stale: [],
      }
  if (task && stale.length > 0) await dropStaleFiles(parts, task.feature, stale)
  const facts = newRun(runs, work, prompt)
  const discipline = task && (await parts.board.findDiscipline(task.discipline))
  await writeMcpConfig(
    runs.file(facts.runId, '.mcp.json'),
    parts.mcpServer(facts.feature, facts.runId, facts.review),
    discipline,
  )
  await writeFile(runs.file(facts.runId, '.prompt.md'), prompt.text)
  await runs.save(facts)
  keepReceipt(parts.receipts, facts, prompt)
  return { facts, snapshot, prompt, shown: knowledge, before }
}

function newRun(runs: RunFiles, work: Work, prompt: Prompt): RunFacts {
  // Begins with the time, so that logs sort by age.
  const startedAt = new Date().toISOString()
  const runId = `${startedAt.replace(/[-:.]/g, '').slice(0, 18)}-${randomUUID().slice(0, 8)}`
  const shownLearnings = prompt.items
    .filter(({ kind }) => kind === 'learning')
    .map(({ source }) => source.replace('learning ', ''))
  const shared = { runId, startedAt, log: runs.logPath(runId), phase: 'running' as const, shownLearnings }
  if (work.kind === 'review') {
    const title = `Review of ${work.feature}`
    const before = { status: '', comments: 0 }
    return {
      ...shared,
      review: true,
      feature: work.feature,
      taskId: REVIEW_TASK_ID,
      taskTitle: title,
      discipline: 'review',
      modelTier: 'opus',
      before,
    }
  }
  const { id, title, feature, discipline, status, comments } = work.task
  const before = { status, comments: comments.length }
  return { ...shared, review: false, feature, taskId: id, taskTitle: title, discipline, before }
}

async function startAgent(context: IterationContext, { facts, prompt }: Preparation): Promise<AgentEnd> {
  const { parts, options, signals, runs, emit, maxCost } = context
  const { runId, feature, taskId, taskTitle, review, log } = facts
  const command = commandLine({
    agent: options.agent,
    mcpConfig: runs.file(runId, '.mcp.json'),
    promptFile: runs.file(runId, '.prompt.md'),
    model: review ? options.reviewModel : options.model,
    maxCost,
  })
  emit({
    kind: 'iteration_started',
    run: runId,
    taskId,
    taskTitle,
    feature,
    review,
    promptTokens: prompt.tokens,
    leftOut: prompt.leftOut,
    log,
  })
  const begun = Date.now()
  return runAgent({
    runId,
    command,
    cwd: parts.project,
    env: { ...parts.env, RALPH_FEATURE: feature },
    prompt: prompt.text,
    logPath: log,
    complaintPath: runs.file(runId, '.stderr'),
    limits: { timeMs: options.timeLimitMs, silenceMs: options.silenceLimitMs, costUsd: maxCost },
    prices: parts.prices,
    signal: signals.stop,
    killSignal: signals.kill,
    onStart: (pid) => {
      runs.save({ ...facts, pid }).catch((error) => sayTrouble(emit, error))
      context.onAgentStarted()
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
  const { parts, runs, emit } = context
  const { snapshot, prompt, shown, before } = prepared
  const facts: RunFacts = {
    ...prepared.facts,
    phase: 'ended',
    exitCode: end.exitCode,
    signal: end.signal,
    ...(end.stopped && { stopped: end.stopped }),
  }
  await runs.save(facts)
  const { undone, rejectedIn } = await parts.board.guard.check(snapshot, { feature: facts.feature })
  if (undone.length > 0) emit({ kind: 'undone', run: facts.runId, what: undone, rejectedIn })
  const tasks = await parts.board.tasks()
  // Taken before anything is extracted or learned: neither may pass for progress.
  const after = taskState(tasks)
  refuseSilentFailure(end)
  const state = stateOf(tasks, facts.taskId)
  const record = await recordSafely(context, facts, end, state)
  if (record) {
    await runs.save({ ...facts, phase: 'recorded' })
    keepEnding(parts.receipts, facts, record, end, prompt)
  }
  return { end, record, facts, shown, before, after, taskStatus: state?.status }
}

/** An agent that ends without a word has not attempted anything; the next try would do the same. */
function refuseSilentFailure({ run, exitCode, stopped, complaint }: AgentEnd): void {
  if (run.lines.total > 0 || stopped !== undefined) return
  const said = complaint.split('\n').filter(Boolean).slice(-3).join(' / ') || 'nothing at all'
  throw new RalphError(
    'unavailable',
    `the agent ended with code ${exitCode} before it did anything; it said: ${said}`,
    {
      hint: 'Try it by hand in the project folder, then correct loop.agent in .ralph/rag_config.json.',
    },
  )
}

async function recordSafely(
  { parts, emit }: IterationContext,
  facts: RunFacts,
  end: AgentEnd,
  after: TaskState | undefined,
): Promise<IterationRecord | undefined> {
  try {
    return await recordRun(parts.featureMemory, parts.project, facts, end.run, after)
  } catch (error) {
    // The note and the log stay: the next loop records it.
    sayTrouble(emit, error)
    return undefined
  }
}

function stateOf(tasks: readonly Task[], taskId: number): TaskState | undefined {
  const task = tasks.find(({ id }) => id === taskId)
  return task && { status: task.status, comments: task.comments.length }
}

async function dropStaleFiles(
  { board }: LoopParts,
  feature: string,
  stale: readonly string[],
): Promise<void> {
  await board.updateFeature(feature, ({ contextFiles }) => ({
    contextFiles: contextFiles.filter(({ path }) => !stale.includes(path)),
  }))
}

function report(
  { emit }: IterationContext,
  { facts, record, end, taskStatus }: FinishedIteration,
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
    iterationNumber: record?.iterationNumber,
    summary: record?.summary ?? '',
    taskStatus: taskStatus ?? '',
    tokens: record?.tokensUsed ?? end.activity.tokens,
    costUsd: record?.costUsd ?? end.activity.cost,
    agentMs: Math.round(agentMs),
    ownMs: Math.round(ownMs),
  })
}

function sayTrouble(emit: Emit, error: unknown): void {
  emit({
    kind: 'trouble',
    message: messageOf(error),
    hint: error instanceof RalphError ? error.hint : undefined,
  })
}
