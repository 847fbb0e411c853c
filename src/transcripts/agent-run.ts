/** What one run of a coding agent did, in bounded memory however long it ran: all that extraction needs, no more. */
export interface AgentRun {
  /** The program, e.g. `claude-code`; undefined when no line was one of an agent we know. */
  agent: string | undefined
  format: TranscriptFormat | undefined
  sessionId: string | undefined
  /** The project as the agent saw it: where it was started. */
  cwd: string | undefined
  model: string | undefined
  cliVersion: string | undefined
  /** ISO 8601, from the agent's own lines. */
  startedAt: string | undefined
  endedAt: string | undefined
  /** The first thing a person asked for; absent in `stream-json`, which does not repeat the prompt. */
  prompt: string | undefined

  toolCalls: ToolCall[]
  texts: AssistantText[]
  /** The last `result` event: earlier ones of the same run are superseded by it. */
  result: RunResult | undefined
  resultCount: number
  /** What the API answered when it last refused for good. */
  apiFailure: string | undefined
  ending: Ending
  rateLimit: RateLimitFacts
  process: ProcessEnd

  usage: TokenUsage | undefined
  /** Of this run alone, even where the agent continues the running total of a resumed session. */
  costUsd: number | undefined
  durationMs: number | undefined

  lines: LineCounts
  /** Left out to stay within the limits, oldest and least telling first. */
  dropped: { toolCalls: number; texts: number }
}

export type TranscriptFormat = 'stream-json' | 'session'

/** What a call does, whatever the agent calls the tool. */
export type ToolKind = 'read' | 'write' | 'edit' | 'search' | 'shell' | 'other'

export interface ToolCall {
  id: string
  name: string
  kind: ToolKind
  /** As the agent spelled them: the target of a read, write or edit; for a search, what it found. */
  paths: string[]
  command: string | undefined
  /** Whether the file was new, where the agent said so. */
  creates: boolean | undefined
  subAgent: boolean
  /** `unfinished`: no result came, or the command went to the background. */
  status: 'ok' | 'failed' | 'unfinished'
  /** Kept for shell commands and for failures; the middle of a long one is left out. */
  output: string
}

export interface AssistantText {
  text: string
  subAgent: boolean
}

export interface RunResult {
  subtype: string
  isError: boolean
  /** The agent's closing words, or the text of the API failure. */
  text: string
  errors: string[]
  terminalReason: string | undefined
  turns: number | undefined
}

/**
 * How the run came to its end, as far as its own lines tell.
 * `limit`: turns or budget used up. `cut`: no closing line, so killed, crashed, or not over yet.
 */
export type Ending = 'completed' | 'limit' | 'rate_limited' | 'api_error' | 'interrupted' | 'error' | 'cut'

export interface RateLimitFacts {
  /** Requests the agent repeated because of a rate limit or an overload. */
  retries: number
  /** The quota's own word: `allowed`, `allowed_warning`, `rejected`. */
  quota: string | undefined
  /** When the quota is renewed, ISO 8601. */
  resetsAt: string | undefined
}

/** What whoever started the process knows. */
export interface ProcessEnd {
  exitCode: number | undefined
  signal: string | undefined
  timedOut: boolean
}

export interface TokenUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

export interface LineCounts {
  total: number
  /** JSON, but of a type we do not know. */
  unknown: number
  /** No JSON object. */
  broken: number
  /** Longer than any line we are willing to hold. */
  oversized: number
  /** The last line ends in the middle: the agent was killed while writing. */
  cutLast: boolean
}
