import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoOf, fileError, RalphError } from '../../errors.ts'
import type { AgentRun } from '../../feature-memory/collect/agent-run.ts'
import { Collector } from '../../feature-memory/collect/collector.ts'
import { type Activity, ActivityWatch, type PriceList } from './activity.ts'
import { killGroupNow, killTree, processesOf, RUN_VARIABLE } from './process-tree.ts'

export interface RunLimits {
  timeMs: number
  /** An agent that prints nothing for so long hangs. */
  silenceMs: number
  costUsd?: number | undefined
}

export interface AgentStart {
  runId: string
  command: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  prompt: string
  /** Everything the agent prints goes here as it comes, so that a crash of ours loses nothing. */
  logPath: string
  limits: RunLimits
  prices?: PriceList | undefined
  /** Aborted: the agent is asked to end. */
  signal?: AbortSignal | undefined
  /** Aborted: it is ended at once. */
  killSignal?: AbortSignal | undefined
  onStart?: ((pid: number) => void) | undefined
  onActivity?: ((activity: Activity) => void) | undefined
}

export type StopReason = 'time' | 'silence' | 'cost' | 'interrupted'

export interface AgentEnd {
  run: AgentRun
  stopped: StopReason | undefined
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** The end of what it printed on stderr, for error messages. */
  complaint: string
  /** Why the log is incomplete, if it is. */
  logError: unknown
  /** As watched live; for a run without a closing report it is all there is. */
  activity: Activity
}

const CHECK_EVERY_MS = 250
/** Between asking an agent to end and ending it. */
const GRACE_MS = 5_000
/** For output still in the pipe when a process that inherited it lives on. */
const DRAIN_MS = 1_000
const KEPT_COMPLAINT = 4_000

/** Runs the agent once, within its limits, and returns when nothing of it is alive any more. */
export async function runAgent(start: AgentStart): Promise<AgentEnd> {
  const log = openLog(start.logPath)
  try {
    return await new AgentProcess(start, log).run()
  } finally {
    fsyncSync(log)
    closeSync(log)
  }
}

class AgentProcess {
  readonly #start: AgentStart
  readonly #log: number
  readonly #collector = new Collector({ format: 'stream-json' })
  readonly #watch: ActivityWatch
  #lastSign = Date.now()
  #stopped: StopReason | undefined
  #complaint = ''
  #logError: unknown

  constructor(start: AgentStart, log: number) {
    this.#start = start
    this.#log = log
    this.#watch = new ActivityWatch(start.prices)
  }

  async run(): Promise<AgentEnd> {
    const child = this.#spawn()
    const pid = child.pid
    const exit = exited(child)
    const drained = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const killOnExit = () => pid !== undefined && killGroupNow(pid)
    process.once('exit', killOnExit)
    const timer = setInterval(() => this.#check(child, startedAt), CHECK_EVERY_MS)
    const startedAt = Date.now()
    const onAbort = () => this.#stop(child, 'interrupted')
    const onKill = () => void killTree(pid, this.#start.runId, 'SIGKILL')
    const { signal: stopSignal, killSignal } = this.#start
    stopSignal?.addEventListener('abort', onAbort)
    killSignal?.addEventListener('abort', onKill)
    try {
      if (stopSignal?.aborted) onAbort()
      if (pid !== undefined) this.#start.onStart?.(pid)
      const { exitCode, signal } = await exit
      await this.#sweep(child, drained)
      return this.#end(exitCode, signal)
    } finally {
      clearInterval(timer)
      process.off('exit', killOnExit)
      stopSignal?.removeEventListener('abort', onAbort)
      killSignal?.removeEventListener('abort', onKill)
    }
  }

  #spawn(): ChildProcess {
    const [command, ...args] = this.#start.command
    const child = spawn(command!, args, {
      cwd: this.#start.cwd,
      env: { ...this.#start.env, [RUN_VARIABLE]: this.#start.runId },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C on our terminal is ours to handle, and the whole group can be ended.
      detached: process.platform !== 'win32',
    })
    child.stdout!.on('data', (chunk: Buffer) => this.#take(chunk))
    child.stderr!.on('data', (chunk: Buffer) => {
      this.#lastSign = Date.now()
      this.#complaint = (this.#complaint + chunk.toString('utf8')).slice(-KEPT_COMPLAINT)
    })
    // An agent that does not read its prompt is not our failure; it shows in what it does.
    child.stdin!.on('error', () => undefined)
    child.stdin!.end(this.#start.prompt)
    return child
  }

  #take(chunk: Buffer): void {
    this.#lastSign = Date.now()
    this.#keep(chunk)
    this.#collector.push(chunk)
    this.#watch.push(chunk)
    this.#start.onActivity?.(this.#watch.now)
  }

  /** A full disk costs the log, not the run. */
  #keep(chunk: Buffer): void {
    if (this.#logError !== undefined) return
    try {
      writeSync(this.#log, chunk)
    } catch (error) {
      this.#logError = error
    }
  }

  #check(child: ChildProcess, startedAt: number): void {
    const { timeMs, silenceMs, costUsd } = this.#start.limits
    const now = Date.now()
    if (now - startedAt > timeMs) this.#stop(child, 'time')
    else if (now - this.#lastSign > silenceMs) this.#stop(child, 'silence')
    else if (costUsd !== undefined && (this.#watch.now.cost ?? 0) > costUsd) this.#stop(child, 'cost')
  }

  /** Asks first; who does not listen is ended. */
  #stop(child: ChildProcess, reason: StopReason): void {
    if (this.#stopped !== undefined) return
    this.#stopped = reason
    const { runId } = this.#start
    void killTree(child.pid, runId, reason === 'interrupted' ? 'SIGINT' : 'SIGTERM')
    const patience = setTimeout(() => void killTree(child.pid, runId, 'SIGKILL'), GRACE_MS)
    child.once('exit', () => clearTimeout(patience))
  }

  /** The agent has ended; what it left running goes too, and the last of its output is read. */
  async #sweep(child: ChildProcess, drained: Promise<void>): Promise<void> {
    if ((await processesOf(child.pid, this.#start.runId)).length > 0) {
      await killTree(child.pid, this.#start.runId, 'SIGTERM')
      await Promise.race([drained, sleep(DRAIN_MS)])
      await killTree(child.pid, this.#start.runId, 'SIGKILL')
    }
    await Promise.race([drained, sleep(DRAIN_MS)])
    child.stdout?.destroy()
    child.stderr?.destroy()
  }

  #end(exitCode: number | null, signal: NodeJS.Signals | null): AgentEnd {
    const stopped = this.#stopped
    const timedOut = stopped === 'time' || stopped === 'silence'
    return {
      run: this.#collector.finish({ exitCode, signal, timedOut }),
      stopped,
      exitCode,
      signal,
      complaint: this.#complaint.trim(),
      logError: this.#logError,
      activity: this.#watch.now,
    }
  }
}

function exited(child: ChildProcess): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(child.spawnfile, error)))
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

function startError(command: string, error: unknown): unknown {
  if (errnoOf(error) === 'ENOENT') {
    return new RalphError('not_found', `the agent "${command}" cannot be found`, {
      hint: 'Install Claude Code (npm install -g @anthropic-ai/claude-code), or set loop.agent in .ralph/rag_config.json.',
      cause: error,
    })
  }
  return fileError(error, command, 'starting the agent')
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a')
  } catch (error) {
    throw fileError(error, path, "opening the agent's log")
  }
}
