import { join } from 'node:path'
import { isRalphError, RalphError } from '../errors.ts'
import { withFileLock } from '../files/file-lock.ts'
import { bringIndexUpToDate, remember } from './after/remember.ts'
import { type MemoryOffer, memoryOffer } from './agent/command.ts'
import type { AgentEnd } from './agent/run-agent.ts'
import { describeTrouble, isHopeless, isTransient, refusals } from './agent/trouble.ts'
import { retryAt, waitUntil } from './back-off.ts'
import { Background } from './background.ts'
import { briefTask, storageDown } from './briefing.ts'
import { type Emit, type LoopSummary, type StopCause, sayTrouble } from './events.ts'
import { Histories } from './history.ts'
import { type FinishedIteration, iterate } from './iteration.ts'
import { loopLock } from './loop-lock.ts'
import type { LoopOptions, LoopParts, LoopSignals } from './parts.ts'
import type { IterationContext } from './prepare.ts'
import { recoverRuns } from './recover.ts'
import { RunFiles } from './run-file.ts'
import { whyNothing } from './select-task.ts'
import { type LoopStop, Tally } from './tally.ts'
import { agentIsTrusted } from './trusted-agent.ts'
import { chooseWork, type Work } from './work.ts'

const PATIENCE_MS = 100

/** Runs an agent over the project's tasks until nothing is left to do or a limit is reached. One loop per project. */
export async function runLoop(
  parts: LoopParts,
  options: LoopOptions,
  emit: Emit,
  signals: LoopSignals = {},
): Promise<LoopSummary> {
  try {
    return await withFileLock(loopLock(parts.cacheDir), () => new Loop(parts, options, emit, signals).run(), {
      timeoutMs: 0,
    })
  } catch (error) {
    if (!isRalphError(error) || error.code !== 'timeout') throw error
    throw new RalphError('conflict', 'a loop is already running in this project', {
      hint: 'Wait for it, or stop it with Ctrl-C in its terminal.',
      cause: error,
    })
  }
}

class Loop {
  readonly #parts: LoopParts
  readonly #options: LoopOptions
  readonly #emit: Emit
  readonly #signals: LoopSignals
  readonly #runs: RunFiles
  readonly #histories: Histories
  readonly #tally: Tally
  readonly #background: Background
  readonly #begun = Date.now()
  /** How often in a row the model could not be reached. */
  #held = 0
  #searchable = false
  /** By meaning and by words. */
  #memoryComplete = false
  #saidRefusals = false
  /** By the project's own settings, with the files that they name. */
  #agentTrusted = false

  constructor(parts: LoopParts, options: LoopOptions, emit: Emit, signals: LoopSignals) {
    this.#parts = parts
    this.#options = options
    this.#emit = emit
    this.#signals = signals
    this.#runs = new RunFiles(join(parts.cacheDir, 'loop'))
    this.#histories = new Histories(parts)
    this.#tally = new Tally(options)
    this.#background = new Background((error) => sayTrouble(emit, error))
  }

  async run(): Promise<LoopSummary> {
    await this.#start()
    let stop: LoopStop | undefined
    while (!stop) stop = this.#interrupted() ?? this.#tally.limitReached ?? (await this.#next())
    await this.#background.settled()
    await this.#checkpoint(stop.cause)
    await this.#sayWhatWaits()
    const summary: LoopSummary = { ...stop, ...this.#tally.totals, elapsedMs: Date.now() - this.#begun }
    this.#emit({ kind: 'stopped', ...summary })
    return summary
  }

  async #start(): Promise<void> {
    const { available, searchable, line } = await this.#parts.ragStatus()
    this.#searchable = searchable
    this.#memoryComplete = available
    this.#emit({ kind: 'status', line, available })
    this.#agentTrusted = await agentIsTrusted(this.#parts.settings)
    await this.#runs.prepare()
    await recoverRuns(this.#parts, this.#runs, this.#histories, this.#emit)
    await this.#runs.dropOldLogs()
    if (!this.#options.dryRun) await this.#beginKnowledge()
    const problems = await this.#parts.board.problems()
    for (const { message } of problems) this.#emit({ kind: 'board_problem', message })
  }

  /** What was down may be back: looked at in the background, and said when it is. */
  #lookAgain(): void {
    if (this.#memoryComplete) return
    this.#background.add(async () => {
      const { available, searchable, line } = await this.#parts.ragStatus()
      this.#searchable = searchable
      if (!available) return
      this.#memoryComplete = true
      this.#emit({ kind: 'status', line, available })
    })
  }

