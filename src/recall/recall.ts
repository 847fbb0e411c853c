import type { Conversations } from '../conversation-memory/conversations.ts'
import type { Deferred } from '../deferred.ts'
import type { Documents } from '../documents/documents.ts'
import { isRalphError, RalphError } from '../errors.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import { FINDING_TYPES } from '../feature-memory/finding.ts'
import type { Outcome } from '../feature-memory/record.ts'
import type { Notice, Notices } from '../notices.ts'
import type { ProjectKnowledge } from '../project-knowledge/project-knowledge.ts'
import { checkedLimit, checkedMinScore, checkedQuery } from '../retrieval/relevance.ts'
import { passageOf } from '../text/passage.ts'
import { fromErrors } from './errors.ts'
import { fromConversations, fromDocuments, fromFeatures, fromKnowledge } from './memories.ts'
import {
  addressKey,
  type FoundMemory,
  KINDS_IN_RUNS,
  MEMORY_KINDS,
  type MemoryKind,
  type Recollection,
} from './recollection.ts'
import { searchableFeatures } from './searchable.ts'

/** What is read of one memory in a list. */
const PASSAGE = 280

/** Where a question is asked. */
export interface AskedMemories {
  featureMemory: FeatureMemory
  knowledge: Deferred<ProjectKnowledge>
  conversations: Deferred<Conversations>
  /** Where there are none to be asked, absent. */
  documents?: Deferred<Documents>
  /** Whether there is anything in these three; where nobody knows, they are asked. */
  hasStored?(): boolean
  notices: Notices
}

export interface RecallOptions {
  /** Default: all. */
  kinds?: readonly MemoryKind[] | undefined
  /** For the agent of a run, which is told by the loop what projects know. */
  inRun?: boolean | undefined
  /** Only what is remembered of this feature. */
  feature?: string | undefined
  /** What is worked on: of memories that answer about equally well, its own come first. */
  prefer?: string | undefined
  /** Only iterations that ended so. */
  outcome?: readonly Outcome[] | undefined
  /** ISO 8601, both included. What has no time is left out then. */
  since?: string | undefined
  until?: string | undefined
  limit?: number | undefined
  minScore?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Recalled {
  /** The best first, over all memories. */
  results: Recollection[]
  /** What could not be asked, or only by words, and how that is mended: the answer may lack something. */
  degraded: Notice[]
}

/** A question as each memory is asked it. */
export interface Asked extends RecallOptions {
  query: string
  limit: number
  minScore: number
  kinds: readonly MemoryKind[]
}

/** One search over everything that whoever asks may see. A memory that is down does not keep the others from answering. */
export async function recallEverything(
  memories: AskedMemories,
  query: string,
  options: RecallOptions = {},
): Promise<Recalled> {
  const asked: Asked = {
    ...options,
    query: checkedQuery(query),
    limit: checkedLimit(options.limit),
    minScore: checkedMinScore(options.minScore),
    since: checkedTime('since', options.since),
    until: checkedTime('until', options.until),
    kinds: wantedKinds(options),
  }
  if (asked.feature !== undefined) await requireFeature(memories, asked.feature)
  const answers: Answer[] = []
  for (const memory of MEMORIES) {
    if (!memory.kinds.some((kind) => asked.kinds.includes(kind))) continue
    // One after the other: they share the embedder.
    answers.push(await answered(memories, memory, asked))
  }
  sayWhatIsDown(memories.notices, answers)
  const problems = answers.flatMap(({ problem }) => problem ?? [])
  if (problems.length > 0 && problems.length === answers.length) throw problems[0]!
  return {
    results: answers
      .flatMap(({ found }) => found ?? [])
      .sort(betterFor(options.prefer))
      .slice(0, asked.limit)
      .map((one) => ({ ...one, passage: passageOf(one.text, asked.query, PASSAGE) })),
    degraded: memories.notices.current().filter(({ harmless }) => !harmless),
  }
}

interface AskedMemory {
  name: string
  kinds: readonly MemoryKind[]
  ask: (memories: AskedMemories, asked: Asked) => Promise<FoundMemory[]>
}

const MEMORIES: readonly AskedMemory[] = [
  { name: 'feature memory', kinds: FINDING_TYPES, ask: fromFeatures },
  { name: 'the ledger of errors', kinds: ['error'], ask: fromErrors },
  { name: 'project knowledge', kinds: ['pattern'], ask: fromKnowledge },
  { name: 'conversation memory', kinds: ['exchange'], ask: fromConversations },
  { name: 'your documents', kinds: ['document'], ask: fromDocuments },
]

/** Kept with the user, across features and projects. */
const OF_USERS: readonly MemoryKind[] = ['pattern', 'exchange', 'document']

/** What filters leave of the kinds: only iterations have an outcome, only features are of a feature. */
function wantedKinds({ kinds = MEMORY_KINDS, inRun, feature, outcome }: RecallOptions): MemoryKind[] {
  return kinds.filter((kind) => {
    if (inRun && !KINDS_IN_RUNS.includes(kind)) return false
    if (outcome && outcome.length > 0) return kind === 'iteration'
    return feature === undefined || !OF_USERS.includes(kind)
  })
}

type Answer = { memory: string; found?: FoundMemory[]; problem?: RalphError }

async function answered(memories: AskedMemories, { name, ask }: AskedMemory, asked: Asked): Promise<Answer> {
  try {
    return { memory: name, found: await ask(memories, asked) }
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled' || error.code === 'invalid_input') throw error
    return { memory: name, problem: error }
  }
}

const DOWN = 'recall without '

/** Those that are down for the same reason are named in one sentence; what was down before and no longer is, is taken back. */
function sayWhatIsDown(notices: Notices, answers: readonly Answer[]): void {
  const down = Map.groupBy(
    answers.flatMap(({ memory, problem }) => (problem ? [{ memory, problem }] : [])),
    ({ problem }) => problem.message,
  )
  const now = [...down.values()].map((group) => {
    const names = group.map(({ memory }) => memory).join(' and ')
    const { message, hint = 'ralph doctor' } = group[0]!.problem
    return { key: DOWN + names, message: `${names} could not be asked: ${message}`, hint }
  })
  for (const { key } of notices.current())
    if (key.startsWith(DOWN) && !now.some((notice) => notice.key === key)) notices.recovered(key)
  for (const notice of now) notices.once(notice)
}

async function requireFeature(memories: AskedMemories, feature: string): Promise<void> {
  if ((await searchableFeatures(memories)).includes(feature)) return
  throw new RalphError('not_found', `there is no feature ${JSON.stringify(feature)}`, {
    hint: 'ralph feature list shows those that there are.',
  })
}

/** As the index keeps times. */
function checkedTime(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  throw new RalphError('invalid_input', `${name} is no time: ${JSON.stringify(text)}`, {
    hint: 'Write 2026-02-07 or 2026-02-07T14:30:00Z.',
  })
}

/** So much less a memory of another feature is worth to somebody who works on this one: it decides between near equals. */
const PREFERENCE = 0.05

/** Equals keep one order, whichever memory answered first. */
function betterFor(feature: string | undefined): (a: FoundMemory, b: FoundMemory) => number {
  const worth = ({ score, address }: FoundMemory) =>
    score + (feature !== undefined && 'feature' in address && address.feature === feature ? PREFERENCE : 0)
  return (a, b) => worth(b) - worth(a) || (addressKey(a.address) < addressKey(b.address) ? -1 : 1)
}
