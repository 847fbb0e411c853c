import { redact } from '../text/redact.ts'
import { redactValue } from '../text/redact-value.ts'
import { type Decide, decidedHere } from '../trust/decision.ts'
import { anchorsIn, checkAnchors, type HashFile } from './anchors.ts'
import { type AppendResult, appendLearning, type LearningCandidate } from './append.ts'
import {
  type Care,
  type CareResult,
  type Caretaker,
  findLearning,
  mergeLearnings,
  removeLearning,
  resolveConflict,
  reviewLearning,
} from './care.ts'
import { concerning, inDisplayOrder, type ShownLearning, showLearning } from './display.ts'
import { editLearning, type NewWords } from './edit.ts'
import { type FeatureLearning, learningId } from './learning.ts'
import { pruneLearnings } from './staleness.ts'
import { type BelievedLearning, believed, type VouchedLearnings } from './vouched.ts'

export type { NewWords }

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
  /** What may be believed of where they come from; absent where nobody else writes into the store. */
  vouched?: VouchedLearnings | undefined
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

  /** @internal */
  constructor(parts: LearningsParts) {
    this.#parts = parts
  }

  async append(
    feature: string,
    learning: NewLearning,
    context: { shown?: readonly string[] } = {},
  ): Promise<AppendResult> {
    const { hashFile, now } = this.#parts
    const clean = redactValue(learning)
    const files = await anchorsIn(clean.text, clean.files ?? [], hashFile)
    const candidate: LearningCandidate = { ...clean, files }
    return this.#update(feature, (learnings) =>
      appendLearning(learnings, candidate, { now: now(), ...context }),
    )
  }

  async list(
    feature: string,
    { taskId, iteration, limit }: LearningListOptions = {},
  ): Promise<ShownLearning[]> {
    const learnings = concerning(await this.known(feature), taskId)
    return Promise.all(
      inDisplayOrder(learnings)
        .slice(0, limit)
        .map(async (learning) => {
          const anchors = await checkAnchors(learning.files ?? [], this.#parts.hashFile)
          return showLearning(learning, { iteration, anchors })
        }),
    )
  }

  /** All of them, in the order of the store, with what may be believed of where they come from. */
  async known(feature: string): Promise<(BelievedLearning & { id: string })[]> {
    const { store, vouched } = this.#parts
    const known = vouched?.of(feature)
    return (await store.load(feature)).map((learning) => {
      const id = learningId(learning)
      return { ...(known ? believed(learning, known[id]) : learning), id }
    })
  }

  async remove(feature: string, id: string, by: Caretaker): Promise<CareResult> {
    await this.#care(by, 'remove learnings in the name of a person')
    return this.#update(feature, (learnings) => removeLearning(learnings, id, by))
  }

  async review(feature: string, id: string, by: Caretaker): Promise<CareResult> {
    const care = await this.#care(by, 'review learnings')
    return this.#update(feature, (learnings) => reviewLearning(learnings, id, care), { reviews: true })
  }

  async merge(feature: string, ids: readonly string[], by: Caretaker, text?: string): Promise<CareResult> {
    const care = await this.#care(by, 'merge learnings in the name of a person')
    const words = text === undefined ? undefined : redact(text)
    const act = { merges: true, reviews: by !== 'agent' }
    const change = (learnings: FeatureLearning[]) => mergeLearnings(learnings, ids, { ...care, text: words })
    return this.#update(feature, change, act)
  }

  async resolve(
    feature: string,
    id: string,
    decision: 'keep_this' | 'keep_both',
    by: Caretaker,
  ): Promise<CareResult> {
    const care = await this.#care(by, 'settle what contradicts each other')
    const act = { reviews: decision === 'keep_this' }
    return this.#update(feature, (learnings) => resolveConflict(learnings, id, decision, care), act)
  }

  /** A person's new words; its name changes with them. */
  async edit(feature: string, id: string, words: NewWords, by: Caretaker): Promise<CareResult> {
    const { store, hashFile } = this.#parts
    const care = await this.#care(by, 'put learnings into other words in the name of a person')
    const clean = redactValue(words)
    const named = findLearning(await store.load(feature), id)?.files ?? []
    const paths = named.map(({ path }) => path)
    const files = clean.text === undefined ? undefined : await anchorsIn(clean.text, paths, hashFile)
    const change = (learnings: FeatureLearning[]) => editLearning(learnings, id, { ...clean, files }, care)
    return this.#update(feature, change, { merges: true, reviews: true, writes: true })
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
    await this.#update(feature, (learnings) => ({
      learnings: learnings.map((one) => (concerned(one) ? { ...one, cameBackIn: iteration } : one)),
    }))
  }

  /** `reviews`: somebody here looked at the learning that comes back, and says so; `writes`: the words are theirs. */
  async #update<Result extends { learnings: FeatureLearning[]; learning?: FeatureLearning }>(
    feature: string,
    change: (learnings: FeatureLearning[]) => Result,
    { reviews = false, merges = false, writes = false } = {},
  ): Promise<Result> {
    const { store, vouched } = this.#parts
    let before: FeatureLearning[] = []
    const result = await store.update(feature, (learnings) => {
      before = learnings
      return change(learnings)
    })
    const reviewed = reviews ? result.learning : undefined
    const written = writes ? result.learning : undefined
    await vouched?.note(feature, { before, after: result.learnings, reviewed, written, merges })
    return result
  }

  async prune(feature: string, iteration: number): Promise<{ pruned: FeatureLearning[] }> {
    const due = pruneLearnings(await this.#parts.store.load(feature), iteration).pruned.length > 0
    return due ? this.#update(feature, (learnings) => pruneLearnings(learnings, iteration)) : { pruned: [] }
  }
}
