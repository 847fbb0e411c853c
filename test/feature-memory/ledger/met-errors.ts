import { expect } from 'vitest'
import { ledgerOf } from '../../../src/feature-memory/ledger/error-ledger.ts'
import type { LedgerEntry } from '../../../src/feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../../../src/feature-memory/record.ts'
import { BROKEN_TOTAL, failed } from './journal.ts'

/** A run that met the broken total. */
export const meeting = {
  errors: [BROKEN_TOTAL],
  checks: [failed('npm test', [BROKEN_TOTAL])],
  outcome: 'failure' as const,
}

/** The one error of these records. */
export function only(records: readonly IterationRecord[]): LedgerEntry {
  const entries = ledgerOf(records).entries()
  expect(entries).toHaveLength(1)
  return entries[0]!
}

/** Of several, the one about the total. */
export function total(records: readonly IterationRecord[]): LedgerEntry | undefined {
  return ledgerOf(records)
    .entries()
    .find(({ message }) => message === BROKEN_TOTAL.message)
}
