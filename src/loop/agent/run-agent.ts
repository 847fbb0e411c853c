import type { ChildProcess } from 'node:child_process'
import { closeSync, fsyncSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import spawn from 'cross-spawn'
import { errnoOf, fileError } from '../../errors.ts'
import { openOwnFileNow } from '../../files/own-files.ts'
import type { AgentRun, Stop } from '../../transcripts/agent-run.ts'
import { AGENTS } from '../../transcripts/agents.ts'
import { Collector } from '../../transcripts/collector.ts'
import { type Activity, ActivityWatch, type PriceList } from './activity.ts'
import { LogReader } from './log-reader.ts'
import { RUN_VARIABLE } from './process-table.ts'
import { type FirstProcess, killGroupNow, RunProcesses } from './process-tree.ts'
import type { AgentProgram } from './programs/program.ts'
import { AgentUnusable } from './unusable.ts'

export interface RunLimits {
  timeMs: number
  /** An agent that prints nothing for so long hangs. */
  silenceMs: number
  costUsd?: number | undefined
}

export interface AgentStart {
  runId: string
  /** Whose output it is; absent: told from its lines. */
  program?: AgentProgram | undefined
  /** As far as it is known beforehand: not every program says it. */
  model?: string | undefined
  command: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  prompt: string
  /** The agent itself writes its output here, so that it is all there even if we are killed. */
  logPath: string
  /** The same for its stderr. */
  complaintPath: string
  limits: RunLimits
  prices?: PriceList | undefined
  /** Aborted: the agent is asked to end. */
  signal?: AbortSignal | undefined
  /** Aborted: it is ended at once. */
  killSignal?: AbortSignal | undefined
  onStart?: ((first: FirstProcess) => Promise<void>) | undefined
  onActivity?: ((activity: Activity) => void) | undefined
}

export interface AgentEnd {
  run: AgentRun
  /** The end of what it printed on stderr, for error messages. */
  complaint: string
  /** As watched live; for a run without a closing report it is all there is. */
  activity: Activity
}

const CHECK_EVERY_MS = 100
/** Where a process can hide its mark, what detaches itself is known only from having been seen before. */
const LOOK_EVERY_MS = 5_000
/** Between asking an agent to end and ending it. */
const GRACE_MS = 5_000
/** For what an agent left running to end by itself. */
const LEFTOVER_GRACE_MS = 500
const KEPT_COMPLAINT = 4_000

/** Runs the agent once, within its limits, and returns when nothing of it is alive any more. */
export async function runAgent(start: AgentStart): Promise<AgentEnd> {
  const output = openLog(start.logPath)
  const complaints = openLog(start.complaintPath)
  try {
    return await new AgentProcess(start).run(output, complaints)
  } finally {
    closeSync(complaints)
    fsyncSync(output)
    closeSync(output)
  }
}

class AgentProcess {
  readonly #start: AgentStart
  readonly #output: LogReader
  readonly #complaints: LogReader
  readonly #collector: Collector
  readonly #watch: ActivityWatch
  #lastSign = performance.now()
  #stopped: Stop | undefined
  #startedAt = performance.now()
  #complaint = ''

  constructor(start: AgentStart) {
    this.#start = start
    this.#output = new LogReader(start.logPath, (chunk) => this.#take(chunk))
    this.#complaints = new LogReader(start.complaintPath, (chunk) => this.#hear(chunk))
    this.#watch = new ActivityWatch(start.prices, start.model)
    this.#collector = new Collector({
      agent: start.program?.name,
      onEvent: (event) => this.#watch.take(event),
    })
  }

  async run(output: number, complaints: number): Promise<AgentEnd> {
    const child = this.#spawn(output, complaints)
    const exit = exited(child, this.#start.program)
    const pid = child.pid
    const processes = new RunProcesses(this.#start.runId, pid === undefined ? undefined : { pid })
    const killOnExit = () => pid !== undefined && killGroupNow(pid)
    process.once('exit', killOnExit)
    this.#startedAt = performance.now()
    const timer = setInterval(() => this.#check(child, processes), CHECK_EVERY_MS)
    const looking =
      process.platform === 'darwin' ? setInterval(() => void processes.alive(), LOOK_EVERY_MS) : undefined
    const onAbort = () => this.#stop(child, processes, { reason: 'interrupted' })
    const onKill = () => void processes.kill('SIGKILL')
    const { signal: stopSignal, killSignal } = this.#start
    stopSignal?.addEventListener('abort', onAbort)
    killSignal?.addEventListener('abort', onKill)
    const noted = pid !== undefined && processes.first().then((first) => this.#start.onStart?.(first!))
    try {
      if (stopSignal?.aborted) onAbort()
      const { exitCode, signal } = await exit
      await sweep(processes)
      this.#poll()
      return this.#end(exitCode, signal)
    } finally {
      await noted // or the note of a run that has ended is written again
      clearInterval(timer)
      clearInterval(looking)
      this.#output.close()
      this.#complaints.close()
      process.off('exit', killOnExit)
      stopSignal?.removeEventListener('abort', onAbort)
      killSignal?.removeEventListener('abort', onKill)
    }
  }

  #spawn(output: number, complaints: number): ChildProcess {
    const [command, ...args] = this.#start.command
    const child = spawn(command!, args, {
      cwd: this.#start.cwd,
      env: { ...this.#start.env, [RUN_VARIABLE]: this.#start.runId },
      stdio: ['pipe', output, complaints],
      // A group of its own: Ctrl-C on our terminal is ours to handle, and the whole group can be ended.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    // An agent that does not read its prompt is not our failure; it shows in what it does.
    child.stdin!.on('error', () => undefined)
    child.stdin!.end(this.#start.prompt)
    return child
  }

  #poll(): void {
    this.#output.poll()
    this.#complaints.poll()
  }

  #take(chunk: Buffer): void {
    this.#lastSign = performance.now()
    this.#collector.push(chunk)
    this.#start.onActivity?.(this.#watch.now)
  }

  #hear(chunk: Buffer): void {
    this.#lastSign = performance.now()
    this.#complaint = (this.#complaint + chunk.toString('utf8')).slice(-KEPT_COMPLAINT)
  }

  #check(child: ChildProcess, processes: RunProcesses): void {
    this.#poll()
    const { timeMs, silenceMs, costUsd } = this.#start.limits
    const now = performance.now()
    if (now - this.#startedAt > timeMs) this.#stop(child, processes, { reason: 'time', limitMs: timeMs })
    else if (now - this.#lastSign > silenceMs)
      this.#stop(child, processes, { reason: 'silence', limitMs: silenceMs })
    else if (costUsd !== undefined && (this.#watch.now.cost ?? 0) > costUsd)
      this.#stop(child, processes, { reason: 'cost' })
  }

  /** Asks first; who does not listen is ended. */
  #stop(child: ChildProcess, processes: RunProcesses, stop: Stop): void {
    if (this.#stopped !== undefined) return
    this.#stopped = stop
    void processes.kill(stop.reason === 'interrupted' ? 'SIGINT' : 'SIGTERM')
    const patience = setTimeout(() => void processes.kill('SIGKILL'), GRACE_MS)
    child.once('exit', () => clearTimeout(patience))
  }

  #end(exitCode: number | null, signal: NodeJS.Signals | null): AgentEnd {
    const stopped = this.#stopped
    const durationMs = Math.round(performance.now() - this.#startedAt)
    const run = this.#collector.finish({ exitCode, signal, stopped, durationMs })
    return {
      // Some programs repeat the prompt, which nobody but us has said.
      run: { ...run, ...this.#unsaid(run), model: run.model ?? this.#start.model, prompt: undefined },
      complaint: this.#complaint.trim(),
      activity: this.#watch.now,
    }
  }

  /** Some programs tell only by their exit code and on stderr why they gave up. */
  #unsaid({ ending, process: { exitCode, stopped } }: AgentRun): Partial<AgentRun> {
    const trouble = ending === 'cut' && !stopped && this.#start.program?.trouble?.(exitCode, this.#complaint)
    if (!trouble) return {}
    const words = this.#complaint.trim().split('\n').at(-1) ?? ''
    return { ending: 'service_failed', service: { cause: trouble.cause, words, passing: false } }
  }
}

/** The agent has ended; what it left running goes too. */
async function sweep(processes: RunProcesses): Promise<void> {
  if ((await processes.alive()).length === 0) return
  await processes.kill('SIGTERM')
  const deadline = performance.now() + LEFTOVER_GRACE_MS
  while (performance.now() < deadline && (await processes.alive()).length > 0) await sleep(25)
  await processes.kill('SIGKILL')
}

function exited(
  child: ChildProcess,
  program: AgentProgram | undefined,
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(child.spawnfile, error, program)))
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

function startError(command: string, error: unknown, program: AgentProgram | undefined): unknown {
  if (errnoOf(error) === 'ENOENT') {
    const first = program
      ? `Install ${AGENTS[program.name].label} (npm install -g ${program.package})`
      : 'Correct its spelling'
    return new AgentUnusable('not_found', `the agent "${command}" cannot be found`, {
      hint: `${first}, or name another in the setting loop.agent (ralph help configuration).`,
      cause: error,
    })
  }
  return fileError(error, command, 'starting the agent')
}

function openLog(path: string): number {
  try {
    return openOwnFileNow(path, 'append', 0o600)
  } catch (error) {
    throw fileError(error, path, "opening the agent's log")
  }
}
