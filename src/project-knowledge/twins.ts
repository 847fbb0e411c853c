import type { Storage } from '../storage/storage.ts'
import type { EntryRow, StagingRow } from '../storage/tables.ts'
import { areTwins, type EntryReading, readKnowledge } from './relation.ts'
import { type FiledRow, knowledgeOf } from './rows.ts'

/** A key that more entries share than this (an error that says nothing) is no reason to read them all. */
const MOST_CANDIDATES = 1_000

type Candidate = FiledRow & Pick<EntryRow, 'id' | 'twin_key' | 'problem_key' | 'solution_key'>

/**
 * Staged id → the entry, or the earlier row of the batch, that says the same: in the same words, or about the same
 * problem, or with the same solution, and without contradiction. Found by keys, so it costs the same among any number
 * of entries, and what has a twin need not be embedded.
 */
export async function findTwins(storage: Storage, rows: readonly StagingRow[]): Promise<Map<string, string>> {
  const known = new Candidates()
  for (const entry of await candidates(storage, rows)) known.add(entry)
  const twins = new Map<string, string>()
  for (const row of rows) {
    const twin = known.twinOf(row)
    if (twin === undefined) known.add(row)
    else twins.set(row.id, twin)
  }
  return twins
}

async function candidates(storage: Storage, rows: readonly StagingRow[]): Promise<EntryRow[]> {
  const problems = [...new Set(rows.map((row) => row.problem_key))]
  const solutions = [...new Set(rows.map((row) => row.solution_key))]
  return storage.db
    .selectFrom('knowledge_entries')
    .selectAll()
    .where((entry) =>
      entry.or([entry('problem_key', 'in', problems), entry('solution_key', 'in', solutions)]),
    )
    .orderBy('success_count', 'desc')
    .orderBy('id')
    .limit(MOST_CANDIDATES)
    .execute()
}

/** Entries by their keys; each is read only when it is compared. */
class Candidates {
  readonly #byKey = new Map<string, Candidate[]>()
  readonly #readings = new Map<string, EntryReading>()

  add(candidate: Candidate): void {
    for (const key of new Set([candidate.problem_key, candidate.solution_key])) {
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), candidate])
    }
  }

  twinOf(row: Candidate): string | undefined {
    const near = [...(this.#byKey.get(row.problem_key) ?? []), ...(this.#byKey.get(row.solution_key) ?? [])]
    const exact = near.find((other) => other.twin_key === row.twin_key)
    return (exact ?? near.find((other) => areTwins(this.#read(row), this.#read(other))))?.id
  }

  #read(candidate: Candidate): EntryReading {
    const known = this.#readings.get(candidate.id) ?? readKnowledge(knowledgeOf(candidate))
    this.#readings.set(candidate.id, known)
    return known
  }
}
