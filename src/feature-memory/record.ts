import { RalphError } from '../errors.ts'
import { isSafeRelativePath } from '../files/project-path.ts'
import { CHECK_KINDS } from '../shell/kinds.ts'
import { camelKeys, snakeKeys } from '../text/case.ts'
import { describeIssues } from '../text/describe-issues.ts'
import { deterministicUuid, sha256 } from '../text/ids.ts'
import { z } from '../text/schema.ts'
import { truncate } from '../text/truncate.ts'
import { LARGEST_HOLDOUT } from './holdout.ts'
import { olderEnding, olderKind } from './older-records.ts'

export { type Holdout, isDrawn, LARGEST_HOLDOUT } from './holdout.ts'

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
/** Beyond so many it is a history, not what one run did. */
export const MOST_COMMITTED = 20

export const RECORD_CAPS = {
  summary: 2_000,
  said: 20_000,
  embeddingText: 4_000,
  title: 300,
  error: 1_000,
  decision: 500,
  command: 300,
  endingDetail: 300,
  undone: 300,
  committed: 1_000,
} as const

/** A text that says something. */
const filled = z.string().check(z.minLength(1))
const first = (max: number) => z.transform((text: string) => truncate(text, max))
const cut = (max: number) => z.pipe(z.string(), first(max))
const cutFilled = (max: number) => z.pipe(filled, first(max))
const count = z.int().check(z.nonnegative())

/** The first so many: a list that is too long is cut like a text that is. */
const firstOf = <Item extends z.ZodMiniType>(most: number, item: Item) =>
  z.pipe(
    z.array(item),
    z.transform((items) => items.slice(0, most)),
  )

/** Project-relative, `/`-separated, inside the project. Whoever has absolute paths uses `projectPath` first. */
const RelativePath = filled.check(
  z.refine(isSafeRelativePath, {
    error: 'must be a path inside the project: relative, without "..", without null bytes',
  }),
)

export const RecordedError = z.object({
  message: cutFilled(RECORD_CAPS.error),
  type: z.optional(z.enum(ERROR_TYPES)),
  filePath: z.optional(filled),
  line: z.optional(z.int().check(z.positive())),
  /** The shell command that reported it, unless it came out well later in the run; `checks` tells of every one. */
  command: z.optional(cut(RECORD_CAPS.command)),
})
export type RecordedError = z.infer<typeof RecordedError>

export const Decision = z.object({
  description: cutFilled(RECORD_CAPS.decision),
  rationale: z.optional(cut(RECORD_CAPS.decision)),
})
export type Decision = z.infer<typeof Decision>

export const TouchedFile = z.object({ path: RelativePath, action: z.enum(FILE_ACTIONS) })
export type TouchedFile = z.infer<typeof TouchedFile>

export const RunEnding = z.object({
  kind: z.enum(ENDING_KINDS),
  cause: z.optional(z.enum(ENDING_CAUSES)),
  exitCode: z.optional(z.int()),
  signal: z.optional(filled),
  /** The program's or the service's own words, or "silent for 10 min". */
  detail: z.optional(cut(RECORD_CAPS.endingDetail)),
  /** Files it was about to change when it was ended: whether that was still done, nobody saw. */
  begun: z.optional(z.array(RelativePath)),
})
export type RunEnding = z.infer<typeof RunEnding>

/** A command that can tell whether an error is still there, as it came out the last time the run ran it. */
export const RecordedCheck = z.object({
  command: cut(RECORD_CAPS.command),
  kind: z.enum(CHECK_KINDS),
  result: z.enum(['passed', 'failed']),
  /** `errorSignature` of what it reported then. */
  signatures: z._default(firstOf(MOST_SIGNATURES, filled), []),
  /** What it reported earlier in the run, and no longer the last time. */
  cleared: z.optional(firstOf(MOST_SIGNATURES, filled)),
  /** Not all of its output was seen: it was filtered, or too long. */
  outputCut: z.optional(z.boolean()),
  /** How many tests it left out then, and while it failed earlier in the run: what is left out has not passed. */
  skipped: z.optional(z.int().check(z.positive())),
  skippedWhileFailing: z.optional(count),
  /** Where it ran, project-relative; absent for the project itself. */
  directory: z.optional(filled),
  /** Whether the run had changed files before this result first held, and whether it did after it last ran the check. */
  changedBefore: z.optional(z.boolean()),
  changedAfter: z.optional(z.boolean()),
})
export type RecordedCheck = z.infer<typeof RecordedCheck>

