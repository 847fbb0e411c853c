import { randomUUID } from 'node:crypto'
import { RalphError } from '../errors.ts'
import type { Storage } from '../storage/storage.ts'
import { redact } from '../text/redact.ts'

export interface PatternInjection {
  /** A UUID; the same one a second time changes nothing. Made when absent. */
  id?: string | undefined
  project: string
  /** Whatever names the run: a task's id, an iteration. */
  task: string
  /** `Pattern.id` of what was put into the prompt. */
  patterns: readonly string[]
}

const INJECTION_OUTCOMES = ['succeeded', 'failed'] as const
export type InjectionOutcome = (typeof INJECTION_OUTCOMES)[number]

/** Remembers what was put into a prompt. Returns the id under which the outcome is reported later. */
export async function recordInjection(
  storage: Storage,
  injection: PatternInjection,
  now: number,
): Promise<string> {
  const { id = randomUUID() } = injection
  const wanted = [...new Set(injection.patterns)]
  if (wanted.length === 0) return id
  await storage.transaction(async (db) => {
    // An entry may have been forgotten since it was found.
    const found = await db.selectFrom('knowledge_entries').select('id').where('id', 'in', wanted).execute()
    if (found.length === 0) return
    const rows = found.map((entry) => ({
      id,
      entry_id: entry.id,
      project: injection.project,
      task: redact(injection.task),
      injected_at: now,
      outcome: null,
      outcome_at: null,
    }))
    await db
      .insertInto('knowledge_injections')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return id
}

/** Counts for, or against, everything that was shown. The first report of an injection stands. */
export function recordOutcome(
  storage: Storage,
  injectionId: string,
  outcome: InjectionOutcome,
  now: number,
): Promise<'counted' | 'already' | 'unknown'> {
  if (!INJECTION_OUTCOMES.includes(outcome)) {
    throw new RalphError('invalid_input', `unknown outcome ${JSON.stringify(outcome)}`, {
      hint: `The outcomes are ${INJECTION_OUTCOMES.join(', ')}.`,
    })
  }
  return storage.transaction(async (db) => {
    const counted = await db
      .updateTable('knowledge_injections')
      .set({ outcome, outcome_at: now })
      .where('id', '=', injectionId)
      .where('outcome', 'is', null)
      .returning('entry_id')
      .execute()
    if (counted.length === 0) {
      const known = await db
        .selectFrom('knowledge_injections')
        .select('id')
        .where('id', '=', injectionId)
        .executeTakeFirst()
      return known ? 'already' : 'unknown'
    }
    const ids = counted.map((row) => row.entry_id).sort()
    const entries = db.updateTable('knowledge_entries').where('id', 'in', ids)
    await (outcome === 'succeeded'
      ? entries.set((entry) => ({ helped: entry('helped', '+', 1) }))
      : entries.set((entry) => ({ misled: entry('misled', '+', 1) }))
    ).execute()
    return 'counted'
  })
}