  async #next(): Promise<LoopStop | undefined> {
    // So that the next prompt knows what the last iteration taught, if that is quickly done.
    await this.#background.settledSoon(PATIENCE_MS)
    const tasks = await this.#parts.board.tasks()
    const work = await chooseWork(tasks, this.#histories, this.#options)
    if (!work) {
      const { done, reason } = whyNothing(tasks, this.#options)
      return { cause: done ? 'done' : 'nothing_ready', reason }
    }
    if (this.#options.dryRun) return this.#show(work)
    if (this.#agentTrusted && !(await agentIsTrusted(this.#parts.settings)))
      return {
        cause: 'agent_unusable',
        reason: 'what loop.agent starts was changed since it was trusted: ralph trust',
      }
    this.#lookAgain()
    const feature = work.kind === 'task' ? work.task.feature : work.feature
    const history = await this.#histories.of(feature)
    const finished = await iterate(this.#context(), work, history)
    this.#tally.count(finished)
    this.#remember(finished)
    return this.#afterwards(finished)
  }

  #context(): IterationContext {
    return {
      parts: this.#parts,
      options: this.#options,
      signals: this.#signals,
      runs: this.#runs,
      emit: this.#emit,
      onAgentStarted: () => this.#background.release(),
      maxCost: this.#tally.allowance,
      memoryTools: this.#memoryTools,
    }
  }

  get #memoryTools(): MemoryOffer {
    return this.#searchable ? memoryOffer(this.#options.agent) : 'nothing'
  }

  #interrupted(): LoopStop | undefined {
    return this.#signals.stop?.aborted ? { cause: 'interrupted', reason: 'interrupted' } : undefined
  }

  /** In the background: nothing here holds up or breaks the next iteration. */
  #remember({ record, facts, shown }: FinishedIteration): void {
    if (!record) return
    const { feature } = record
    this.#background.add(async () => {
      const history = await this.#histories.of(feature)
      const onLearned = () => this.#runs.save({ ...facts, phase: 'learned' })
      const { shownLearnings } = facts
      await remember(this.#parts, { record, history, shown, shownLearnings, onLearned })
      await this.#runs.done(facts.runId)
      await this.#featureComplete(feature)
    })
    this.#background.addLater(() => bringIndexUpToDate(this.#parts, feature))
  }

  async #afterwards({ end, ending }: FinishedIteration): Promise<LoopStop | undefined> {
    this.#sayRefusals(end)
    if (isHopeless(ending)) return { cause: 'agent_unusable', reason: describeTrouble(ending) }
    if (!isTransient(end)) {
      this.#held = 0
      return undefined
    }
    this.#held++
    // Nobody waits for what will not be tried.
    if (this.#tally.limitReached) return undefined
    const until = retryAt(end.run.rateLimit, this.#held, Date.now(), this.#options.backOff)
    this.#emit({ kind: 'waiting', reason: describeTrouble(ending), until: until.toISOString() })
    await waitUntil(until, this.#signals.stop)
    return undefined
  }

  /** Nobody is there to be asked, so what needs asking is refused; said once, since it will not change by itself. */
  #sayRefusals(end: AgentEnd): void {
    const count = refusals(end)
    if (count === 0 || this.#saidRefusals) return
    this.#saidRefusals = true
    this.#emit({
      kind: 'trouble',
      message: `the agent was not allowed ${count} of its actions`,
      hint: 'Allow them in its settings or in loop.agent, e.g. "--allowedTools Bash(npm *)" or "--permission-mode".',
    })
  }

  async #show(work: Work): Promise<LoopStop> {
    if (work.kind === 'review') return { cause: 'dry_run', reason: `would review ${work.feature}` }
    const history = await this.#histories.of(work.task.feature)
    const { promptBudget: budget, memory } = this.#options
    const options = { budget, memoryTools: this.#memoryTools, memory }
    const { prompt } = await briefTask(this.#parts, work.task, history, options)
    const { id: taskId, title: taskTitle, feature } = work.task
    this.#emit({
      kind: 'dry_run',
      taskId,
      taskTitle,
      feature,
      prompt: prompt.text,
      promptTokens: prompt.tokens,
    })
    return { cause: 'dry_run', reason: `would work on task ${taskId}, ${taskTitle}` }
  }

  /** A feature whose last task is done is a moment to keep what it taught. */
  async #featureComplete(feature: string): Promise<void> {
    if (!this.#parts.knowledge) return
    const tasks = await this.#parts.board.tasks({ feature })
    if (tasks.some(({ status }) => status !== 'done' && status !== 'skipped')) return
    await this.#parts.knowledge.checkpoint('feature_complete')
  }

  async #checkpoint(cause: StopCause): Promise<void> {
    const trigger =
      cause === 'done' ? 'project_complete' : cause === 'interrupted' ? 'cancellation' : undefined
    if (!trigger) return
    await this.#parts.knowledge?.checkpoint(trigger).catch((error) => sayTrouble(this.#emit, error))
  }

  async #beginKnowledge(): Promise<void> {
    try {
      await this.#parts.knowledge?.begin(this.#signals.stop)
    } catch (error) {
      this.#parts.notices.once(storageDown('project knowledge is off', error))
    }
  }

  /** Nobody looks at work that nobody knows to be waiting. */
  async #sayWhatWaits(): Promise<void> {
    try {
      const gates = (await this.#parts.knowledge?.waitingGates()) ?? []
      if (gates.length > 0) this.#emit({ kind: 'gates_waiting', gates })
    } catch (error) {
      this.#parts.notices.once(storageDown('gates cannot be read', error))
    }
  }
}
