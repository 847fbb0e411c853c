import { tokensAtMost } from '../index.ts'

/** Five results in at most 600 tokens, as a model receives them; the frame around them has its share. */
const TOKENS_PER_FIVE = 600
const TOKENS_OF_FRAME = 70

export interface Packed<View> {
  views: View[]
  text: string
}

/** How one item looks in each form with a given amount of detail. */
export interface Packing<Item, Detail, View> {
  /** From a bare hint to plenty. */
  details: readonly Detail[]
  view: (item: Item, detail: Detail) => View
  text: (view: View) => string
}

/** As much of each item as fits into the budget for that many, in both forms; the first get more if not all can. */
export function packed<Item, Detail, View>(
  items: readonly Item[],
  { details, view, text }: Packing<Item, Detail, View>,
): Packed<View> {
  const budget = TOKENS_PER_FIVE * Math.max(1, Math.ceil(items.length / 5)) - TOKENS_OF_FRAME
  const priced = (item: Item, detail: Detail) => {
    const shown = view(item, detail)
    const words = text(shown)
    const tokens = Math.max(tokensAtMost(words), tokensAtMost(JSON.stringify(shown)))
    return { shown, words, tokens }
  }
  const chosen = items.map((item) => priced(item, details[0]!))
  let spent = chosen.reduce((sum, { tokens }) => sum + tokens, 0)
  for (const detail of details.slice(1)) {
    for (const [at, item] of items.entries()) {
      const richer = priced(item, detail)
      const then = spent - chosen[at]!.tokens + richer.tokens
      if (then > budget) continue
      chosen[at] = richer
      spent = then
    }
  }
  return {
    views: chosen.map(({ shown }) => shown),
    text: chosen.map(({ words }) => words).join('\n'),
  }
}
