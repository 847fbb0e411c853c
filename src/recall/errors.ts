import type { LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import { fuse } from '../retrieval/fusion.ts'
import { relevanceOf } from '../retrieval/relevance.ts'
import { isWithin } from './memories.ts'
import type { Asked, AskedMemories } from './recall.ts'
import type { FoundMemory } from './recollection.ts'
import { searchableFeatures } from './searchable.ts'
import { wordEvidence } from './word-evidence.ts'

/** The errors that iterations met, each with its life. They are looked for by their words, which is what errors are made of. */
export async function fromErrors(memories: AskedMemories, asked: Asked): Promise<FoundMemory[]> {
  const features = asked.feature === undefined ? await searchableFeatures(memories) : [asked.feature]
  const met: { feature: string; entry: LedgerEntry }[] = []
  for (const feature of features)
    for (const entry of await memories.featureMemory.errors(feature))
      if (isWithin(lastSeen(entry), asked)) met.push({ feature, entry })
  const evidence = wordEvidence(
    asked.query,
    met.map(({ entry }) => textOf(entry)),
  )
  const { limit, minScore } = asked
  const found = fuse(
    evidence.map(({ at, ...words }) => ({ ...words, id: String(at), payload: {}, among: met.length })),
    { calibration: [], limit, minScore },
  )
  return found.map(({ id, score, matched }) => {
    const { feature, entry } = met[Number(id)]!
    return {
      address: { kind: 'error', feature, errorId: entry.id },
      title: '',
      text: textOf(entry),
      score,
      relevance: relevanceOf(score),
      matched,
      life: entry.life,
      timestamp: lastSeen(entry),
    }
  })
}

function textOf({ message, filePath, line }: LedgerEntry): string {
  return filePath ? `${message} (${filePath}${line ? `:${line}` : ''})` : message
}

function lastSeen({ sightings }: LedgerEntry): string {
  return sightings.at(-1)!.timestamp
}
