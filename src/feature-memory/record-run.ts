import type { AgentRun, TokenUsage } from '../transcripts/agent-run.ts'
import type { AgentName } from '../transcripts/agents.ts'
import { readTranscript, readTranscriptStream } from '../transcripts/read-transcript.ts'
import { type Extraction, type ExtractOptions, extract } from './extract/extract.ts'
import type { TaskState } from './extract/outcome.ts'
import type { NewIteration, Outcome, RecordKind } from './record.ts'

export type { TaskState }
export { extract }

/** Where the run comes from: a transcript file, the agent's output as it arrives, or a run already collected. */
export type RunSource =
  | { file: string; agent?: AgentName | undefined }
  | { lines: AsyncIterable<string | Uint8Array>; agent?: AgentName | undefined }
  /** `later` reads only what came after a moment, for a run of which a part was recorded before. */
  | { run: AgentRun; later?: ((after: string) => Promise<AgentRun>) | undefined }

/** Dollars for these tokens of this model; undefined when its price is not known. */
export type RunPrices = (model: string, usage: TokenUsage) => number | undefined

/** One run of the agent on one task, to be stored as an iteration. */
export type RunToRecord = RunSource & {
  /** Default: `task` with a task, else `session`. */
  kind?: RecordKind | undefined
  feature: string
  taskId: number
  taskTitle: string
  discipline?: string | undefined
  modelTier?: string | undefined
  /** Overrules what the run itself suggests. */
  outcome?: Outcome | undefined
  /** The task's status before and after, which is the best witness of the outcome. */
  task?: ExtractOptions['task'] | undefined
  signal?: AbortSignal | undefined
}

/** `after`: only what came later, where the source can tell. */
export async function collectRun(source: RunToRecord, after?: string): Promise<AgentRun> {
  if ('run' in source) return after !== undefined && source.later ? source.later(after) : source.run
  const { agent, signal } = source
  return 'file' in source
    ? readTranscript(source.file, { agent, signal, after })
    : readTranscriptStream(source.lines, { agent, signal })
}

export type ExtractedIteration = NewIteration & Pick<Extraction, 'ending'>

/** What the run says happened, in the fields of a record. */
export function iterationOf(
  run: AgentRun,
  source: RunToRecord,
  { project, prices }: { project: string; prices?: RunPrices | undefined },
): ExtractedIteration {
  const { kind, feature, taskId, taskTitle, discipline, modelTier, outcome, task } = source
  const extracted = extract(run, { project, ...(task && { task }) })
  // Most programs count tokens and leave it to others to say what they cost.
  const { model, usage, costUsd = model && usage ? prices?.(model, usage) : undefined } = run
  return {
    timestamp: new Date().toISOString(),
    ...extracted,
    ...(costUsd !== undefined && { costUsd }),
    kind: kind ?? (taskId > 0 ? 'task' : 'session'),
    feature,
    taskId,
    taskTitle,
    ...(discipline && { discipline }),
    ...(modelTier && { modelTier }),
    ...(outcome && { outcome }),
  }
}
