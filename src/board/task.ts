import { preprocess, refusedAs, z } from '../text/schema.ts'
import type { AgentName } from '../transcripts/agents.ts'
import type { EntryKind } from './entry-kind.ts'
import {
  agentName,
  listOf,
  mapping,
  oneOf,
  positiveNumber,
  requiredText,
  text,
  wholeNumber,
} from './fields.ts'

export const TASK_STATUSES = ['pending', 'in_progress', 'blocked', 'done', 'skipped'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** A priority is a number, 1 comes first; people may use the words. */
const PRIORITY_WORDS = ['critical', 'high', 'medium', 'low'] as const
const DEFAULT_PRIORITY = 3

/** Undefined when it is neither one of the words nor a number from 0 to 9. */
export function parsePriority(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const rank = (PRIORITY_WORDS as readonly string[]).indexOf(value.trim().toLowerCase())
    if (rank !== -1) return rank + 1
    const digits = /^p?(\d)$/i.exec(value.trim())?.[1]
    return digits === undefined ? undefined : Number(digits)
  }
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9 ? value : undefined
}

const priority = z.pipe(
  z.unknown(),
  z.transform((value, context) => {
    const parsed = parsePriority(value)
    if (parsed !== undefined) return parsed
    return refusedAs(
      context,
      `must be a number from 0 to 9 (1 comes first) or one of ${PRIORITY_WORDS.join(', ')}`,
    )
  }),
)

export const TASK_CAPS = {
  title: 300,
  description: 5_000,
  criterion: 500,
  criteria: 30,
  blockedBy: 100,
  comment: 2_000,
  comments: 200,
} as const

/** What a task or a record belongs to when nobody said. */
export const GENERAL = 'general'

/** Agents write these for the status they mean; refusing them would cost an iteration. */
const STATUS_SYNONYMS: Record<string, TaskStatus> = {
  complete: 'done',
  completed: 'done',
  finished: 'done',
  todo: 'pending',
  open: 'pending',
  started: 'in_progress',
  doing: 'in_progress',
}

const status = preprocess((value) => {
  if (typeof value !== 'string') return value
  const word = value
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  return STATUS_SYNONYMS[word] ?? word
}, oneOf(TASK_STATUSES))

const Comment = z
  .pipe(
    z.union(
      [
        z.string(),
        z.looseObject({
          author: z.optional(z.string()),
          text: z.string(),
          created: z.optional(z.string()),
        }),
      ],
      { error: 'must be text, or a mapping with "text" and perhaps "author" and "created"' },
    ),
    z.transform((comment) => (typeof comment === 'string' ? { text: comment } : comment)),
  )
  .check(
    z.refine((comment) => comment.text.length <= TASK_CAPS.comment, {
      error: `has more than ${TASK_CAPS.comment} characters`,
    }),
  )

const OnDisk = mapping({
  id: positiveNumber,
  title: requiredText(TASK_CAPS.title),
  description: z.optional(text(TASK_CAPS.description)),
  acceptance_criteria: listOf(text(TASK_CAPS.criterion), TASK_CAPS.criteria),
  feature: z._default(requiredText(100), GENERAL),
  discipline: z._default(requiredText(100), GENERAL),
  agent: z.optional(agentName),
  status: z._default(status, 'pending'),
  blocked_by: listOf(wholeNumber, TASK_CAPS.blockedBy),
  priority: z._default(priority, DEFAULT_PRIORITY),
  comments: listOf(Comment, TASK_CAPS.comments),
  completed: z.optional(z.string({ error: 'must be a time such as 2026-02-07T14:30:00Z' })),
})

export interface TaskComment {
  author?: string | undefined
  text: string
  created?: string | undefined
}

export interface Task {
  id: number
  title: string
  description?: string | undefined
  acceptanceCriteria: string[]
  feature: string
  discipline: string
  /** Who works on it in the loop; default: its discipline's, else the loop's own. */
  agent?: AgentName | undefined
  status: TaskStatus
  blockedBy: number[]
  /** 1 comes first. */
  priority: number
  comments: TaskComment[]
  /** When it became done. */
  completed?: string | undefined
}

/** A field not given is kept, `null` clears it (or brings back its default). */
export type TaskPatch = {
  [Field in Exclude<keyof Task, 'id' | 'comments' | 'completed'>]?: Task[Field] | null | undefined
}

export type NewTask = TaskPatch & { title: string; id?: number | undefined }

export const TASKS: EntryKind<Task> = {
  file: 'tasks.yaml',
  rootKey: 'tasks',
  noun: 'task',
  identity: 'id',
  fields: {
    id: 'id',
    title: 'title',
    description: 'description',
    acceptanceCriteria: 'acceptance_criteria',
    feature: 'feature',
    discipline: 'discipline',
    agent: 'agent',
    status: 'status',
    blockedBy: 'blocked_by',
    priority: 'priority',
    comments: 'comments',
    completed: 'completed',
  },
  encode: {
    comments: ({ author, text, created }: TaskComment) => ({
      ...(author && { author }),
      text,
      ...(created && { created }),
    }),
  },
  schema: z.pipe(
    OnDisk,
    z.transform(
      (raw): Task => ({
        id: raw.id,
        title: raw.title,
        description: raw.description,
        acceptanceCriteria: raw.acceptance_criteria,
        feature: raw.feature,
        discipline: raw.discipline,
        agent: raw.agent,
        status: raw.status,
        blockedBy: raw.blocked_by,
        priority: raw.priority,
        comments: raw.comments,
        completed: raw.completed,
      }),
    ),
  ),
}
