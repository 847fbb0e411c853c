import { isRalphError, messageOf } from '../errors.ts'
import type { Holdout, Outcome, RunMemory } from '../feature-memory/record.ts'
import type { AgentName } from '../transcripts/agents.ts'
import type { Activity } from './agent/activity.ts'
import type { SentBack, WaitingGate } from './parts.ts'

/** Everything the loop says while it runs; a view shows it, `--json` prints it. */
export type LoopEvent =
  | { kind: 'status'; line: string; available: boolean }
  | { kind: 'board_problem'; message: string }
  /** Said at the start: so many of the iterations on tasks go without memory. */
  | ({ kind: 'holdout' } & Holdout)
  | { kind: 'recovered'; run: string; taskId: number; feature: string; outcome: Outcome; message: string }
  | {
      kind: 'iteration_started'
      run: string
      taskId: number
      taskTitle: string
      feature: string
      review: boolean
      /** Absent for a command that is none of the programs we know. */
      agent: AgentName | undefined
      promptTokens: number
      memory: RunMemory
      leftOut: string[]
      log: string
    }
  | ({ kind: 'activity'; run: string; elapsedMs: number } & Activity)
  | { kind: 'undone'; run: string; what: string[]; rejectedIn: string | undefined }
  /** Changed while the agent ran, and not by it. */
  | { kind: 'kept'; run: string; what: string[] }
  | {
      kind: 'iteration_ended'
      run: string
      taskId: number
      feature: string
      review: boolean
      outcome: Outcome
      /** What ended it, where that was not the agent itself. */
      remark: string | undefined
      /** Absent when it could not be recorded; why was said. */
      iterationNumber: number | undefined
      summary: string
      taskStatus: string
      tokens: number | undefined
      costUsd: number | undefined
      agentMs: number
      /** Everything but the agent. */
      ownMs: number
    }
  | { kind: 'waiting'; reason: string; until: string }
  | { kind: 'trouble'; message: string; hint: string | undefined }
  | { kind: 'gates_waiting'; gates: WaitingGate[] }
  /** Rejected on another clone, and therefore pending again on this board. */
  | { kind: 'sent_back'; gates: SentBack[] }
  | {
      kind: 'dry_run'
      taskId: number
      taskTitle: string
      feature: string
      prompt: string
      promptTokens: number
      memory: RunMemory
    }
  | ({ kind: 'stopped' } & LoopSummary)

export type StopCause =
  | 'done'
  | 'nothing_ready'
  | 'iterations'
  | 'cost'
  | 'stagnation'
  | 'interrupted'
  | 'agent_unusable'
  | 'dry_run'

export interface LoopSummary {
  cause: StopCause
  reason: string
  iterations: number
  outcomes: Partial<Record<Outcome, number>>
  tokens: number
  costUsd: number
  elapsedMs: number
}

export type Emit = (event: LoopEvent) => void

export function sayTrouble(emit: Emit, error: unknown, what = ''): void {
  const hint = isRalphError(error) ? error.hint : undefined
  emit({ kind: 'trouble', message: `${what}${messageOf(error)}`, hint })
}

export function sayKept(emit: Emit, run: string, what: string[]): void {
  if (what.length > 0) emit({ kind: 'kept', run, what })
}
