import { plural } from '../text/plural.ts'
import { compareStatements } from '../text/polarity/polarity.ts'
import { quoted } from '../text/quote.ts'
import { REMOVED_INJECTION, sanitiseWithReport } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import {
  type Anchor,
  type FeatureLearning,
  LEARNING_CAP,
  type LearningSource,
  learningId,
  MOST_LEARNINGS,
} from './learning.ts'
import { isExpendable } from './staleness.ts'

/** What somebody wants to be remembered. Who reviewed it and how often it was seen is not for them to say. */
export interface LearningCandidate {
  text: string
  reason: string
  source: LearningSource
  iteration?: number | undefined
  taskId?: number | undefined
  files?: Anchor[] | undefined
  /** Id of the error that it tells of, in the ledger of errors. */
  error?: string | undefined
  /** `measured`: a tool reported it. `said`: somebody's words, which may echo what they were shown. */
  evidence?: 'measured' | 'said' | undefined
}

export interface AppendContext {
  /** ISO 8601, UTC. */
  now: string
  /** Ids of the learnings that the prompt of this iteration showed. */
  shown?: readonly string[] | undefined
}

/** Another that says the opposite, and how. */
export interface Against {
  learning: FeatureLearning
  how: string
}

export interface AppendResult {
  /**
   * `added`; `counted`: known and observed again; `known`: known, and this was no new observation; `conflict`: added and
   * flagged, since another says the opposite; `full` and `rejected`: nothing changed.
   */
  outcome: 'added' | 'counted' | 'known' | 'conflict' | 'full' | 'rejected'
  learnings: FeatureLearning[]
  /** The one that was added, counted or found. */
  learning?: FeatureLearning
  /** What it contradicts, and how. */
  conflicts?: Against[]
  /** What had to make room. */
  evicted?: FeatureLearning
  /** Why it came out this way, for a person. */
  why: string
  /** What was neutralised in the text, e.g. "injected instruction". */
  neutralised?: string[]
}

/** Adds to what is known, never replaces it. Pure: the caller stores the list that comes back. */
export function appendLearning(
  learnings: readonly FeatureLearning[],
  candidate: LearningCandidate,
  { now, shown = [] }: AppendContext,
): AppendResult {
  const cleaned = cleanWords(candidate)
  if ('refusal' in cleaned) return { outcome: 'rejected', learnings: [...learnings], why: cleaned.refusal }
  const { text, reason, neutralised } = cleaned
  const report = neutralised.length > 0 ? { neutralised } : {}
  const similar = learnings.map((learning) => ({ learning, ...compareStatements(learning.text, text) }))

  const id = learningId({ text, taskId: candidate.taskId })
  // The very same words first: what only comes close may be somebody else's.
  const known =
    learnings.find((learning) => learningId(learning) === id) ??
    similar.find(
      ({ learning, verdict }) =>
        verdict === 'duplicate' && coversScope(learning, candidate) && isSameNews(learning, candidate),
    )?.learning
  if (known && !isPersonsWording(candidate, known, text)) {
    return { ...observedAgain(learnings, known, candidate, shown), ...report }
  }

  const learning = newLearning({ ...candidate, text, reason }, now)
  const conflicts = similar
    .filter(({ learning: other, verdict }) => verdict === 'conflict' && sharesScope(other, candidate))
    .map(({ learning: other, reason: how }) => ({ learning: other, how }))
  const room = makeRoom(
    learnings,
    conflicts.map(({ learning: other }) => other),
  )
  if (!room) {
    return { outcome: 'full', learnings: [...learnings], why: 'learnings full: review needed', ...report }
  }
  const evicted = room.evicted ? { evicted: room.evicted } : {}
  if (conflicts.length === 0) {
    return {
      outcome: 'added',
      learnings: [...room.learnings, learning],
      learning,
      why: 'new',
      ...evicted,
      ...report,
    }
  }
  return { ...flagged(room.learnings, learning, conflicts), ...evicted, ...report }
}

/** The words as they may be kept, or why nothing is. */
export function cleanWords({ text, reason, source, iteration }: LearningCandidate) {
  const safe = sanitiseWithReport(text)
  const oneLine = truncate(safe.text.replace(/\s+/g, ' ').trim(), LEARNING_CAP)
  if (!/[\p{L}\p{N}]/u.test(oneLine.replaceAll(REMOVED_INJECTION, '')))
    return { refusal: 'nothing is left of the text once it is cleaned' }
  const why = truncate(sanitiseWithReport(reason).text.replace(/\s+/g, ' ').trim(), LEARNING_CAP)
  if (!/[\p{L}\p{N}]/u.test(why.replaceAll(REMOVED_INJECTION, '')))
    return { refusal: 'a learning needs a reason: say why it exists' }
  if (source === 'auto' && iteration === undefined)
    return { refusal: 'an automatic learning needs the iteration it comes from' }
  return { text: oneLine, reason: why, neutralised: safe.found.map(({ kind }) => kind) }
}

