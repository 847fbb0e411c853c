import { z } from 'zod'
import type { Embedder, EmbedderSource } from '../embedding/embedder.ts'
import { isRalphError, messageOf, RalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'
import { fuse } from '../search-index/fusion.ts'
import type { Filter, SearchIndex } from '../search-index/search-index.ts'
import type { Storage } from '../storage/storage.ts'
import { truncate } from '../text/truncate.ts'
import { COLLECTION, type KnowledgeCollection } from './collection.ts'
import { CAPS, type Kind } from './entry.ts'
import { type FoundEntry, type Pattern, patternsOf } from './patterns.ts'
import { blended, failureQuestion, type Question, taskQuestion } from './question.ts'
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

export const FOR_TASK = { limit: 5, minScore: 0.7 } as const
export const FOR_FAILURE = { limit: 3, minScore: 0.75 } as const
/** Entries looked at per pattern wanted: several may say the same. */
const ENTRIES_PER_PATTERN = 4
const MOST_PATTERNS = 100
/** How long the answer to "does the index fit the embedder" is believed. */
const BELIEVED_MS = 30_000

const Options = z.object({
  limit: z
    .int({ error: 'the limit must be a whole number' })
    .min(1, { error: 'the limit must be at least 1' }),
  minScore: z.number().min(0).max(1, { error: 'the minimum score must lie between 0 and 1' }),
})

export interface QueryParts {
  storage: Storage
  index: SearchIndex
  collection: KnowledgeCollection
  embedder: EmbedderSource
  notices: Notices
  clock: () => number
}

/** Finds entries by meaning and words, and presents them as patterns. Only the orchestrator asks. */
export class KnowledgeQueries {
  readonly #parts: QueryParts
  #fitting: { embedderId: string; fits: boolean; until: number } | undefined

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

  /** Memory enriches, it never gates: when something is down there are no patterns, and one line says why. */
  async #patterns(
    question: Question,
    filter: Filter,
    options: { limit: number; minScore: number; signal?: AbortSignal },
  ): Promise<Pattern[]> {
    const { limit, minScore } = checked(options)
    try {
      const found = await this.#find(question, filter, { limit, minScore, signal: options.signal })
      this.#parts.notices.recovered('knowledge')
      return patternsOf(found).slice(0, limit)
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `project knowledge is off: ${error.message}`
      this.#parts.notices.once({ key: 'knowledge', message, hint: error.hint ?? 'ralph doctor' })
      return []
    }
  }

  async #find(
    { text, meanings, wordGate }: Question,
    filter: Filter,
    options: { limit: number; minScore: number; signal?: AbortSignal | undefined },
  ): Promise<FoundEntry[]> {
    const { minScore, signal } = options
    const limit = options.limit * ENTRIES_PER_PATTERN
    const embedder = await this.#embedderIfUp()
    const vector = embedder && (await this.#embed(embedder, meanings, signal))
    const request = { text, limit, filter, ...(vector && { vector }) }
    const evidence = await this.#parts.index.search(COLLECTION, request, signal)
    const hits = fuse(evidence, { calibration: embedder?.calibration ?? [], limit, minScore, wordGate })
    const entries = await this.#entries(hits.map(({ id }) => id))
    return hits.flatMap(({ id, score, matched }) => {
      const entry = entries.get(id)
      return entry ? [{ entry, score, matched }] : []
    })
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

  async #embedderIfUp(): Promise<Embedder | undefined> {
    try {
      return await this.#parts.embedder()
    } catch (error) {
      if (!isRalphError(error)) throw error
      this.#sayMeaningIsOff(error)
      return undefined
    }
  }

  async #embed(
    embedder: Embedder,
    meanings: Question['meanings'],
    signal?: AbortSignal,
  ): Promise<Float32Array | undefined> {
    if (!(await this.#fits(embedder))) {
      this.#parts.notices.once({
        key: 'knowledge model',
        message: 'project knowledge was embedded by another model: found by words only',
        hint: 'ralph knowledge checkpoint',
      })
      return undefined
    }
    this.#parts.notices.recovered('knowledge model')
    try {
      const texts = meanings.map(({ text }) => text)
      const vectors = await embedder.embed(texts, 'query', signal)
      this.#parts.notices.recovered('embedder')
      return blended(
        vectors,
        meanings.map(({ weight }) => weight),
      )
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      this.#sayMeaningIsOff(error)
      return undefined
    }
  }

  async #fits(embedder: Embedder): Promise<boolean> {
    const now = performance.now()
    if (this.#fitting?.embedderId !== embedder.id || this.#fitting.until < now) {
      const fits = await this.#parts.collection.fits(embedder)
      this.#fitting = { embedderId: embedder.id, fits, until: now + BELIEVED_MS }
    }
    return this.#fitting.fits
  }

  #sayMeaningIsOff(error: unknown): void {
    const hint = isRalphError(error) && error.hint ? error.hint : 'ralph doctor'
    const message = `meaning is off, searching by words only: ${messageOf(error)}`
    this.#parts.notices.once({ key: 'embedder', message, hint })
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
