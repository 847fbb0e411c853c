import type { Board } from '../board/board.ts'
import type { McpServer } from '../board/discipline.ts'
import type { Task } from '../board/task.ts'
import type { Deferred } from '../deferred.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import type { Holdout, IterationRecord } from '../feature-memory/record.ts'
import type { RunPrices } from '../feature-memory/record-run.ts'
import type { Learnings } from '../learnings/store.ts'
import type { Notices } from '../notices.ts'
import type { WaitingIterations } from '../project-knowledge/waiting-iterations.ts'
import type { ReceiptLog } from '../receipts/log.ts'
import type { SessionPlaces } from '../transcripts/kept-sessions.ts'
import type { PriceList } from './agent/activity.ts'
import type { BackOffLimits } from './back-off.ts'
import type { FeatureHistory } from './history.ts'
import type { KnowledgeBlock } from './prompt/prompt.ts'
import type { ProjectSettings } from './settings-guard.ts'

/** What the loop stands on. */
export interface LoopParts {
  project: string
  board: Board
  featureMemory: FeatureMemory
  learnings: Deferred<Learnings>
  /** Absent where project knowledge is switched off. */
  knowledge?: LoopKnowledge | undefined
  /** Iterations that project knowledge could not be told of. */
  waiting: WaitingIterations
  receipts: ReceiptLog
  notices: Notices
  /** What they ask for that executes, sends or connects takes a person's trust. */
  settings: ProjectSettings
  /** For what may be deleted: logs, notes of running iterations, locks. */
  cacheDir: string
  /** The environment the agent runs in. */
  env: NodeJS.ProcessEnv
  /** Our MCP server's entry in the agent's configuration; a reviewer may mark learnings as reviewed. */
  mcpServer: (feature: string, run: string, rights: { reviewer: boolean; readOnly: boolean }) => McpServer
  /** `searchable`: without an embedder memory is searched by words, which is less but not nothing. */
  ragStatus: () => Promise<{ available: boolean; searchable: boolean; line: string }>
  /** Where programs keep more of a run than they print. */
  sessionPlaces?: SessionPlaces | undefined
  prices?: PriceList | undefined
  /** Of a whole run, for programs that do not say what it cost. */
  runPrices?: RunPrices | undefined
}

/** Ids of the knowledge that a prompt showed. */
export type ShownPatterns = Pick<KnowledgeBlock, 'patterns'>

export interface LoopKnowledge {
  /** Before any work: embeds what was captured since the last checkpoint, say what a person said at a gate. */
  begin(signal?: AbortSignal): Promise<void>
  /**
   * With the errors that stand in the task's way, the latest first. `isTold`: whether the prompt tells of a problem, and of
   * what solved it, anyway.
   */
  contextFor(
    task: Task,
    openErrors: readonly { message: string }[],
    options?: { signal?: AbortSignal | undefined; isTold?: ((problem: string) => boolean) | undefined },
  ): Promise<KnowledgeBlock | undefined>
  /** What a person said who sent this task back, and has not seen met since. */
  feedbackFor(task: Task): Promise<string[]>
  /** Counts for or against what was shown, hands on errors that are solved by evidence, and asks a person to look. */
  iterationEnded(
    record: IterationRecord,
    history: FeatureHistory,
    shown: ShownPatterns | undefined,
  ): Promise<void>
  /** All tasks of a feature, or of the project, are done, or the loop was stopped: a moment to embed what is staged. */
  checkpoint(trigger: 'feature_complete' | 'project_complete' | 'cancellation'): Promise<void>
  /** Sends back on this board what a person has rejected on another clone. Returns what it sent back. */
  sendBackRejected(): Promise<SentBack[]>
  /** Work of this project that waits for a person, the longest first. */
  waitingGates(): Promise<WaitingGate[]>
}

export interface WaitingGate {
  id: string
  taskId: string
  taskTitle: string
  gateType: string
}

/** Work that was rejected on another clone. */
export interface SentBack extends WaitingGate {
  feedback: string
  /** Whoever rejected it. */
  by: string
}

/** What may be set for one loop. */
export interface LoopOptions {
  agent: readonly string[]
  model?: string | undefined
  /** Default: the agent's own for reviews, else as for tasks. */
  reviewModel?: string | undefined
  timeLimitMs: number
  silenceLimitMs: number
  stagnationLimit: number
  /** A review after so many task iterations on a feature; 0 for none. */
  reviewEvery: number
  promptBudget: number
  feature?: string | undefined
  task?: number | undefined
  maxIterations?: number | undefined
  /** Dollars for the whole loop. */
  maxCost?: number | undefined
  maxCostPerIteration?: number | undefined
  dryRun?: boolean | undefined
  /** False: record everything, but show the agent nothing of it. For comparing. */
  memory?: boolean | undefined
  /** Runs a share of the iterations on tasks without memory, drawn by chance. For comparing fairly. */
  holdout?: Holdout | undefined
  backOff?: BackOffLimits | undefined
}

export interface LoopSignals {
  /** Stop cleanly after recording what happened. */
  stop?: AbortSignal | undefined
  /** End the agent at once. */
  kill?: AbortSignal | undefined
}
