import { sanitise } from '../text/sanitise.ts'
import { byShortId } from '../text/short-id.ts'
import { truncate } from '../text/truncate.ts'
import type { Decided } from '../trust/decision.ts'
import type { Against } from './append.ts'
import {
  type FeatureLearning,
  LEARNING_CAP,
  LEARNING_SOURCES,
  type LearningSource,
  learningId,
} from './learning.ts'

/** Who asks. A reviewer is the agent of a review iteration. */
export type Caretaker = 'person' | 'reviewer' | 'agent'

/** Whoever asks, with what is kept of a person's or a reviewer's decision. */
export interface Care {
  by: Caretaker
  decided?: Decided | undefined
}

export interface CareResult {
  outcome: 'removed' | 'reviewed' | 'merged' | 'resolved' | 'edited' | 'not_found' | 'refused'
  learnings: FeatureLearning[]
  /** What it is now, or what it was when it is gone. */
  learning?: FeatureLearning
  /** What it contradicts now. */
  conflicts?: Against[]
  why: string
}

/** A person may remove anything, a reviewer what no person wrote, an agent what nobody has looked at yet. */
export function removeLearning(learnings: readonly FeatureLearning[], id: string, by: Caretaker): CareResult {
  const learning = findLearning(learnings, id)
  if (!learning) return noSuchLearnings(learnings, [id])
  if (!mayRemove(learning, by)) return refusedTo(learnings, learning, by)
  return { outcome: 'removed', learnings: withoutLearnings(learnings, [learning]), learning, why: 'removed' }
}

/** Says that somebody looked at it and found it plausible; an agent cannot vouch for itself. */
export function reviewLearning(
  learnings: readonly FeatureLearning[],
  id: string,
  { by, decided }: Care,
): CareResult {
  const learning = findLearning(learnings, id)
  if (!learning) return noSuchLearnings(learnings, [id])
  if (by === 'agent') return refusedTo(learnings, learning, by)
  const reviewed: FeatureLearning = {
    ...learning,
    reviewed: true,
    // What a person wrote stays a person's, whoever reviews it.
    source: by === 'reviewer' && learning.source !== 'human' ? 'opus_reviewed' : learning.source,
    ...(decided && { decided }),
  }
  return {
    outcome: 'reviewed',
    learnings: replace(learnings, learning, reviewed),
    learning: reviewed,
    why: 'reviewed',
  }
}

/** Several that say the same become one, which has all that was known of them. */
export function mergeLearnings(
  learnings: readonly FeatureLearning[],
  ids: readonly string[],
  { by, decided, text }: Care & { text?: string | undefined },
): CareResult {
  const missing = ids.filter((id) => !findLearning(learnings, id))
  if (missing.length > 0) return noSuchLearnings(learnings, missing)
  const parts = [...new Set(ids.map((id) => findLearning(learnings, id)!))]
  if (parts.length < 2) return careRefused(learnings, 'merging takes at least two learnings')
  const words =
    text === undefined ? parts[0]!.text : truncate(sanitise(text).replace(/\s+/g, ' ').trim(), LEARNING_CAP)
  if (words === '') return careRefused(learnings, 'nothing is left of the text once it is cleaned')
  const lost = parts.find((part) => part.text !== words && !mayRemove(part, by))
  if (lost) return refusedTo(learnings, lost, by)
  const merged = { ...combine(parts, words, by), ...(decided && { decided }) }
  const rest = withoutLearnings(learnings, parts)
  const twin = findLearning(rest, learningId(merged))
  if (twin) return careRefused(learnings, `${learningId(twin)} says exactly that already: merge it too`)
  return {
    outcome: 'merged',
    learnings: [...rest, merged],
    learning: merged,
    why: `merged from ${parts.length}`,
  }
}

/** A person's decision between learnings that contradict each other: keep this one, or let both stand. */
export function resolveConflict(
  learnings: readonly FeatureLearning[],
  id: string,
  decision: 'keep_this' | 'keep_both',
  { by, decided }: Care,
): CareResult {
  const learning = findLearning(learnings, id)
  if (!learning) return noSuchLearnings(learnings, [id])
  const others = learnings.filter((other) => learning.conflictsWith?.includes(learningId(other)))
  if (by !== 'person') return refusedTo(learnings, learning, by)
  const { conflictsWith: _, ...settled } = learning
  const gone = new Set(decision === 'keep_this' ? others.map(learningId) : [learningId(learning)])
  const kept: FeatureLearning = {
    ...settled,
    reviewed: learning.reviewed || decision === 'keep_this',
    ...(decided && { decided }),
  }
  return {
    outcome: 'resolved',
    learnings: learnings
      .filter((other) => decision === 'keep_both' || !others.includes(other))
      .map((other) => (other === learning ? kept : withoutConflicts(other, gone))),
    learning: kept,
    why: decision === 'keep_this' ? `${others.length} removed` : 'both stand',
  }
}

