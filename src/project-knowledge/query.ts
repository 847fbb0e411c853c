import { z } from 'zod'
import { RalphError } from '../errors.ts'
import { ask } from '../retrieval/ask.ts'
import type { Collection } from '../retrieval/collection.ts'
import type { Filter } from '../search-index/search-index.ts'
import type { Storage } from '../storage/storage.ts'
import { truncate } from '../text/truncate.ts'
import { CAPS, type Kind } from './entry.ts'
import { type FoundEntry, type Pattern, patternsOf } from './patterns.ts'
import { failureQuestion, type Question, taskQuestion } from './question.ts'
import { expiryLimit } from './retention.ts'
import { entryOf } from './rows.ts'

/** What the agent is about to do. Filters that are absent or empty do not filter. */
export interface TaskQuery {
  description: string
  agentType?: string | undefined
  taskType?: string | undefined
  technology?: string | undefined
}

/** What has just gone wrong. */
export interface FailureQuery extends TaskQuery {
  error?: string | undefined
}

export interface QueryOptions {
  /** Most patterns. */
  limit?: number | undefined
  /** 0 to 1, on the product's score scale. */
  minScore?: number | undefined
  signal?: AbortSignal | undefined
}

const FOR_TASK = { limit: 5, minScore: 0.7 } as const
export const FOR_FAILURE = { limit: 3, minScore: 0.75 } as const
/** Entries looked at per pattern wanted: several may say the same. */
const ENTRIES_PER_PATTERN = 4
const MOST_PATTERNS = 100

const Options = z.object({
  limit: z
    .int({ error: 'the limit must be a whole number' })
    .min(1, { error: 'the limit must be at least 1' }),
  minScore: z.number().min(0).max(1, { error: 'the minimum score must lie between 0 and 1' }),
})

export interface QueryParts {
  storage: Storage
  collection: Collection
  clock: () => number
}

/** Finds entries by meaning and words, and presents them as patterns. Only the orchestrator asks. */
export class KnowledgeQueries {
  readonly #parts: QueryParts

  constructor(parts: QueryParts) {
    this.#parts = parts
  }

  forTask(query: TaskQuery, options: QueryOptions = {}): Promise<Pattern[]> {
    return this.#patterns(taskQuestion(query), filterOf(query), { ...FOR_TASK, ...defined(options) })
  }

  forFailure(query: FailureQuery, options: QueryOptions = {}): Promise<Pattern[]> {
    const filter = filterOf(query, ['failure_solution'])
    return this.#patterns(failureQuestion(query), filter, { ...FOR_FAILURE, ...defined(options) })
  }

  async #patterns(
    { text, meanings, wordGate }: Question,
    filter: Filter,
    options: { limit: number; minScore: number; signal?: AbortSignal },
  ): Promise<Pattern[]> {
    const { limit, minScore } = checked(options)
    const most = limit * ENTRIES_PER_PATTERN
    const question = { text, meanings, wordGate, filter, limit: most, minScore, signal: options.signal }
    const found = await ask<FoundEntry>(this.#parts.collection, question, {
      off: { key: 'knowledge', message: 'project knowledge is off' },
      otherModel: {
        key: 'knowledge model',
        message: 'project knowledge was embedded by another model: found by words only',
        hint: 'ralph knowledge checkpoint',
      },
      present: async (hits) => {
        const entries = await this.#entries(hits.map(({ id }) => id))
        return hits.flatMap(({ id, score, matched }) => {
          const entry = entries.get(id)
          return entry ? [{ entry, score, matched }] : []
        })
      },
    })
    return patternsOf(found).slice(0, limit)
  }

  /** The database has the last word: what is not there, or is past its year, does not exist. */
  async #entries(ids: readonly string[]) {
    if (ids.length === 0) return new Map()
    const rows = await this.#parts.storage.db
      .selectFrom('knowledge_entries')
      .selectAll()
      .where('id', 'in', ids)
      .where('embedded_at', '>=', expiryLimit(this.#parts.clock()))
      .execute()
    return new Map(rows.map((row) => [row.id, entryOf(row)]))
  }
}

/** An entry that was filed without one of these holds for any. */
function filterOf(query: TaskQuery, kinds?: readonly Kind[]): Filter {
  const either = (value: string | undefined) => {
    const name = value?.trim()
    return name ? { in: [truncate(name, CAPS.name), ''] } : undefined
  }
  const agentType = either(query.agentType)
  const taskType = either(query.taskType)
  const technology = either(query.technology)
  return {
    ...(kinds && { entry_type: { in: kinds } }),
    ...(agentType && { agent_type: agentType }),
    ...(taskType && { task_type: taskType }),
    ...(technology && { technology }),
  }
}

function checked({ limit, minScore }: { limit: number; minScore: number }) {
  const parsed = Options.safeParse({ limit, minScore })
  if (parsed.success)
    return { limit: Math.min(parsed.data.limit, MOST_PATTERNS), minScore: parsed.data.minScore }
  throw new RalphError('invalid_input', parsed.error.issues.map((issue) => issue.message).join('; '))
}

/** Without the options that were passed on as undefined, which would hide the defaults. */
function defined(options: QueryOptions): { limit?: number; minScore?: number; signal?: AbortSignal } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
