import type { RunResult, ServiceFailure, TokenUsage, ToolCall } from './agent-run.ts'

/** What any agent's line can tell us, in one vocabulary. One file per agent format translates into it. */
export type AgentEvent =
  | {
      kind: 'session'
      cwd?: string | undefined
      model?: string | undefined
      version?: string | undefined
      /** What the session is called, by its program or a person. */
      title?: string | undefined
      /** The session that started this one as its sub-agent. */
      parentId?: string | undefined
      subAgent?: boolean
    }
  | { kind: 'prompt'; text: string }
  | { kind: 'text'; text: string; subAgent: boolean }
  /** `about`: what it looks for or is to do, where neither a file nor a command says it. */
  | { kind: 'call'; call: ToolCall; about?: string | undefined }
  | { kind: 'call_result'; id: string; result: CallResult; subAgent: boolean }
  /** A command that had gone to the background is over. */
  | { kind: 'background_end'; id: string; failed: boolean; summary: string }
  /** The output limit cut the answer; the next text continues the last one in the middle of a word. */
  | { kind: 'continued' }
  | { kind: 'interrupted' }
  | { kind: 'retry'; rateLimited: boolean }
  | { kind: 'api_failure'; failure: ServiceFailure; subAgent: boolean }
  | { kind: 'quota'; resetsAt: string | undefined }
  /** A part of a response of the model: of the usage told with the same id the last one counts, `characters` add up. */
  | { kind: 'response'; id: string; usage: TokenUsage; characters: () => number }
  /** Running totals of the whole session. */
  | { kind: 'totals'; costUsd: number | undefined; usage: TokenUsage | undefined }
  | { kind: 'result'; result: ResultEvent }

/** A tool's result as it arrived; what it means depends on the call. */
export interface CallResult {
  isError: boolean
  text: string
  /** The agent's machine-readable account of the result, of any shape. */
  structured: unknown
}

export interface ResultEvent extends RunResult {
  /** The service or a limit ended it. */
  service: ServiceFailure | undefined
  durationMs: number | undefined
  /** Running total, continued over resumed sessions. */
  totalCostUsd: number | undefined
  totalUsage: TokenUsage | undefined
  /** Since the previous result of the same session. */
  recentCostUsd: number | undefined
  recentUsage: TokenUsage | undefined
  /** Of this turn, without sub-agents. */
  turnUsage: TokenUsage | undefined
}

/** One line, understood. */
export interface DecodedLine {
  known: boolean
  events: AgentEvent[]
  timestamp?: string | undefined
  sessionId?: string | undefined
  /** The program's own id of a prompt in this line, the same wherever it is repeated. */
  promptId?: string | undefined
  /** Waiting for a person ended with this line: the time before it is nobody's work. */
  afterWait?: boolean
}
