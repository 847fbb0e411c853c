import type { IterationRecord } from '../feature-memory/record.ts'
import { redact } from '../text/redact.ts'
import { anchorsIn, checkAnchors, type HashFile } from './anchors.ts'
import { type AppendResult, appendLearning, type LearningCandidate } from './append.ts'
import {
  type CareResult,
  type Caretaker,
  mergeLearnings,
  removeLearning,
  resolveConflict,
  reviewLearning,
} from './care.ts'
import { deriveLearnings } from './derive.ts'
import { concerning, inDisplayOrder, type ShownLearning, showLearning } from './display.ts'
import type { FeatureLearning } from './learning.ts'
import { prune } from './staleness.ts'

/** Where learnings are kept. The board keeps them with their feature. */
export interface LearningStore {
  load(feature: string): Promise<FeatureLearning[]>
  /** Changes them under a lock: nobody else's change comes in between. Returns after the change is durable. */
  update<Result extends { learnings: FeatureLearning[] }>(
    feature: string,
    change: (learnings: FeatureLearning[]) => Result,
  ): Promise<Result>
}

export interface LearningsParts {
  store: LearningStore
  hashFile: HashFile
  /** ISO 8601, UTC. */
  now: () => string
}

/** As somebody gives it: files by name, hashed here. */
export type NewLearning = Omit<LearningCandidate, 'files'> & { files?: readonly string[] | undefined }

export interface ListOptions {
  /** Only those for this task and for the whole feature. */
  taskId?: number | undefined
  /** The feature's latest iteration: tells what is stale. */
  iteration?: number | undefined
  limit?: number | undefined
}

/** What a feature has learned: append, list, review, remove. There is deliberately no way to set the whole list. */
export class Learnings {
  readonly #parts: LearningsParts

  constructor(parts: LearningsParts) {
    this.#parts = parts
  }

  async append(
    feature: string,
    learning: NewLearning,
    context: { shown?: readonly string[] } = {},
  ): Promise<AppendResult> {
    const { store, hashFile, now } = this.#parts
    const text = (await redact(learning.text)).text
    const reason = (await redact(learning.reason)).text
    const files = await anchorsIn(text, learning.files ?? [], hashFile)
    const candidate: LearningCandidate = { ...learning, text, reason, files }
    return store.update(feature, (learnings) =>
      appendLearning(learnings, candidate, { now: now(), ...context }),
    )
  }

  async list(feature: string, { taskId, iteration, limit }: ListOptions = {}): Promise<ShownLearning[]> {
    const learnings = concerning(await this.#parts.store.load(feature), taskId)
    return Promise.all(
      inDisplayOrder(learnings)
        .slice(0, limit)
        .map(async (learning) => {
          const anchors = await checkAnchors(learning.files ?? [], this.#parts.hashFile)
          return showLearning(learning, { iteration, anchors })
        }),
    )
  }

  async remove(feature: string, id: string, by: Caretaker): Promise<CareResult> {
    return this.#parts.store.update(feature, (learnings) => removeLearning(learnings, id, by))
  }

  async review(feature: string, id: string, by: Caretaker): Promise<CareResult> {
    return this.#parts.store.update(feature, (learnings) => reviewLearning(learnings, id, by))
  }

  async merge(feature: string, ids: readonly string[], by: Caretaker, text?: string): Promise<CareResult> {
    const words = text === undefined ? undefined : (await redact(text)).text
    return this.#parts.store.update(feature, (learnings) =>
      mergeLearnings(learnings, ids, { by, text: words }),
    )
  }

  async resolve(
    feature: string,
    id: string,
    decision: 'keep_this' | 'keep_both',
    by: Caretaker,
  ): Promise<CareResult> {
    return this.#parts.store.update(feature, (learnings) => resolveConflict(learnings, id, decision, by))
  }

  /** Distils what an iteration showed, then lets go of what grew too old. `shown`: ids its prompt held. */
  async learnFrom(
    record: IterationRecord,
    { previous = [], shown = [] }: { previous?: readonly IterationRecord[]; shown?: readonly string[] } = {},
  ): Promise<{ appended: AppendResult[]; pruned: FeatureLearning[] }> {
    const appended: AppendResult[] = []
    for (const { paths, ...candidate } of deriveLearnings(record, previous)) {
      appended.push(await this.append(record.feature, { ...candidate, files: paths }, { shown }))
    }
    const { pruned } = await this.prune(record.feature, record.iterationNumber)
    return { appended, pruned }
  }

  async prune(feature: string, iteration: number): Promise<{ pruned: FeatureLearning[] }> {
    const due = prune(await this.#parts.store.load(feature), iteration).pruned.length > 0
    return due
      ? this.#parts.store.update(feature, (learnings) => prune(learnings, iteration))
      : { pruned: [] }
  }
}
