import { posix } from 'node:path'
import { z } from 'zod'
import { RalphError } from '../errors.ts'
import { camelKeys, snakeKeys } from '../text/case.ts'
import { deterministicUuid, sha256 } from '../text/ids.ts'
import { truncate } from '../text/truncate.ts'

export const OUTCOMES = ['success', 'failure', 'partial', 'timeout', 'rate_limited'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const ERROR_TYPES = ['runtime', 'compile', 'test', 'lint', 'permission', 'logic', 'unknown'] as const
export type ErrorType = (typeof ERROR_TYPES)[number]

export const FILE_ACTIONS = ['created', 'modified', 'read', 'deleted'] as const
export type FileAction = (typeof FILE_ACTIONS)[number]

export const CAPS = {
  summary: 2_000,
  learning: 500,
  embeddingText: 4_000,
  title: 300,
  error: 1_000,
  decision: 500,
  command: 300,
} as const

const cut = (max: number) => z.string().transform((text) => truncate(text, max))

/** Project-relative, `/`-separated, inside the project. Whoever has absolute paths uses `projectPath` first. */
const RelativePath = z.string().min(1).refine(isSafeRelativePath, {
  error: 'must be a path inside the project: relative, without "..", without null bytes',
})

export const RecordedError = z.object({
  message: z
    .string()
    .min(1)
    .transform((text) => truncate(text, CAPS.error)),
  type: z.enum(ERROR_TYPES).optional(),
  filePath: z.string().min(1).optional(),
  line: z.int().positive().optional(),
  /** The shell command that failed this way, so that whoever is about to run it again can be told. */
  command: cut(CAPS.command).optional(),
})
export type RecordedError = z.infer<typeof RecordedError>

export const Decision = z.object({
  description: z
    .string()
    .min(1)
    .transform((text) => truncate(text, CAPS.decision)),
  rationale: cut(CAPS.decision).optional(),
})
export type Decision = z.infer<typeof Decision>

export const TouchedFile = z.object({ path: RelativePath, action: z.enum(FILE_ACTIONS) })
export type TouchedFile = z.infer<typeof TouchedFile>

/** The canonical account of one iteration: one run of the agent on one task. */
export const IterationRecord = z.object({
  iterationNumber: z.int().positive(),
  taskId: z.int().nonnegative(),
  taskTitle: z
    .string()
    .min(1)
    .transform((text) => truncate(text, CAPS.title)),
  feature: z.string().min(1),
  discipline: z.string().default('general'),
  timestamp: z.iso.datetime({ error: 'must be ISO 8601 in UTC, e.g. 2026-02-07T14:30:00Z' }),
  outcome: z.enum(OUTCOMES),
  summary: z
    .string()
    .min(1)
    .transform((text) => truncate(text, CAPS.summary)),
  errors: z.array(RecordedError).default([]),
  decisions: z.array(Decision).default([]),
  filesTouched: z.array(TouchedFile).default([]),
  tokensUsed: z.int().nonnegative().optional(),
  costUsd: z.number().nonnegative().optional(),
  durationMs: z.number().nonnegative().optional(),
  /** `haiku` for a task iteration, `opus` for a review iteration; other models' names are welcome. */
  modelTier: z.string().min(1).default('haiku'),
})
export type IterationRecord = z.infer<typeof IterationRecord>

/** A record before the journal has given it its number. */
export type NewIteration = Omit<z.input<typeof IterationRecord>, 'iterationNumber'>

export const JOURNAL_VERSION = 1

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
  const wrapper = z.object({ version: z.int(), record: z.unknown() }).safeParse(entry)
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

/** "files_touched.0.path: must be …; outcome: …", in the spelling people see on disk. */
export function describeIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const place = issue.path
        .map((part) => Object.keys(snakeKeys({ [String(part)]: 0 }) as object)[0])
        .join('.')
      return place ? `${place}: ${issue.message}` : issue.message
    })
    .join('; ')
}

/** What is embedded and searched: title, summary, errors, decisions. */
export function embeddingText(record: IterationRecord): string {
  const parts = [
    record.taskTitle,
    record.summary,
    ...record.errors.map((error) =>
      error.filePath ? `${error.message} (${error.filePath})` : error.message,
    ),
    ...record.decisions.map(({ description, rationale }) =>
      rationale ? `${description}: ${rationale}` : description,
    ),
  ]
  return truncate(parts.join('\n'), CAPS.embeddingText)
}

/** The same record always gets the same id, so indexing twice changes nothing. */
export function pointId(
  projectPath: string,
  record: Pick<IterationRecord, 'feature' | 'iterationNumber' | 'taskId'>,
): string {
  return deterministicUuid(projectPath, record.feature, record.iterationNumber, record.taskId)
}

/** The isolated index space of one feature of one project. */
export function collectionName(projectPath: string, feature: string): string {
  return `${sha256(projectPath).slice(0, 8)}-${sha256(feature).slice(0, 8)}`
}

/** Makes an agent's path project-relative with `/`; undefined when it lies outside the project or is malformed. */
export function projectPath(path: string, project: string): string | undefined {
  if (path === '' || path.includes('\0')) return undefined
  let normal = toSlashes(path)
  const root = toSlashes(project).replace(/\/+$/, '')
  if (isAbsolute(normal)) {
    if (!normal.startsWith(`${root}/`)) return undefined
    normal = normal.slice(root.length + 1)
  }
  const clean = posix.normalize(normal).replace(/^\.\//, '').replace(/\/+$/, '')
  return isSafeRelativePath(clean) ? clean : undefined
}

function isSafeRelativePath(path: string): boolean {
  if (path === '' || path === '.' || path.includes('\0') || path.includes('\\') || isAbsolute(path))
    return false
  return !path.split('/').includes('..')
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path)
}

/** Windows paths arrive with backslashes; on other systems a backslash is an ordinary, if odd, character. */
function toSlashes(path: string): string {
  return /^[A-Za-z]:|\\\\/.test(path) || process.platform === 'win32' ? path.replaceAll('\\', '/') : path
}
