import { join } from 'node:path'
import type { IterationRecord } from '../feature-memory/record.ts'
import { memoryOffer } from './agent/command.ts'
import { briefTask } from './briefing.ts'
import type { Emit, LoopSummary } from './events.ts'
import { handOnWaiting } from './hand-on.ts'
import { Histories } from './history.ts'
import { runLoop } from './loop.ts'
import type { LoopOptions, LoopParts, LoopSignals } from './parts.ts'
import type { Prompt } from './prompt/assemble.ts'
import { RunFiles } from './run-file.ts'
import { type Telling, toldTo } from './told.ts'

interface PromptRequest {
  budget: number
  agent?: readonly string[]
  /** Without it, as a run would get it that goes without memory. */
  memory?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** What a program or a command does with the loop: run it, or look at a prompt. */
export class AgentLoop {
  readonly #parts: LoopParts

  /** @internal */
  constructor(parts: LoopParts) {
    this.#parts = parts
  }

  /** One loop per project at a time. Resolves when nothing is left to do, a limit is reached, or `signals.stop` says so. */
  run(options: LoopOptions, emit: Emit, signals: LoopSignals = {}): Promise<LoopSummary> {
    return runLoop(this.#parts, options, emit, signals)
  }

  /** The prompt a task would get now, by the agent's command line, with an account of what is in it. Changes nothing. */
  async prompt(taskId: number, { agent, ...options }: PromptRequest): Promise<Prompt> {
    const task = await this.#parts.board.task(taskId)
    const histories = new Histories(this.#parts)
    const history = await histories.of(task.feature)
    const { prompt } = await briefTask(this.#parts, task, history, {
      ...options,
      memoryTools: agent ? memoryOffer(agent, this.#parts.env) : 'everything',
    })
    return prompt
  }

  /** Tells project knowledge of iterations that it could not be told of while its storage was down. Returns how many. */
  handOnWaiting(): Promise<number> {
    return handOnWaiting(this.#parts, new Histories(this.#parts))
  }

  /** What the run of an iteration was told, in its prompt, by hooks and by tools, as far as that is still kept. */
  told(record: IterationRecord): Promise<Telling[]> {
    const { receipts, cacheDir } = this.#parts
    return toldTo(record, { receipts: receipts.folder, runs: new RunFiles(join(cacheDir, 'loop')) })
  }
}
