/** What one run of a coding agent did, in bounded memory however long it ran: all that extraction needs, no more. */
export interface AgentRun {
  /** The program, e.g. `claude-code`; undefined when no line was one of an agent we know. */
  agent: string | undefined
  /** The program's own version, where it says it. */
  version: string | undefined
  format: TranscriptFormat | undefined
  sessionId: string | undefined
  /** The project as the agent saw it: where it was started. */
  cwd: string | undefined
  model: string | undefined
  /** ISO 8601, from the agent's own lines. */
  startedAt: string | undefined
  endedAt: string | undefined
  /** The first thing a person asked for; absent in `stream-json`, which does not repeat the prompt. */
  prompt: string | undefined

  toolCalls: ToolCall[]
  texts: AssistantText[]
  /** The last `result` event: earlier ones of the same run are superseded by it. */
  result: RunResult | undefined
  ending: Ending
  /** What the model's service or a limit of the program said, when that ended the run. */
  service: ServiceFailure | undefined
  rateLimit: RateLimitFacts
  process: ProcessEnd

  usage: TokenUsage | undefined
  /** Of this run alone, even where the agent continues the running total of a resumed session. */
  costUsd: number | undefined
  durationMs: number | undefined

  lines: LineCounts
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
  /** Where a command was started, seen from where the run was, if each begins anew; else where the last one left the shell. */
  directory?: string | undefined
  /** Whether the file was new, where the agent said so. */
  creates: boolean | undefined
  /** What a shell command or a patch did to files, where the agent's program says it. */
  changes?: FileChange[] | undefined
  /** What a write or an edit made of one of ralph's own files, where the agent's program kept both. */
  rewrote?: FileVersions | undefined
  subAgent: boolean
  /** `unfinished`: no result came, or the command went to the background. */
  status: 'ok' | 'failed' | 'unfinished'
  /** Kept for shell commands and for failures; the middle of a long one is left out. */
  output: string
}

export interface FileChange {
  path: string
  action: 'created' | 'modified' | 'deleted'
}

/** A whole file before and after one change. */
export interface FileVersions {
  before: string
  after: string
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
}

/**
 * How the run came to its end, as far as its own lines tell. `failed`: the program itself gave up. `cut`: no closing
 * line, so killed, crashed, or not over yet.
 */
export type Ending = 'completed' | 'service_failed' | 'interrupted' | 'failed' | 'cut'

/** `budget` and `turns` are limits that the program was given; `api` is everything the service refused for other reasons. */
export type ServiceCause = 'rate_limit' | 'key' | 'credit' | 'budget' | 'turns' | 'context' | 'api'

export interface ServiceFailure {
  cause: ServiceCause
  /** Its own words; empty when it was still being asked again. */
  words: string
  /** The same request may be answered later. */
  passing: boolean
}

export interface RateLimitFacts {
  /** Requests the agent repeated because of a rate limit or an overload. */
  retries: number
  /** When the quota is renewed, ISO 8601. */
  resetsAt: string | undefined
}

/** What whoever started the process knows. */
export interface ProcessEnd {
  exitCode: number | undefined
  signal: string | undefined
  /** We ended it. */
  stopped: Stop | undefined
}

/** Why we end a run: it took too long, said nothing for too long, cost too much, a person wants it, or a crash left it. */
export interface Stop {
  reason: 'time' | 'silence' | 'cost' | 'interrupted' | 'recovered'
  /** The limit of time or silence that it reached. */
  limitMs?: number | undefined
}

export interface TokenUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/** Every token the model processed counts, also those from its cache: that is how the agent's own tools total them. */
export function tokensIn({ input, output, cacheRead, cacheWrite }: TokenUsage): number {
  return input + output + cacheRead + cacheWrite
}

export interface LineCounts {
  total: number
  /** JSON, but of a type we do not know. */
  unknown: number
  /** No JSON object. */
  broken: number
  /** Longer than any line we are willing to hold. */
  oversized: number
}
