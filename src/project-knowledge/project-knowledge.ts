import { RalphError } from '../errors.ts'
import type { ProjectKey } from '../identity/identity.ts'
import { catchUp } from '../retrieval/catch-up.ts'
import { Collection, type MeaningSample } from '../retrieval/collection.ts'
import type { RetrievalParts } from '../retrieval/parts.ts'
import { Leases } from '../storage/leases.ts'
import type { Storage } from '../storage/storage.ts'
import { type Decide, decidedHere } from '../trust/decision.ts'
import { type Captured, type CaptureOptions, capture } from './capture.ts'
import {
  type CheckpointOptions,
  type CheckpointParts,
  type CheckpointResult,
  runCheckpoint,
  TRIGGERS,
  type Trigger,
} from './checkpoint.ts'
import { contextBlock } from './context-block.ts'
import { COLLECTION, ENTRY_FILTERS, entriesSource } from './entries-source.ts'
import type { NewKnowledge } from './entry.ts'
import { type ForgottenProject, forgetProject } from './forget-project.ts'
import { Gates } from './gates.ts'
import {
  type EntryListOptions,
  entriesLike,
  fullId,
  listEntries,
  listStaged,
  type ShownEntry,
  type Statistics,
  showEntry,
  statistics,
} from './listing.ts'
import { type InjectionOutcome, type PatternInjection, recordInjection, recordOutcome } from './outcomes.ts'
import type { Page } from './page.ts'
import type { Pattern } from './patterns.ts'
import { type FailureQuery, KnowledgeQueries, type QueryOptions, type TaskQuery } from './query.ts'
import { refile } from './refile.ts'
import { pruneDaily, pruneEntries } from './retention.ts'
import type { KnowledgeEntry, StagedEntry } from './rows.ts'
import { type EntryNote, sampleEntries } from './sample-entries.ts'
import { type CaptureSource, isOnlyFrom } from './sources.ts'
import { markVerified } from './staging.ts'
import { exportJsonl, type ImportResult, importEntries, type KnowledgeImportOptions } from './transfer.ts'

/** The index is of the user or team, not of one project: knowledge crosses projects. */
export interface ProjectKnowledgeOptions extends RetrievalParts {
  storage: Storage
  /** The project that this is opened in. Others are filed under what they are called. */
  project?: ProjectKey | undefined
  /** Milliseconds since 1970; default: the machine's clock. */
  clock?: () => number
  /** Who decides at gates; default: whoever calls. */
  decide?: Decide | undefined
}

/** A task as the prompt builder knows it. */
export interface TaskForContext extends Omit<TaskQuery, 'description'> {
  title?: string | undefined
  description?: string | undefined
  /** What went wrong in its last iteration, when it has failed before. */
  failure?: { description?: string | undefined; error: string } | undefined
  /** The task itself: what it alone has taught is left to whoever knows its history. */
  without?: Pick<CaptureSource, 'project' | 'task'> | undefined
}

/** The block for the prompt and where it comes from, for receipts and `recordInjection`. */
export interface KnowledgeContext {
  text: string
  patterns: Pattern[]
}

/** What the block has room for. */
const SHOWN_PATTERNS = 3

/** What one project learned, kept where the next one finds it. */
export class ProjectKnowledge {
  readonly gates: Gates
  readonly #storage: Storage
  readonly #parts: ProjectKnowledgeOptions & CheckpointParts
  readonly #queries: KnowledgeQueries
  #lastCheckpoint: Promise<unknown> = Promise.resolve()

  /** @internal */
  constructor(options: ProjectKnowledgeOptions) {
    const collection = new Collection(options, { name: COLLECTION, filterable: ENTRY_FILTERS })
    this.#storage = options.storage
    const { clock = Date.now, decide = async (_, saidToBe) => decidedHere('library', saidToBe) } = options
    const leases = new Leases(options.storage, 'knowledge_staging', clock)
    this.#parts = { ...options, clock, collection, leases }
    this.#queries = new KnowledgeQueries(this.#parts)
    const projectKey = (project: string) => this.#keyOf(project)
    this.gates = new Gates({
      storage: options.storage,
      clock,
      projectKey,
      decide,
      here: options.project?.key,
    })
  }

