import { howToPrice } from '../../src/language-model/prices.ts'
import { Ledger } from '../../src/spend/ledger.ts'
import type { SpendLimits } from '../../src/spend/limits.ts'
import type { Storage } from '../../src/storage/storage.ts'

export type TestLimits = Omit<SpendLimits, 'period'> & Partial<SpendLimits>

/** Real books in the storage, of one person. */
export function openTestLedger(
  storage: Storage,
  {
    limits = {},
    clock,
    person = 'somebody',
  }: { limits?: TestLimits; clock?: () => Date; person?: string } = {},
): Ledger {
  return new Ledger({
    storage: async () => storage,
    person: async () => ({ id: person }),
    limits: { period: 'month', ...limits },
    priceHint: (model) => howToPrice(model, []),
    clock,
  })
}
