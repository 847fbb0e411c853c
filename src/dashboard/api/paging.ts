import { z } from 'zod'

/** What a list is asked for with: where the page before ended. */
export const paging = { after: z.string().max(1_000).optional() }

/** A position in something that is read from there on. */
export const from = z.coerce.number().int().min(0).max(10_000_000).optional()

/** Of somebody else's making, and of any characters: therefore never a part of a path. */
export const foreignId = z.string().min(1).max(1_000)

/** A part of what is at hand as a whole, and where the next one begins. */
export function pageFrom<Item>(
  all: readonly Item[],
  after: number,
  limit: number,
): { items: Item[]; next?: string } {
  const end = after + limit
  return { items: all.slice(after, end), ...(end < all.length && { next: String(end) }) }
}
