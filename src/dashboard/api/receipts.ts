import { Hono } from 'hono'
import { z } from 'zod'
import { readReceipt, readReceipts, receiptsFolder } from '../../receipts/read.ts'
import { type ReceiptReport, SURFACES } from '../../receipts/receipt.ts'
import { ReceiptCounts } from '../../receipts/totals.ts'
import type { DashboardContext } from '../context.ts'
import { checked } from './checked.ts'
import { paging } from './paging.ts'

const Filters = z.object({
  feature: z.string().max(200).optional(),
  run: z.string().max(500).optional(),
  surface: z.enum(SURFACES).optional(),
})

const PAGE = 50

/** What was told to which run, what of it was used, and how it came out. */
export function receiptsApi({ ralph }: Pick<DashboardContext, 'ralph'>) {
  const folder = () => receiptsFolder(ralph.config.paths)
  const counts = new Map<string, ReceiptCounts>()
  const countsOf = (place: string) => {
    const known = counts.get(place) ?? new ReceiptCounts(place)
    counts.set(place, known)
    return known
  }
  return new Hono()
    .get('/', checked('query', Filters.extend(paging)), async (c) => {
      const { receipts, next, damagedLines } = await readReceipts(folder(), {
        ...c.req.valid('query'),
        limit: PAGE,
      })
      return c.json({ items: receipts.map(inShort), next, damagedLines })
    })
    .get('/totals', checked('query', Filters), async (c) =>
      c.json(await countsOf(folder()).read(c.req.valid('query'))),
    )
    .get('/:id', async (c) => c.json(await readReceipt(folder(), c.req.param('id'))))
}

/** A row of the list: what was said in full is asked for one by one. */
function inShort({ items, leftOut, ending, text: _, ...receipt }: ReceiptReport) {
  const used = new Set(receipt.withheld ? [] : ending?.used)
  const kinds = new Map<string, number>()
  for (const { kind } of items) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return {
    ...receipt,
    told: items.length,
    used: items.filter(({ source }) => used.has(source)).length,
    leftOut: leftOut.length,
    kinds: [...kinds].map(([kind, count]) => ({ kind, count })),
    ...(ending && { outcome: ending.outcome, iterationNumber: ending.iterationNumber }),
  }
}
