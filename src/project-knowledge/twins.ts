import { calibrated } from '../embedding/calibration.ts'
import type { Calibration } from '../embedding/embedder.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Storage } from '../storage/storage.ts'
import type { StagingRow } from '../storage/tables.ts'
import { COLLECTION, type DocumentRow } from './collection.ts'
import { readKnowledge, relationOf } from './relation.ts'
import { knowledgeOf } from './rows.ts'

/** Only neighbours this close, on the product's score scale, are read and compared. */
const WORTH_COMPARING = 0.9
const NEIGHBOURS = 5

/** Staged id → the entry, or the earlier row of the batch, that says the same in the same words. */
export async function exactTwins(
  storage: Storage,
  rows: readonly StagingRow[],
): Promise<Map<string, string>> {
  const keys = [...new Set(rows.map((row) => row.twin_key))]
  const entries = await storage.db
    .selectFrom('knowledge_entries')
    .select(['id', 'twin_key'])
    .where('twin_key', 'in', keys)
    .execute()
  const owner = new Map(entries.map((entry) => [entry.twin_key, entry.id]))
  const twins = new Map<string, string>()
  for (const { id, twin_key } of rows) {
    const twin = owner.get(twin_key)
    if (twin === undefined) owner.set(twin_key, id)
    else twins.set(id, twin)
  }
  return twins
}

export interface Candidates {
  rows: readonly StagingRow[]
  vectors: readonly Float32Array[]
  calibration: Calibration
}

/** The same for those that say the same in nearly the same words: close in meaning, and without contradiction. */
export async function nearTwins(
  { storage, index }: { storage: Storage; index: SearchIndex },
  { rows, vectors, calibration }: Candidates,
): Promise<Map<string, string>> {
  const neighbours = new Map<string, string[]>()
  for (const [at, row] of rows.entries()) {
    const isClose = (cosine: number | undefined) =>
      cosine !== undefined && calibrated(cosine, calibration) >= WORTH_COMPARING
    const inBatch = rows.slice(0, at).filter((_, other) => isClose(dot(vectors[at]!, vectors[other]!)))
    // Without a filter: looking at a few of other kinds is cheaper than sorting them out of everything.
    const request = { text: '', vector: vectors[at]!, limit: NEIGHBOURS }
    const found = await index.search(COLLECTION, request)
    const stored = found.filter(({ cosine }) => isClose(cosine)).map(({ id }) => id)
    neighbours.set(row.id, [...stored, ...inBatch.map(({ id }) => id)])
  }
  const candidates = await candidateRows(storage, rows, [...neighbours.values()].flat())
  const twins = new Map<string, string>()
  for (const row of rows) {
    const twin = neighbours.get(row.id)!.find((id) => {
      const other = candidates.get(id)
      return other !== undefined && !twins.has(id) && areTwins(row, other)
    })
    if (twin !== undefined) twins.set(row.id, twin)
  }
  return twins
}

async function candidateRows(
  storage: Storage,
  rows: readonly StagingRow[],
  ids: readonly string[],
): Promise<Map<string, DocumentRow>> {
  const staged = new Map<string, DocumentRow>(rows.map((row) => [row.id, row]))
  const wanted = [...new Set(ids)].filter((id) => !staged.has(id))
  if (wanted.length === 0) return staged
  const entries = await storage.db
    .selectFrom('knowledge_entries')
    .selectAll()
    .where('id', 'in', wanted)
    .execute()
  return new Map([...staged, ...entries.map((entry) => [entry.id, entry] as const)])
}

function areTwins(a: DocumentRow, b: DocumentRow): boolean {
  if (a.id === b.id || a.entry_type !== b.entry_type || a.agent_type !== b.agent_type) return false
  if (a.task_type !== b.task_type || a.technology !== b.technology) return false
  return relationOf(readKnowledge(knowledgeOf(a)), readKnowledge(knowledgeOf(b))) === 'same'
}

/** Of unit vectors: their cosine. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}
