import type { AgentRun } from '../transcripts/agent-run.ts'
import { readTranscript, readTranscriptStream } from '../transcripts/read-transcript.ts'
import { type Extraction, type ExtractOptions, extract } from './extract/extract.ts'
import type { TaskState } from './extract/outcome.ts'
import type { NewIteration, Outcome, RecordKind } from './record.ts'

export type { TaskState }
export { extract }

/** Where the run comes from: a transcript file, the agent's output as it arrives, or a run already collected. */
export type RunSource =
  | { file: string }
  | { lines: AsyncIterable<string | Uint8Array> }
  /** `later` reads only what came after a moment, for a run of which a part was recorded before. */
  | { run: AgentRun; later?: ((after: string) => Promise<AgentRun>) | undefined }

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
  const { signal } = source
  return 'file' in source
    ? readTranscript(source.file, { signal, after })
    : readTranscriptStream(source.lines, { signal })
}

export type ExtractedIteration = NewIteration & Pick<Extraction, 'ending'>

/** What the run says happened, in the fields of a record. */
export function iterationOf(run: AgentRun, source: RunToRecord, project: string): ExtractedIteration {
  const { kind, feature, taskId, taskTitle, discipline, modelTier, outcome, task } = source
  const extracted = extract(run, { project, ...(task && { task }) })
  return {
    timestamp: new Date().toISOString(),
    ...extracted,
    kind: kind ?? (taskId > 0 ? 'task' : 'session'),
    feature,
    taskId,
    taskTitle,
    ...(discipline && { discipline }),
    ...(modelTier && { modelTier }),
    ...(outcome && { outcome }),
  }
}