  /** For a project that may have filed something before it had its id; `features` are those that it has. */
  /** @internal */
  static async open(
    options: ProjectKnowledgeOptions & { project: ProjectKey },
    features: () => Promise<readonly string[]>,
  ): Promise<ProjectKnowledge> {
    await refile(options.storage, options.project, features)
    return new ProjectKnowledge(options)
  }

  /** Validates an entry and puts it into staging; it is durable when this returns. */
  capture(entry: NewKnowledge, options: CaptureOptions = {}): Promise<Captured> {
    return capture(this.#storage, entry, { projectId: this.#keyHere(entry.project), ...options }, this.#now())
  }

  /** A staged solution has been seen to work: the next checkpoint takes it. */
  async verify(id: string): Promise<void> {
    const full = await fullId(this.#storage, id, this.#now())
    await markVerified(this.#storage, full)
  }

  staged(options: EntryListOptions = {}): Promise<Page<StagedEntry>> {
    return listStaged(this.#storage, this.#keyed(options))
  }

  /** Embeds what is staged. Call it between phases of work, never during one. */
  async checkpoint(trigger: Trigger, options: CheckpointOptions = {}): Promise<CheckpointResult> {
    if (!TRIGGERS.includes(trigger)) {
      throw new RalphError('invalid_input', `unknown trigger ${JSON.stringify(trigger)}`, {
        hint: `The triggers are ${TRIGGERS.join(', ')}.`,
      })
    }
    const run = this.#lastCheckpoint.then(() => this.#runCheckpoint(trigger, options))
    // One after the other; the next one starts also when this one fails.
    this.#lastCheckpoint = run.then(ignore, ignore)
    return run
  }

  async #runCheckpoint(trigger: Trigger, options: CheckpointOptions): Promise<CheckpointResult> {
    const result = await runCheckpoint(this.#parts, trigger, this.#keyed(options))
    if (!result.stopped) await pruneDaily(this.#parts, options.signal)
    // Whoever runs it by hand reads the result; in the middle of a loop somebody has to say it.
    else if (trigger !== 'manual' && result.stopped.code !== 'cancelled') this.#sayNotEmbedded(result.stopped)
    return result
  }

  /** Fills the index that it was given from the database, e.g. a new one that is to replace another. */
  async reindex({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const source = entriesSource(this.#storage, { forAnotherIndex: true })
    await catchUp(this.#parts.collection, [source], { signal, embedder: await this.#parts.embedder() })
  }

  /** As a person asks: about a task, or, with an error, about a failure. */
  ask(query: FailureQuery, options: QueryOptions = {}): Promise<Pattern[]> {
    return query.error ? this.queryForFailure(query, options) : this.queryForTask(query, options)
  }

  queryForTask(query: TaskQuery, options: QueryOptions = {}): Promise<Pattern[]> {
    return this.#queries.forTask(query, options)
  }

  queryForFailure(query: FailureQuery, options: QueryOptions = {}): Promise<Pattern[]> {
    return this.#queries.forFailure(query, options)
  }

  /** The block for the agent's prompt, or undefined when nothing fits. */
  async contextFor(
    task: TaskForContext,
    options: { signal?: AbortSignal } = {},
  ): Promise<string | undefined> {
    return (await this.contextWithSources(task, options))?.text
  }

  /** `except`: what whoever asks is told already. */
  async contextWithSources(
    task: TaskForContext,
    { except, ...options }: { signal?: AbortSignal; except?: (pattern: Pattern) => boolean } = {},
  ): Promise<KnowledgeContext | undefined> {
    const { title, description, failure, without, ...filters } = task
    const about = [title, description].filter(Boolean).join('\n')
    const forFailure = failure
      ? await this.queryForFailure(
          { ...filters, description: failure.description ?? about, error: failure.error },
          options,
        )
      : []
    const forTask =
      about.trim() === '' ? [] : await this.queryForTask({ ...filters, description: about }, options)
    // What answers the very failure comes first; the rest is what helped with tasks like this one.
    const known = new Set(forFailure.map((pattern) => pattern.id))
    const patterns = [...forFailure, ...forTask.filter((pattern) => !known.has(pattern.id))]
      .filter(
        (pattern) =>
          !pattern.setAside &&
          !isOnlyFrom(without && this.#keyed(without), pattern.sources) &&
          !except?.(pattern),
      )
      .slice(0, SHOWN_PATTERNS)
    const text = contextBlock(patterns)
    return text === undefined ? undefined : { text, patterns }
  }

  list(options: EntryListOptions = {}): Promise<Page<KnowledgeEntry>> {
    return listEntries(this.#storage, this.#keyed(options), this.#now())
  }

  /** At most so many entries of this project, the newest, with where they stand in meaning. */
  sample(limit: number): Promise<MeaningSample<EntryNote>> {
    return sampleEntries(this.#parts, limit)
  }

  /** Staged or embedded entries whose id is this one or begins so. */
  like(id: string): Promise<(KnowledgeEntry | StagedEntry)[]> {
    return entriesLike(this.#storage, id, this.#now())
  }

  show(id: string): Promise<ShownEntry> {
    return showEntry(this.#storage, id, this.#now())
  }

  /** Removes an entry for good, staged or embedded. Returns its id. */
  async forget(id: string): Promise<string> {
    const full = await fullId(this.#storage, id, this.#now())
    await this.#storage.transaction(async (db) => {
      await db.deleteFrom('knowledge_staging').where('id', '=', full).execute()
      await db.deleteFrom('knowledge_entries').where('id', '=', full).execute()
    })
    await this.#parts.collection.remove([full])
    return full
  }

  /** Removes all that is filed under this project; what others have seen too stays theirs. */
  forgetProject(): Promise<ForgottenProject> {
    return forgetProject(this.#parts)
  }

  /** One entry per line. Bad lines are reported, good ones staged. */
  importJsonl(
    lines: AsyncIterable<string> | Iterable<string>,
    options: KnowledgeImportOptions = {},
  ): Promise<ImportResult> {
    const keyHere = (project: unknown) => this.#keyHere(project)
    return importEntries(this.#storage, lines, { keyHere, ...options }, this.#now())
  }

  exportJsonl(): AsyncGenerator<string> {
    return exportJsonl(this.#storage, this.#now())
  }

  statistics(): Promise<Statistics> {
    return statistics(this.#storage, this.#now())
  }

  /** Deletes what is past its year, now. Returns how many. */
  prune(options: { signal?: AbortSignal } = {}): Promise<number> {
    return pruneEntries(this.#parts, options.signal)
  }

  /** Remembers what was put into a prompt; returns the id for `recordOutcome`. */
  recordInjection(injection: PatternInjection): Promise<string> {
    return recordInjection(this.#storage, injection, this.#now())
  }

  /** What came of it: a pattern that misleads sinks. */
  recordOutcome(injectionId: string, outcome: InjectionOutcome): Promise<'counted' | 'already' | 'unknown'> {
    return recordOutcome(this.#storage, injectionId, outcome, this.#now())
  }

  #sayNotEmbedded({ message, hint }: RalphError): void {
    this.#parts.notices.once({
      key: 'knowledge checkpoint',
      message: `what this project learned is kept but cannot be found yet: ${message}`,
      hint: hint ?? 'ralph knowledge checkpoint',
    })
  }

  /** People and callers say where a project lies, or what it is called. */
  #keyOf(project: string): string {
    return this.#keyHere(project) ?? project
  }

  /** Undefined for another project: it is filed under its name, cleaned like all that is stored. */
  #keyHere(project: unknown): string | undefined {
    const { project: here } = this.#parts
    return here?.path === project ? here?.key : undefined
  }

  #keyed<Options extends { project?: string | undefined }>(options: Options): Options {
    return options.project === undefined ? options : { ...options, project: this.#keyOf(options.project) }
  }

  #now(): number {
    return this.#parts.clock()
  }
}

function ignore(): void {
  // Whoever asked for it hears of it.
}
