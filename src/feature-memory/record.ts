import { z } from 'zod'
import { RalphError } from '../errors.ts'
import { isSafeRelativePath } from '../files/project-path.ts'
import { CHECK_KINDS } from '../shell/kinds.ts'
import { camelKeys, snakeKeys } from '../text/case.ts'
import { describeIssues } from '../text/describe-issues.ts'
import { deterministicUuid, sha256 } from '../text/ids.ts'
import { truncate } from '../text/truncate.ts'
import { olderEnding, olderKind } from './older-records.ts'

export const OUTCOMES = ['success', 'failure', 'partial', 'timeout', 'rate_limited'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const ERROR_TYPES = ['runtime', 'compile', 'test', 'lint', 'permission', 'logic', 'unknown'] as const
export type ErrorType = (typeof ERROR_TYPES)[number]

export const FILE_ACTIONS = ['created', 'modified', 'read', 'deleted'] as const
export type FileAction = (typeof FILE_ACTIONS)[number]

/** `task`: the loop's, on one task. `review`: of a feature as a whole. `session`: a person's, with no task of ours. */
export const RECORD_KINDS = ['task', 'review', 'session'] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/**
 * How a run ended, apart from what came of the task. Only `worked` (it worked and was not done) can be a failed attempt:
 * `stopped` was ended from outside, `service_failed` by the model's service, `refused` by missing permissions.
 */
export const ENDING_KINDS = ['done', 'worked', 'stopped', 'service_failed', 'refused'] as const

/** Of `stopped`: interrupted to recovered. Of `service_failed`: rate_limit to api. */
const ENDING_CAUSES = [
  ...(['interrupted', 'killed', 'time', 'silence', 'recovered'] as const),
  ...(['rate_limit', 'key', 'credit', 'budget', 'turns', 'context', 'api'] as const),
] as const
export type EndingCause = (typeof ENDING_CAUSES)[number]

/** Nobody counts that far; a number close to what numbers can hold would be the last one. */
export const HIGHEST_NUMBER = 1_000_000_000

export const MOST_CHECKS = 20
export const MOST_SIGNATURES = 20
const MOST_UNDONE = 20

export const RECORD_CAPS = {
  summary: 2_000,
  embeddingText: 4_000,
  title: 300,
  error: 1_000,
  decision: 500,
  command: 300,
  endingDetail: 300,
  undone: 300,
} as const

const cut = (max: number) => z.string().transform((text) => truncate(text, max))

/** The first so many: a list that is too long is cut like a text that is. */
const atMost = <Item extends z.ZodType>(count: number, item: Item) =>
  z
    .array(item)
    .transform((items) => items.slice(0, count))
    .default([])

/** Project-relative, `/`-separated, inside the project. Whoever has absolute paths uses `projectPath` first. */
const RelativePath = z.string().min(1).refine(isSafeRelativePath, {
  error: 'must be a path inside the project: relative, without "..", without null bytes',
})

export const RecordedError = z.object({
  message: z
    .string()
    .min(1)
    .transform((text) => truncate(text, RECORD_CAPS.error)),
  type: z.enum(ERROR_TYPES).optional(),
  filePath: z.string().min(1).optional(),
  line: z.int().positive().optional(),
  /** The shell command that reported it, unless it came out well later in the run; `checks` tells of every one. */
  command: cut(RECORD_CAPS.command).optional(),
})
export type RecordedError = z.infer<typeof RecordedError>

export const Decision = z.object({
  description: z
    .string()
    .min(1)
    .transform((text) => truncate(text, RECORD_CAPS.decision)),
  rationale: cut(RECORD_CAPS.decision).optional(),
})
export type Decision = z.infer<typeof Decision>

export const TouchedFile = z.object({ path: RelativePath, action: z.enum(FILE_ACTIONS) })
export type TouchedFile = z.infer<typeof TouchedFile>

export const RunEnding = z.object({
  kind: z.enum(ENDING_KINDS),
  cause: z.enum(ENDING_CAUSES).optional(),
  exitCode: z.int().optional(),
  signal: z.string().min(1).optional(),
  /** The program's or the service's own words, or "silent for 10 min". */
  detail: cut(RECORD_CAPS.endingDetail).optional(),
  /** Files it was about to change when it was ended: whether that was still done, nobody saw. */
  begun: z.array(RelativePath).optional(),
})
export type RunEnding = z.infer<typeof RunEnding>

/** A command that can tell whether an error is still there, as it came out the last time the run ran it. */
export const RecordedCheck = z.object({
  command: cut(RECORD_CAPS.command),
  kind: z.enum(CHECK_KINDS),
  result: z.enum(['passed', 'failed']),
  /** `errorSignature` of what it reported then. */
  signatures: atMost(MOST_SIGNATURES, z.string().min(1)),
  /** What it reported earlier in the run, and no longer the last time. */
  cleared: z
    .array(z.string().min(1))
    .transform((signatures) => signatures.slice(0, MOST_SIGNATURES))
    .optional(),
  /** Not all of its output was seen: it was filtered, or too long. */
  outputCut: z.boolean().optional(),
  /** How many tests it left out then, and while it failed earlier in the run: what is left out has not passed. */
  skipped: z.int().positive().optional(),
  skippedWhileFailing: z.int().nonnegative().optional(),
  /** Where it ran, project-relative; absent for the project itself. */
  directory: z.string().min(1).optional(),
  /** Whether the run had changed files before this result first held, and whether it did after it last ran the check. */
  changedBefore: z.boolean().optional(),
  changedAfter: z.boolean().optional(),
})
export type RecordedCheck = z.infer<typeof RecordedCheck>

/** The canonical account of one iteration: one run of the agent on one task. */
const StoredRecord = z.object({
  iterationNumber: z.int().positive().max(HIGHEST_NUMBER),
  kind: z.enum(RECORD_KINDS).optional(),
  /** 0 for a review and for a session: `kind` tells them apart. */
  taskId: z.int().nonnegative(),
  taskTitle: z
    .string()
    .min(1)
    .transform((text) => truncate(text, RECORD_CAPS.title)),
  feature: z.string().min(1),
  discipline: z.string().default('general'),
  timestamp: z.iso.datetime({ error: 'must be ISO 8601 in UTC, e.g. 2026-02-07T14:30:00Z' }),
  outcome: z.enum(OUTCOMES),
  summary: z
    .string()
    .min(1)
    .transform((text) => truncate(text, RECORD_CAPS.summary)),
  errors: z.array(RecordedError).default([]),
  decisions: z.array(Decision).default([]),
  filesTouched: z.array(TouchedFile).default([]),
  tokensUsed: z.int().nonnegative().optional(),
  costUsd: z.number().nonnegative().optional(),
  durationMs: z.number().nonnegative().optional(),
  /** `haiku` for a task iteration, `opus` for a review iteration; other models' names are welcome. */
  modelTier: z.string().min(1).default('haiku'),
  /** The program that ran, e.g. `claude-code`. */
  agent: z.string().min(1).optional(),
  /** The agent's own name for the run: the same run is not recorded twice. */
  sessionId: z.string().min(1).optional(),
  /** The first and the last moment of it by its own clock: a resumed session has several stretches. */
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
  ending: RunEnding.optional(),
  /** What the loop put back after the run, since it was not the agent's to change; absent when there was nothing. */
  undone: z
    .array(cut(RECORD_CAPS.undone))
    .transform((deeds) => deeds.slice(0, MOST_UNDONE))
    .optional(),
  checks: atMost(MOST_CHECKS, RecordedCheck),
})

export const IterationRecord = StoredRecord.transform((record) => ({
  ...record,
  kind: record.kind ?? olderKind(record),
  ending: record.ending ?? olderEnding(record),
}))
export type IterationRecord = z.infer<typeof IterationRecord>

/** A record before the journal has given it its number. */
export type NewIteration = Omit<z.input<typeof IterationRecord>, 'iterationNumber'>

export const JOURNAL_VERSION = 1
const JournalEntry = z.object({ version: z.int(), record: z.unknown() })

/** One line of the journal, without the line feed. */
export function toJournalLine(record: IterationRecord): string {
  return JSON.stringify({ version: JOURNAL_VERSION, record: snakeKeys(record) })
}

/** The opposite of `toJournalLine`; throws a RalphError that says what is wrong with the line. */
export function fromJournalLine(line: string): IterationRecord {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch (error) {
    throw new RalphError('damaged', 'not a JSON object', { cause: error })
  }
  const wrapper = JournalEntry.safeParse(entry)
  if (!wrapper.success) throw new RalphError('damaged', 'not a journal entry (no "version" and "record")')
  if (wrapper.data.version !== JOURNAL_VERSION) {
    throw new RalphError('unsupported_version', `journal entry of version ${wrapper.data.version}`, {
      hint: `This ralph reads version ${JOURNAL_VERSION}. Update ralph-memory to read it.`,
    })
  }
  return parseRecord(camelKeys(wrapper.data.record))
}

/** Validates what a caller or a file claims to be a record. */
export function parseRecord(value: unknown): IterationRecord {
  const parsed = IterationRecord.safeParse(value)
  if (parsed.success) return parsed.data
  throw new RalphError('invalid_input', `not a valid iteration record: ${describeIssues(parsed.error)}`)
}

export function decisionText({ description, rationale }: Decision): string {
  return rationale ? `${description}: ${rationale}` : description
}

/** What is embedded and searched: title, summary, errors, decisions. */
export function embeddingText(record: IterationRecord): string {
  const parts = [
    record.taskTitle,
    record.summary,
    ...record.errors.map((error) =>
      error.filePath ? `${error.message} (${error.filePath})` : error.message,
    ),
    ...record.decisions.map(decisionText),
  ]
  return truncate(parts.join('\n'), RECORD_CAPS.embeddingText)
}

/** Names one record to people, also where a merge brought two of the same number. */
export function iterationId(record: IterationRecord): string {
  return sha256(toJournalLine(record)).slice(0, 8)
}

/** The same record always gets the same id, so indexing twice changes nothing. */
export function documentId(
  project: string,
  record: Pick<IterationRecord, 'feature' | 'iterationNumber' | 'taskId'>,
): string {
  return deterministicUuid(project, record.feature, record.iterationNumber, record.taskId)
}

/** The isolated index space of one feature of one project, by the project's id. */
export function collectionName(project: string, feature: string): string {
  return `${sha256(project).slice(0, 8)}-${sha256(feature).slice(0, 8)}`
}