function mayRemove(learning: FeatureLearning, by: Caretaker): boolean {
  if (by === 'person') return true
  if (learning.source === 'human') return false
  return by === 'reviewer' || (!learning.reviewed && learning.source !== 'opus_reviewed')
}

function combine(parts: readonly FeatureLearning[], text: string, by: Caretaker): FeatureLearning {
  const strongest = [...parts].sort((a, b) => rank(b.source) - rank(a.source))[0]!
  const tasks = new Set(parts.map((part) => part.taskId))
  const numbers = (key: 'iteration' | 'lastSeen') => parts.flatMap((part) => part[key] ?? [])
  const created = parts.flatMap((part) => part.created ?? []).sort()[0]
  const files = [
    ...new Map(parts.flatMap((part) => part.files ?? []).map((file) => [file.path, file])).values(),
  ]
  const gone = new Set(parts.map(learningId))
  const conflictsWith = [...new Set(parts.flatMap((part) => part.conflictsWith ?? []))].filter(
    (id) => !gone.has(id),
  )
  const taskId = tasks.size === 1 ? [...tasks][0] : undefined
  const errors = new Set(parts.flatMap((part) => part.error ?? []))
  const [error] = errors.size === 1 ? errors : []
  const cameBackIn = Math.max(0, ...parts.flatMap((part) => part.cameBackIn ?? []))
  const iteration = numbers('iteration').length > 0 ? Math.min(...numbers('iteration')) : undefined
  const lastSeen = Math.max(0, ...numbers('lastSeen'), ...numbers('iteration'))
  return {
    text,
    reason: strongest.reason,
    source: by === 'reviewer' && strongest.source !== 'human' ? 'opus_reviewed' : strongest.source,
    ...(iteration !== undefined && { iteration }),
    ...(taskId !== undefined && { taskId }),
    ...(created !== undefined && { created }),
    hitCount: parts.reduce((sum, part) => sum + part.hitCount, 0),
    ...(lastSeen > 0 && { lastSeen }),
    reviewed: by !== 'agent' || parts.every((part) => part.reviewed),
    ...(files.length > 0 && { files: files.slice(0, 10) }),
    ...(error !== undefined && { error }),
    ...(cameBackIn > 0 && { cameBackIn }),
    ...(conflictsWith.length > 0 && { conflictsWith }),
  }
}

/** Lowest for what only the repository knows. */
export function rank(source: LearningSource | 'repository'): number {
  return (LEARNING_SOURCES as readonly string[]).indexOf(source)
}

export function findLearning(learnings: readonly FeatureLearning[], id: string): FeatureLearning | undefined {
  return byShortId(learnings, 'learning', id, learningId)
}

export function withoutLearnings(
  learnings: readonly FeatureLearning[],
  gone: readonly FeatureLearning[],
): FeatureLearning[] {
  const ids = new Set(gone.map(learningId))
  return learnings
    .filter((learning) => !gone.includes(learning))
    .map((learning) => withoutConflicts(learning, ids))
}

function withoutConflicts(learning: FeatureLearning, ids: ReadonlySet<string>): FeatureLearning {
  const { conflictsWith, ...rest } = learning
  const left = conflictsWith?.filter((id) => !ids.has(id)) ?? []
  if (left.length === conflictsWith?.length) return learning
  return left.length > 0 ? { ...rest, conflictsWith: left } : rest
}

function replace(
  learnings: readonly FeatureLearning[],
  former: FeatureLearning,
  now: FeatureLearning,
): FeatureLearning[] {
  return learnings.map((learning) => (learning === former ? now : learning))
}

export function noSuchLearnings(learnings: readonly FeatureLearning[], ids: readonly string[]): CareResult {
  return { outcome: 'not_found', learnings: [...learnings], why: `no learning ${ids.join(', ')}` }
}

export function refusedTo(
  learnings: readonly FeatureLearning[],
  learning: FeatureLearning,
  by: Caretaker,
): CareResult {
  const owner =
    learning.source === 'human'
      ? 'a person wrote it'
      : learning.reviewed
        ? 'it has been reviewed'
        : 'that is for a person to say'
  return {
    ...careRefused(learnings, `${owner}: not for ${by === 'agent' ? 'an agent' : 'a reviewer'}`),
    learning,
  }
}

export function careRefused(learnings: readonly FeatureLearning[], why: string): CareResult {
  return { outcome: 'refused', learnings: [...learnings], why }
}
