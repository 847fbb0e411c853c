/** How much of a run is held, in characters unless said otherwise. Together they bound a run to some 50 MB. */
export interface CollectLimits {
  /** Bytes of one line; the agent's longest are below 1 MB. */
  line: number
  toolCalls: number
  command: number
  path: number
  /** A search that finds more files than this is a survey: it says nothing about any one of them. */
  pathsPerSearch: number
  shellOutput: { head: number; tail: number }
  failureOutput: { head: number; tail: number }
  /** Outputs of all calls together. */
  outputTotal: number
  text: { head: number; tail: number }
  /** Assistant texts together. */
  textTotal: number
}

export const COLLECT_LIMITS: CollectLimits = {
  line: 64 * 1024 * 1024,
  toolCalls: 10_000,
  command: 16_000,
  path: 4_096,
  pathsPerSearch: 20,
  shellOutput: { head: 16_000, tail: 48_000 },
  failureOutput: { head: 3_000, tail: 1_000 },
  outputTotal: 8_000_000,
  text: { head: 16_000, tail: 4_000 },
  textTotal: 1_000_000,
}
