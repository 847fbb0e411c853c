import { ask, type Question, withoutStrangers } from '../retrieval/ask.ts'
import type { Collection } from '../retrieval/collection.ts'
import { checkedLimit, checkedMinScore } from '../retrieval/relevance.ts'
import type { Filter } from '../search-index/query.ts'
import type { Storage } from '../storage/storage.ts'
import { truncate } from '../text/truncate.ts'
import { allEntries } from './entries-source.ts'
import { ENTRY_CAPS, type KnowledgeKind } from './entry.ts'
import { filterName } from './fields.ts'
import { restoreLostIndex } from './lost-index.ts'
import { type FoundEntry, type Pattern, patternsOf } from './patterns.ts'
import { failureQuestion, type KnowledgeQuestion, taskQuestion } from './question.ts'
import { expiryLimit } from './retention.ts'
import { entryOf, type KnowledgeEntry } from './rows.ts'
import { sourcesOf } from './sources.ts'

/** What the agent is about to do. Filters that are absent or empty do not filter. */
export interface TaskQuery {
  description: string
  agentType?: string | undefined
  taskType?: string | undefined
  technology?: string | undefined
  /** Does not filter: what fits it comes first. */
  preferred?: { technology?: string | undefined } | undefined
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
/** Tasks of one project share more words than they mean: below this, feedback is told to work it was not for (feedback.test.ts). */
const GATES_FROM = 0.765
const FOR_FAILURE = { limit: 3, minScore: 0.75 } as const
/** Entries looked at per pattern wanted: several may say the same. */
const ENTRIES_PER_PATTERN = 4
const MOST_PATTERNS = 100

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
    const settings = { ...FOR_TASK, ...defined(options) }
    const gatesFrom = options.minScore ?? GATES_FROM
    return this.#patterns(query, taskQuestion(query), { ...settings, gatesFrom })
  }

  forFailure(query: FailureQuery, options: QueryOptions = {}): Promise<Pattern[]> {
    const settings = { ...FOR_FAILURE, ...defined(options) }
    return this.#patterns(query, failureQuestion(query), settings, ['failure_solution'])
  }

  async #patterns(
    query: TaskQuery,
    { text, failure }: KnowledgeQuestion,
    options: { limit: number; minScore: number; gatesFrom?: number; signal?: AbortSignal },
    kinds?: readonly KnowledgeKind[],
  ): Promise<Pattern[]> {
    const limit = Math.min(checkedLimit(options.limit), MOST_PATTERNS)
    const minScore = checkedMinScore(options.minScore)
    const { gatesFrom = minScore, signal } = options
    const question = {
      ...{ text, failure, filter: filterOf(query, kinds), signal },
      limit: limit * ENTRIES_PER_PATTERN,
      minScore: Math.min(minScore, gatesFrom),
    }
    const found = await withoutStrangers((strangers) => this.#found(question, strangers), {
      notices: this.#parts.collection.parts.notices,
      of: 'project knowledge',
      some: (ids) => this.#parts.collection.remove(ids),
      all: () => this.#removeStrangers(signal),
    })
    const near = found.filter(({ entry, score }) =>
      entry.kind === 'failure_solution' ? score >= minScore : score >= gatesFrom,
    )
    return patternsOf(near, query.preferred?.technology).slice(0, limit)
  }

  async #found(question: Question, strangers: Set<string>): Promise<FoundEntry[]> {
    const { signal } = question
    return ask<FoundEntry>(this.#parts.collection, question, {
      off: { key: 'knowledge', message: 'project knowledge is off' },
      withoutIndex: {
        message: 'project knowledge is searched without its index',
        read: (look) => look(allEntries(this.#parts.storage)),
      },
      otherModel: {
        key: 'knowledge model',
        message: 'project knowledge was embedded by another model: found by words only',
        hint: 'ralph knowledge checkpoint',
      },
      restore: () => restoreLostIndex(this.#parts, signal),
      present: async (hits) => {
        const entries = await this.#entries(
          hits.map(({ id }) => id),
          strangers,
        )
        const sources = await sourcesOf(this.#parts.storage.db, [...entries.keys()])
        return hits.flatMap(({ id, score, matched }) => {
          const entry = entries.get(id)
          return entry ? [{ entry, score, matched, sources: sources.get(id) ?? [] }] : []
        })
      },
    })
  }

  /** The database has the last word: what is not there, or is past its year, does not exist. */
  async #entries(ids: readonly string[], strangers: Set<string>): Promise<Map<string, KnowledgeEntry>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#rows(ids)
    const stored = new Set(rows.map(({ id }) => id))
    for (const id of ids) if (!stored.has(id)) strangers.add(id)
    const oldest = expiryLimit(this.#parts.clock())
    const current = rows.filter(({ embedded_at }) => Number(embedded_at) >= oldest)
    return new Map(current.map((row) => [row.id, entryOf(row)]))
  }

  #rows(ids: readonly string[]) {
    return this.#parts.storage.db.selectFrom('knowledge_entries').selectAll().where('id', 'in', ids).execute()
  }

  async #removeStrangers(signal: AbortSignal | undefined): Promise<void> {
    const { collection } = this.#parts
    const stored = async (page: readonly { id: string }[]) =>
      new Set((await this.#rows(page.map(({ id }) => id))).map(({ id }) => id))
    await collection.remove(await collection.unwanted(stored, signal))
  }
}

/** An entry that was filed without one of these holds for any. */
function filterOf(query: TaskQuery, kinds?: readonly KnowledgeKind[]): Filter {
  const either = (value: string | undefined) => {
    const name = value?.trim()
    return name ? { in: [filterName(truncate(name, ENTRY_CAPS.name)), ''] } : undefined
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

/** Without the options that were passed on as undefined, which would hide the defaults. */
function defined(options: QueryOptions): { limit?: number; minScore?: number; signal?: AbortSignal } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
