import { isRalphError } from '../errors.ts'
import type { Payload } from '../search-index/search-index.ts'
import { redactValue } from '../text/redact-value.ts'
import type { DescribedFeature, FeatureBoard } from './board-source.ts'
import { RECORD_TYPES } from './finding.ts'
import type { Journal } from './journal.ts'
import { isDocumentOf } from './journal-source.ts'
import { type IterationRecord, shownOf } from './record.ts'
import { snapshotText } from './snapshot.ts'
import type { Outline } from './timeline/outline.ts'

/** A document of the index as the journal and the board have it now. */
export type Kept =
  | { type: 'iteration'; record: IterationRecord }
  | { type: 'learning'; learning: DescribedFeature['learnings'][number] }
  | { type: 'feature'; text: string }

export interface FoundDocument {
  id: string
  payload: Payload
}

export interface Truth {
  /** What its memory is filed under. */
  project: string
  feature: string
  journal: Journal
  /** Where each line is by now. */
  outline: () => Promise<Outline>
  board: FeatureBoard | undefined
}

export interface InTruth {
  /** For each document in turn; undefined for one that neither has. */
  kept: (Kept | undefined)[]
  /** Whether there is one that neither has, as far as they can be read. */
  strange: boolean
}

/**
 * What stands in the journal and on the board. The index only finds: its file lies in the project, where a clone may have
 * brought it and an agent may write, or on a server that others use, so nothing that it says itself is told.
 */
export async function inTruth(documents: readonly FoundDocument[], truth: Truth): Promise<InTruth> {
  const iterations = documents.filter(({ payload }) => payload['record_type'] === RECORD_TYPES.iteration)
  const records = new Map(zip(iterations, await inJournal(iterations, truth)))
  const described = iterations.length < documents.length ? await onBoard(truth) : undefined
  const kept = documents.map((document): Kept | undefined => {
    const record = records.get(document)
    return record ? { type: 'iteration', record: shownOf(record) } : described?.(document.payload)
  })
  const isStrange = (document: FoundDocument, at: number) =>
    kept[at] === undefined && (records.has(document) || described !== undefined)
  return { kept, strange: documents.some(isStrange) }
}

/** Undefined while the board cannot be read: it vouches for nothing then, and nothing is against it. */
async function onBoard({
  board,
  feature,
}: Truth): Promise<((payload: Payload) => Kept | undefined) | undefined> {
  const described = await describedBy(board, feature)
  if (!described) return undefined
  const text = described.feature && snapshotText(described.feature)
  const learnings = new Map(described.feature?.learnings.map((learning) => [learning.id, learning]))
  return ({ record_type, id }) => {
    if (record_type === RECORD_TYPES.feature)
      return text === undefined ? undefined : { type: 'feature', text }
    const learning = record_type === RECORD_TYPES.learning ? learnings.get(String(id)) : undefined
    return learning && { type: 'learning', learning }
  }
}

async function describedBy(board: FeatureBoard | undefined, feature: string) {
  try {
    return board && { feature: redactValue(await board.describe(feature)) }
  } catch (error) {
    if (!isRalphError(error)) throw error
    return undefined
  }
}

/** A document says where its line began; after something was forgotten, the lines behind it begin elsewhere. */
async function inJournal(
  documents: readonly FoundDocument[],
  { project, journal, outline }: Truth,
): Promise<(IterationRecord | undefined)[]> {
  if (documents.length === 0) return []
  const read = await journal.at(documents.map(({ payload }) => numberIn(payload, 'journal_offset')))
  const found = documents.map((document, at) => ofDocument(project, document, [read[at]]))
  if (!found.includes(undefined)) return found
  const { iterations } = await outline()
  for (const [at, document] of documents.entries()) {
    if (found[at]) continue
    const [number, taskId] = ['iteration_number', 'task_id'].map((name) => numberIn(document.payload, name))
    const lines = iterations.filter((one) => one.number === number && one.taskId === taskId)
    found[at] = ofDocument(project, document, await journal.at(lines.map(({ offset }) => offset)))
  }
  return found
}

function ofDocument(
  project: string,
  { id }: FoundDocument,
  records: readonly (IterationRecord | undefined)[],
): IterationRecord | undefined {
  return records.find((record) => record && isDocumentOf(project, record, id))
}

function numberIn(payload: Payload, name: string): number {
  const value = payload[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : Number.MAX_SAFE_INTEGER
}

function zip<A, B>(some: readonly A[], others: readonly B[]): [A, B][] {
  return some.map((one, at) => [one, others[at]!])
}
