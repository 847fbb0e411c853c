import { isRalphError } from '../errors.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { WaitingIteration } from '../project-knowledge/waiting-iterations.ts'
import type { FeatureHistory, Histories } from './history.ts'
import type { LoopParts, ShownPatterns } from './parts.ts'

type Parts = Pick<LoopParts, 'knowledge' | 'waiting' | 'featureMemory'>

/** Tells project knowledge of an iteration. While its storage is down the iteration is noted, to be told of later. */
export async function handOn(
  { knowledge, waiting }: Pick<Parts, 'knowledge' | 'waiting'>,
  record: IterationRecord,
  history: FeatureHistory,
  shown: ShownPatterns | undefined,
): Promise<void> {
  try {
    await knowledge?.iterationEnded(record, history, shown)
  } catch (error) {
    if (mayWork(error)) await waiting.add(noteOf(record, shown))
    throw error
  }
}

/** Tells of those that wait, the longest waiting first, as far as the storage takes them. Returns how many it took. */
export async function handOnWaiting(parts: Parts, histories: Histories): Promise<number> {
  const { knowledge, waiting } = parts
  if (!knowledge) return 0
  const notes = waiting.all()
  let told = 0
  for (const feature of new Set(notes.map((note) => note.feature))) {
    const mine = notes.filter((note) => note.feature === feature)
    const history = await histories.of(feature)
    const records = await recordsOf(parts, feature, mine)
    for (const note of mine) {
      const record = records.get(note)
      try {
        // Forgotten since: then nobody is to hear of it.
        if (record) await knowledge.iterationEnded(record, history, note)
      } catch (error) {
        if (!mayWork(error)) await waiting.remove(note)
        throw error
      }
      await waiting.remove(note)
      if (record) told++
    }
  }
  return told
}

async function recordsOf(
  { featureMemory }: Parts,
  feature: string,
  notes: readonly WaitingIteration[],
): Promise<Map<WaitingIteration, IterationRecord>> {
  const found = new Map<WaitingIteration, IterationRecord>()
  for await (const record of featureMemory.journal(feature).newestFirst()) {
    const note = notes.find(
      ({ iteration, timestamp }) => iteration === record.iterationNumber && timestamp === record.timestamp,
    )
    if (note) found.set(note, record)
    if (found.size === notes.length) break
  }
  return found
}

function noteOf(record: IterationRecord, shown: ShownPatterns | undefined): WaitingIteration {
  const { feature, iterationNumber: iteration, timestamp } = record
  return { feature, iteration, timestamp, patterns: [...(shown?.patterns ?? [])] }
}

/** Later: what is refused for what it says will be refused again. */
function mayWork(error: unknown): boolean {
  return !isRalphError(error) || error.code !== 'invalid_input'
}
