import { join } from 'node:path'
import type { Task } from '../board/task.ts'
import { isRalphError, RalphError } from '../errors.ts'
import { withFileLock } from '../files/file-lock.ts'
import { bringIndexUpToDate, remember } from './after/remember.ts'
import { type MemoryOffer, memoryOffer } from './agent/command.ts'
import { claudeCodeProgram } from './agent/programs/claude-code.ts'
import type { AgentProgram } from './agent/programs/program.ts'
import type { AgentEnd } from './agent/run-agent.ts'
import { describeTrouble, isHopeless, isTransient, refusals } from './agent/trouble.ts'
import { AgentUnusable } from './agent/unusable.ts'
import { AgentChoice, type ChosenAgent } from './agent-choice.ts'
import { retryAt, waitUntil } from './back-off.ts'
import { Background } from './background.ts'
import { briefRun } from './brief-run.ts'
import { type Emit, type LoopSummary, sayTrouble } from './events.ts'
import { Histories } from './history.ts'
import { type FinishedIteration, iterate } from './iteration.ts'
import { KnowledgeMoments } from './knowledge-moments.ts'
import { loopLock } from './loop-lock.ts'
import type { LoopOptions, LoopParts, LoopSignals } from './parts.ts'
import type { IterationContext } from './prepare.ts'
import { recoverRuns } from './recover.ts'
import { RunFiles } from './run-file.ts'
import { type WhyNot, whyNothing } from './select-task.ts'
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
  readonly #agents: AgentChoice
  readonly #knowledge: KnowledgeMoments
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
    this.#agents = new AgentChoice(options.agent, parts.settings)
    this.#knowledge = new KnowledgeMoments(parts, this.#histories, emit)
    this.#background = new Background((error) => sayTrouble(emit, error))
  }

  async run(): Promise<LoopSummary> {
    await this.#start()
    let stop: LoopStop | undefined
    while (!stop) stop = this.#interrupted() ?? this.#tally.limitReached ?? (await this.#next())
    await this.#background.settled()
    await this.#knowledge.ended(stop.cause)
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
    const { memory = true, holdout } = this.#options
    if (memory && holdout) this.#emit({ kind: 'holdout', ...holdout })
    if (!this.#options.dryRun) await this.#knowledge.begin(this.#signals.stop)
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
    const found = await this.#choose()
    if (!found.work) return found.stop
    const { work, agent } = found
    if (this.#options.dryRun) return this.#show(work, agent)
    if (this.#agentTrusted && !(await agentIsTrusted(this.#parts.settings)))
      return {
        cause: 'agent_unusable',
        reason: 'what loop.agent starts was changed since it was trusted: ralph trust',
      }
    this.#lookAgain()
    const feature = work.kind === 'task' ? work.task.feature : work.feature
    const history = await this.#histories.of(feature)
    try {
      const finished = await iterate(this.#context(agent), work, history)
      this.#tally.count(finished)
      this.#remember(finished)
      return await this.#afterwards(finished, agent)
    } catch (error) {
      if (!(error instanceof AgentUnusable)) throw error
      if (await this.#goesOnWithout(agent, error.message, error.hint)) return undefined
      throw error
    }
  }

  /** What to do next, and who does it; else why the loop ends. */
  async #choose(): Promise<{ work: Work; agent: ChosenAgent } | { work: undefined; stop: LoopStop }> {
    const { board } = this.#parts
    if (!this.#options.dryRun) await this.#knowledge.heed()
    const tasks = await board.tasks()
    const disciplines = await board.disciplines()
    const agentFor = (task?: Task) => (task ? this.#agents.for(task, disciplines) : this.#agents.own)
    const whyNot: WhyNot = (task) => this.#agents.whyNot(agentFor(task))
    const work = await chooseWork(tasks, this.#histories, this.#options, whyNot)
    if (work) return { work, agent: agentFor(work.kind === 'task' ? work.task : undefined) }
    const { done, noAgent, reason } = whyNothing(tasks, this.#options, whyNot)
    const cause = done ? 'done' : noAgent ? 'agent_unusable' : 'nothing_ready'
    return { work, stop: { cause, reason } }
  }

  /** An agent that cannot work leaves its tasks alone: whether somebody else has something to do. */
  async #goesOnWithout(agent: ChosenAgent, reason: string, hint: string | undefined): Promise<boolean> {
    this.#agents.drop(agent, reason)
    if (!(await this.#choose()).work) return false
    this.#emit({ kind: 'trouble', message: `${reason}; the loop goes on with other tasks`, hint })
    return true
  }

  #context(agent: ChosenAgent): IterationContext {
    return {
      parts: this.#parts,
      options: this.#options,
      signals: this.#signals,
      runs: this.#runs,
      emit: this.#emit,
      onAgentStarted: () => this.#background.release(),
      maxCost: this.#tally.allowance,
      memoryTools: this.#memoryTools(agent),
      agent,
    }
  }

  #memoryTools({ words }: ChosenAgent): MemoryOffer {
    return this.#searchable ? memoryOffer(words, this.#parts.env) : 'nothing'
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
      await this.#knowledge.iterated(feature)
    })
    this.#background.addLater(() => bringIndexUpToDate(this.#parts, feature))
  }

  async #afterwards({ end, ending }: FinishedIteration, agent: ChosenAgent): Promise<LoopStop | undefined> {
    const { program = claudeCodeProgram } = agent
    this.#sayRefusals(end, program)
    if (isHopeless(ending)) {
      const reason = describeTrouble(ending)
      if (await this.#goesOnWithout(agent, reason, program.login)) return undefined
      return { cause: 'agent_unusable', reason }
    }
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
  #sayRefusals(end: AgentEnd, program: AgentProgram): void {
    const count = refusals(end, program)
    if (count === 0 || this.#saidRefusals) return
    this.#saidRefusals = true
    this.#emit({
      kind: 'trouble',
      message: `the agent was not allowed ${count} of its actions`,
      hint: program.allowing,
    })
  }

  async #show(work: Work, agent: ChosenAgent): Promise<LoopStop> {
    if (work.kind === 'review') return { cause: 'dry_run', reason: `would review ${work.feature}` }
    const history = await this.#histories.of(work.task.feature)
    const { prompt, memory } = await briefRun(this.#context(agent), work, history)
    const { id: taskId, title: taskTitle, feature } = work.task
    this.#emit({
      kind: 'dry_run',
      taskId,
      taskTitle,
      feature,
      prompt: prompt.text,
      promptTokens: prompt.tokens,
      memory,
    })
    return { cause: 'dry_run', reason: `would work on task ${taskId}, ${taskTitle}` }
  }
}
