import { dataLine, nameOrQuoted } from '../text/quote.ts'
import type { Decided } from '../trust/decision.ts'
import { type AnchorState, describeAnchors } from './anchors.ts'
import { rank } from './care.ts'
import { learningId } from './learning.ts'
import { isDisputed, isStale } from './staleness.ts'
import type { BelievedLearning } from './vouched.ts'

/** Stands with what nobody has seen or reviewed for long. */
export const STALE_MARK = '[STALE]'

/** A learning as it may be shown: cleaned once more, with all a reader needs to judge it. */
export interface ShownLearning {
  id: string
  /** One line that cannot leave the block it stands in. */
  text: string
  reason: string
  /** `repository`: it came with the files of the project, and says of itself what it likes. */
  source: BelievedLearning['source']
  iteration?: number
  taskId?: number
  reviewed: boolean
  /** Who reviewed it or settled what contradicts it, how and when, as far as it was kept. */
  decided?: Decided
  /** Who put it into other words, and whose words it was before. */
  edited?: NonNullable<BelievedLearning['edited']>
  /** ISO 8601; unknown for those a person typed into the file. */
  created?: string
  /** The last iteration that observed it. */
  lastSeen?: number
  hitCount: number
  stale: boolean
  conflictsWith: string[]
  /** Id of the error in the ledger of errors that it tells of. */
  error?: string
  /** "[STALE]", "src/auth.ts changed since", "contradicted by 3f2a81b0" */
  remarks: string[]
}

/** The most worthwhile first: reviewed, then by source, then the ones seen most often, then the newest. */
export function inDisplayOrder(learnings: readonly BelievedLearning[]): BelievedLearning[] {
  return [...learnings].sort(
    (a, b) =>
      Number(b.reviewed) - Number(a.reviewed) ||
      rank(b.source) - rank(a.source) ||
      b.hitCount - a.hitCount ||
      (b.iteration ?? 0) - (a.iteration ?? 0),
  )
}

/** What holds for one task is nobody else's business. Without a task, all are meant. */
export function concerning(
  learnings: readonly BelievedLearning[],
  taskId: number | undefined,
): BelievedLearning[] {
  return learnings.filter(
    (learning) => taskId === undefined || learning.taskId === undefined || learning.taskId === taskId,
  )
}

export function showLearning(
  learning: BelievedLearning,
  { iteration, anchors }: { iteration?: number | undefined; anchors: readonly AnchorState[] },
): ShownLearning {
  const stale = iteration !== undefined && isStale(learning, iteration)
  const conflictsWith = learning.conflictsWith ?? []
  return {
    id: learningId(learning),
    text: dataLine(learning.text),
    reason: dataLine(learning.reason),
    source: learning.source,
    ...(learning.iteration !== undefined && { iteration: learning.iteration }),
    ...(learning.taskId !== undefined && { taskId: learning.taskId }),
    reviewed: learning.reviewed,
    ...(learning.decided && { decided: cleaned(learning.decided) }),
    ...(learning.edited && { edited: cleaned(learning.edited) }),
    ...(learning.created !== undefined && { created: learning.created }),
    ...(learning.lastSeen !== undefined && { lastSeen: learning.lastSeen }),
    hitCount: learning.hitCount,
    stale,
    conflictsWith,
    ...(learning.error !== undefined && { error: learning.error }),
    remarks: [
      ...(stale ? [STALE_MARK] : []),
      ...(learning.cameBackIn !== undefined
        ? [`came back in iteration ${learning.cameBackIn} all the same`]
        : []),
      ...describeAnchors(anchors),
      ...(isDisputed(learning)
        ? [`contradicted by ${conflictsWith.map((id) => nameOrQuoted(id, 20)).join(', ')}`]
        : []),
    ],
  }
}

/** A name in a committed file may be any text. */
function cleaned<Act extends Decided>(act: Act): Act {
  const { account, saidToBe } = act
  return { ...act, account: dataLine(account), ...(saidToBe && { saidToBe: dataLine(saidToBe) }) }
}
