import { redact } from '../text/redact.ts'
import { redactValue } from '../text/redact-value.ts'
import { type Decide, decidedHere } from '../trust/decision.ts'
import { anchorsIn, checkAnchors, type HashFile } from './anchors.ts'
import { type AppendResult, appendLearning, type LearningCandidate } from './append.ts'
import {
  type Care,
  type CareResult,
  type Caretaker,
  mergeLearnings,
  removeLearning,
  resolveConflict,
  reviewLearning,
} from './care.ts'
import { concerning, inDisplayOrder, type ShownLearning, showLearning } from './display.ts'
import type { FeatureLearning } from './learning.ts'
import { pruneLearnings } from './staleness.ts'

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
  /** Who decides in the name of a person; default: whoever calls, which is not kept. */
  decide?: Decide | undefined
}

/** As somebody gives it: files by name, hashed here. */
export type NewLearning = Omit<LearningCandidate, 'files'> & { files?: readonly string[] | undefined }

/** What an iteration showed by itself. */
export interface TaughtByIteration {
  iteration: number
  lessons: readonly (Omit<NewLearning, 'source' | 'evidence'> & { error: string })[]
  /** Ids of errors that came back although they had been solved. */
  cameBack: readonly string[]
  /** Ids of the learnings its prompt held. */
  shown?: readonly string[] | undefined
}

export interface LearningListOptions {
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
    const clean = redactValue(learning)
    const files = await anchorsIn(clean.text, clean.files ?? [], hashFile)
    const candidate: LearningCandidate = { ...clean, files }
    return store.update(feature, (learnings) =>
      appendLearning(learnings, candidate, { now: now(), ...context }),
    )
  }

  async list(
    feature: string,
    { taskId, iteration, limit }: LearningListOptions = {},
  ): Promise<ShownLearning[]> {
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
    await this.#care(by, 'remove learnings in the name of a person')
    return this.#parts.store.update(feature, (learnings) => removeLearning(learnings, id, by))
  }

  async review(feature: string, id: string, by: Caretaker): Promise<CareResult> {
    const care = await this.#care(by, 'review learnings')
    return this.#parts.store.update(feature, (learnings) => reviewLearning(learnings, id, care))
  }

  async merge(feature: string, ids: readonly string[], by: Caretaker, text?: string): Promise<CareResult> {
    const care = await this.#care(by, 'merge learnings in the name of a person')
    const words = text === undefined ? undefined : redact(text)
    return this.#parts.store.update(feature, (learnings) =>
      mergeLearnings(learnings, ids, { ...care, text: words }),
    )
  }

  async resolve(
    feature: string,
    id: string,
    decision: 'keep_this' | 'keep_both',
    by: Caretaker,
  ): Promise<CareResult> {
    const care = await this.#care(by, 'settle what contradicts each other')
    return this.#parts.store.update(feature, (learnings) => resolveConflict(learnings, id, decision, care))
  }

  async #care(by: Caretaker, deed: string): Promise<Care> {
    if (by === 'agent') return { by }
    return { by, decided: by === 'reviewer' ? decidedHere('review') : await this.#parts.decide?.(deed) }
  }

  /** Takes over what an iteration taught by itself, then lets go of what grew too old. */
  async learnFrom(
    feature: string,
    { iteration, lessons, cameBack, shown = [] }: TaughtByIteration,
  ): Promise<{ appended: AppendResult[]; pruned: FeatureLearning[] }> {
    if (cameBack.length > 0) await this.#noteRelapse(feature, cameBack, iteration)
    const appended: AppendResult[] = []
    for (const lesson of lessons) {
      const learning = { ...lesson, source: 'auto' as const, evidence: 'measured' as const }
      appended.push(await this.append(feature, learning, { shown }))
    }
    const { pruned } = await this.prune(feature, iteration)
    return { appended, pruned }
  }

  /** What was said to solve an error that is back stays, with that remark: only somebody who looks can say more. */
  async #noteRelapse(feature: string, errors: readonly string[], iteration: number): Promise<void> {
    const concerned = ({ error, cameBackIn }: FeatureLearning) =>
      error !== undefined && errors.includes(error) && cameBackIn === undefined
    if (!(await this.#parts.store.load(feature)).some(concerned)) return
    await this.#parts.store.update(feature, (learnings) => ({
      learnings: learnings.map((one) => (concerned(one) ? { ...one, cameBackIn: iteration } : one)),
    }))
  }

  async prune(feature: string, iteration: number): Promise<{ pruned: FeatureLearning[] }> {
    const due = pruneLearnings(await this.#parts.store.load(feature), iteration).pruned.length > 0
    return due
      ? this.#parts.store.update(feature, (learnings) => pruneLearnings(learnings, iteration))
      : { pruned: [] }
  }
}