/** What memory had to say for a run of the loop, and whether it stood before it. */
export const RunMemory = z.object({
  /** Whether the run was given it: in its prompt, by tools, by hooks. */
  given: z.boolean(),
  /** How many pieces of memory there were for it, given or not; 0: memory had nothing to say. */
  pieces: count,
  /** The share of runs that went without at the time, where a draw decided. */
  holdout: z.optional(z.number().check(z.positive(), z.maximum(LARGEST_HOLDOUT))),
  /** What the draw was made from, so that anybody can make it again; absent in older records. */
  draw: z.optional(z.object({ seed: z.string(), iteration: count })),
  /** How often a run without memory read its files by itself, as far as its transcript shows; absent: never. */
  lookedUp: z.optional(z.int().check(z.positive())),
})
export type RunMemory = z.infer<typeof RunMemory>

/** The canonical account of one iteration: one run of the agent on one task. */
const StoredRecord = z.object({
  iterationNumber: z.int().check(z.positive(), z.maximum(HIGHEST_NUMBER)),
  kind: z.optional(z.enum(RECORD_KINDS)),
  /** 0 for a review and for a session: `kind` tells them apart. */
  taskId: count,
  taskTitle: cutFilled(RECORD_CAPS.title),
  feature: filled,
  discipline: z._default(z.string(), 'general'),
  timestamp: z.iso.datetime({ error: 'must be ISO 8601 in UTC, e.g. 2026-02-07T14:30:00Z' }),
  outcome: z.enum(OUTCOMES),
  summary: cutFilled(RECORD_CAPS.summary),
  /** What the agent said beyond the summary: searched, not shown. */
  said: z.optional(
    z.pipe(
      z.string(),
      z.transform((text) => text.slice(0, RECORD_CAPS.said).toWellFormed()),
    ),
  ),
  /** Messages of what it committed and titles of what it proposed: searched, not shown. */
  committed: z.optional(firstOf(MOST_COMMITTED, cutFilled(RECORD_CAPS.committed))),
  errors: z._default(z.array(RecordedError), []),
  decisions: z._default(z.array(Decision), []),
  filesTouched: z._default(z.array(TouchedFile), []),
  tokensUsed: z.optional(count),
  costUsd: z.optional(z.number().check(z.nonnegative())),
  durationMs: z.optional(z.number().check(z.nonnegative())),
  /** `haiku` for a task iteration, `opus` for a review iteration; other models' names are welcome. */
  modelTier: z._default(filled, 'haiku'),
  /** The program that ran, e.g. `claude-code`. */
  agent: z.optional(filled),
  /** The agent's own name for the run: the same run is not recorded twice. */
  sessionId: z.optional(filled),
  /** The first and the last moment of it by its own clock: a resumed session has several stretches. */
  startedAt: z.optional(z.iso.datetime()),
  endedAt: z.optional(z.iso.datetime()),
  ending: z.optional(RunEnding),
  /** What the loop put back after the run, since it was not the agent's to change; absent when there was nothing. */
  undone: z.optional(firstOf(MOST_UNDONE, cut(RECORD_CAPS.undone))),
  checks: z._default(firstOf(MOST_CHECKS, RecordedCheck), []),
  /** Absent for a session by hand, and for what was recorded before this was. */
  memory: z.optional(RunMemory),
})

export const IterationRecord = z.pipe(
  StoredRecord,
  z.transform((record) => ({
    ...record,
    kind: record.kind ?? olderKind(record),
    ending: record.ending ?? olderEnding(record),
  })),
)
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

/** Errors and decisions, each in its words. */
export function errorsAndDecisions({ errors, decisions }: IterationRecord): string[] {
  return [
    ...errors.map(({ message, filePath }) => (filePath ? `${message} (${filePath})` : message)),
    ...decisions.map(decisionText),
  ]
}

/** What is embedded as a whole: title, summary, errors, decisions. */
export function embeddingText(record: IterationRecord): string {
  const parts = [record.taskTitle, record.summary, ...errorsAndDecisions(record)]
  return truncate(parts.join('\n'), RECORD_CAPS.embeddingText)
}

/** Without what it is only found by. */
export function shownOf({ said: _, committed: __, ...shown }: IterationRecord): IterationRecord {
  return shown
}

/** Names one record to people, also where a merge brought two of the same number; by what is shown of it. */
export function iterationId(record: IterationRecord): string {
  return sha256(toJournalLine(shownOf(record))).slice(0, 8)
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

/** The same where another feature has that name already, since the beginnings of their hashes are alike. */
export function longerCollectionName(project: string, feature: string): string {
  return `${collectionName(project, feature)}-${sha256(collectionOwner(project, feature)).slice(0, 16)}`
}

/** Whose a collection is, in full. */
export function collectionOwner(project: string, feature = ''): string {
  return `${project}/${feature}`
}
