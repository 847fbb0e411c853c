import { isRalphError } from '../errors.ts'
import { parseFeatureName } from '../files/feature-name.ts'
import { sha256 } from '../text/ids.ts'
import { cleanIteration } from './clean.ts'
import type { Journal } from './journal.ts'
import { fromJournalLine, type IterationRecord, toJournalLine } from './record.ts'

export interface ImportSummary {
  imported: number
  /** Already here, to the letter. */
  known: number
  rejected: { line: number; reason: string }[]
  features: string[]
}

/** Numbers go up to a limit: one line that claims the last of them would leave none for what comes after it. */
const FURTHEST_AHEAD = 1_000_000

export interface ImportTarget {
  /** Put everything into this feature, whatever the lines say. */
  into: string | undefined
  journalOf: (feature: string) => Journal
}

/** Appends the records that are not here yet. A number that is taken is replaced by the next free one. */
export async function importLines(
  lines: AsyncIterable<string>,
  target: ImportTarget,
): Promise<ImportSummary> {
  const { byFeature, rejected } = await parseAll(lines, target.into)
  const summary: ImportSummary = { imported: 0, known: 0, rejected, features: [...byFeature.keys()] }
  for (const [feature, records] of byFeature) {
    const journal = target.journalOf(feature)
    const clean = records.map((record) => cleanIteration(record))
    const stored = await journal.append((firstNumber) => newRecords(journal, clean, firstNumber))
    summary.imported += stored.length
    summary.known += records.length - stored.length
  }
  return summary
}

async function parseAll(lines: AsyncIterable<string>, into: string | undefined) {
  const byFeature = new Map<string, IterationRecord[]>()
  const rejected: ImportSummary['rejected'] = []
  let line = 0
  for await (const text of lines) {
    line++
    if (text.trim() === '') continue
    try {
      const record = fromJournalLine(text.replace(/^\uFEFF/, '').trim())
      const feature = into ?? parseFeatureName(record.feature)
      const records = byFeature.get(feature) ?? []
      records.push({ ...record, feature })
      byFeature.set(feature, records)
    } catch (error) {
      if (!isRalphError(error)) throw error
      rejected.push({ line, reason: error.message })
    }
  }
  return { byFeature, rejected }
}

async function newRecords(
  journal: Journal,
  candidates: readonly IterationRecord[],
  firstNumber: number,
): Promise<IterationRecord[]> {
  const numbers = new Set<number>()
  const contents = new Set<string>()
  for await (const record of journal.records()) {
    numbers.add(record.iterationNumber)
    contents.add(contentOf(record))
  }
  const isNear = (number: number) => number < firstNumber + FURTHEST_AHEAD
  const near = candidates.map(({ iterationNumber }) => iterationNumber).filter(isNear)
  let next = near.reduce((most, number) => Math.max(most, number + 1), firstNumber)
  const fresh: IterationRecord[] = []
  for (const record of candidates) {
    const content = contentOf(record)
    if (contents.has(content)) continue
    contents.add(content)
    const isFree = isNear(record.iterationNumber) && !numbers.has(record.iterationNumber)
    const iterationNumber = isFree ? record.iterationNumber : next++
    numbers.add(iterationNumber)
    fresh.push({ ...record, iterationNumber })
  }
  return fresh
}

/** The same iteration is recognised under another number. */
function contentOf(record: IterationRecord): string {
  return sha256(toJournalLine({ ...record, iterationNumber: 0 }))
}