/** What holds for the feature covers what was seen in a task; what holds for one task covers nothing else. */
export function coversScope(
  learning: FeatureLearning,
  { taskId }: Pick<LearningCandidate, 'taskId'>,
): boolean {
  return learning.taskId === undefined || learning.taskId === taskId
}

/** Of two errors, or of one that came back, the words are alike and the news is not. */
function isSameNews(learning: FeatureLearning, { error }: LearningCandidate): boolean {
  return (
    error === undefined ||
    learning.error === undefined ||
    (learning.error === error && learning.cameBackIn === undefined)
  )
}

/** Two tasks may need opposite things. */
export function sharesScope(
  learning: FeatureLearning,
  { taskId }: Pick<LearningCandidate, 'taskId'>,
): boolean {
  return learning.taskId === undefined || taskId === undefined || learning.taskId === taskId
}

/** What a person or a reviewer put into words is not dropped for a machine's words that come close. */
function isPersonsWording({ source }: LearningCandidate, known: FeatureLearning, text: string): boolean {
  const letters = (words: string) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return isPersons(source) && !isPersons(known.source) && letters(known.text) !== letters(text)
}

function isPersons(source: LearningSource): boolean {
  return source === 'human' || source === 'opus_reviewed'
}

/** Only what was observed counts, not what was said again, and one iteration observes a thing once. */
function observedAgain(
  learnings: readonly FeatureLearning[],
  known: FeatureLearning,
  { source, iteration, evidence, files }: LearningCandidate,
  shown: readonly string[],
): AppendResult {
  const unchanged = (why: string): AppendResult => ({
    outcome: 'known',
    learnings: [...learnings],
    learning: known,
    why,
  })
  if (source === 'agent' || source === 'opus_reviewed')
    return unchanged('known; what an agent says again is no new observation')
  if (source === 'auto' && evidence !== 'measured' && shown.includes(learningId(known))) {
    return unchanged('the agent was shown it, so its words are no new observation')
  }
  if (iteration !== undefined && iteration <= (known.lastSeen ?? known.iteration ?? 0)) {
    return unchanged(`already observed in iteration ${iteration}`)
  }
  const counted: FeatureLearning = {
    ...known,
    hitCount: known.hitCount + 1,
    ...(iteration !== undefined && { lastSeen: iteration }),
    // It was just seen to hold with the files as they are now.
    ...(evidence === 'measured' && files && { files }),
  }
  return {
    outcome: 'counted',
    learnings: learnings.map((learning) => (learning === known ? counted : learning)),
    learning: counted,
    why: `observed ${plural(counted.hitCount, 'time')}`,
  }
}

function newLearning(candidate: LearningCandidate, now: string): FeatureLearning {
  const { text, reason, source, iteration, taskId, files, error } = candidate
  return {
    text,
    reason,
    source,
    ...(iteration !== undefined && { iteration }),
    ...(taskId !== undefined && { taskId }),
    created: now,
    hitCount: 1,
    // A review is an act of its own, also for what a reviewer wrote.
    reviewed: false,
    ...(files && files.length > 0 && { files }),
    ...(error !== undefined && { error }),
  }
}

/** The list with room for one more, or undefined when nothing in it may go. */
function makeRoom(
  learnings: readonly FeatureLearning[],
  needed: readonly FeatureLearning[],
): { learnings: FeatureLearning[]; evicted?: FeatureLearning } | undefined {
  if (learnings.length < MOST_LEARNINGS) return { learnings: [...learnings] }
  if (learnings.length > MOST_LEARNINGS) return undefined
  const oldest = learnings
    .filter((learning) => isExpendable(learning) && !needed.includes(learning))
    .sort(byAge)[0]
  return oldest && { learnings: learnings.filter((learning) => learning !== oldest), evicted: oldest }
}

function byAge(a: FeatureLearning, b: FeatureLearning): number {
  return (a.iteration ?? 0) - (b.iteration ?? 0) || (a.created ?? '').localeCompare(b.created ?? '')
}

function flagged(
  learnings: readonly FeatureLearning[],
  learning: FeatureLearning,
  conflicts: Against[],
): AppendResult {
  return {
    outcome: 'conflict',
    ...againstEachOther([...learnings, learning], learning, conflicts),
    conflicts,
    why: `contradicts ${quoted(conflicts[0]!.learning.text, LEARNING_CAP)}: ${quoted(conflicts[0]!.how, LEARNING_CAP)}`,
  }
}

/** Both sides carry the other's id: whoever sees one is told of the other. `learning` and the others are in the list. */
export function againstEachOther(
  learnings: readonly FeatureLearning[],
  learning: FeatureLearning,
  conflicts: readonly Against[],
): { learnings: FeatureLearning[]; learning: FeatureLearning } {
  const id = learningId(learning)
  const disputed = { ...learning, conflictsWith: conflicts.map(({ learning: other }) => learningId(other)) }
  const others = new Set(conflicts.map(({ learning: other }) => other))
  const list = learnings.map((one) => {
    if (one === learning) return disputed
    if (!others.has(one)) return one
    return { ...one, conflictsWith: [...new Set([...(one.conflictsWith ?? []), id])] }
  })
  return { learnings: list, learning: disputed }
}
