import { tokensAtMost } from './token-bound.ts'

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
  const chosen = items.map((item) => priced(view(item, details[0]!), text))
  let spent = chosen.reduce((sum, { tokens }) => sum + tokens, 0)
  for (const detail of details.slice(1)) {
    const before = spent
    let complete = true
    for (const [at, item] of items.entries()) {
      const shown = view(item, detail)
      if (JSON.stringify(shown) === chosen[at]!.json) continue
      complete = false
      const richer = priced(shown, text)
      const then = spent - chosen[at]!.tokens + richer.tokens
      if (then > budget) continue
      chosen[at] = richer
      spent = then
    }
    // Nothing more to say, or no room left for any of it.
    if (!complete && spent === before) break
  }
  return {
    views: chosen.map(({ shown }) => shown),
    text: chosen.map(({ words }) => words).join('\n'),
  }
}

function priced<View>(shown: View, text: (view: View) => string) {
  const words = text(shown)
  const json = JSON.stringify(shown)
  return { shown, words, json, tokens: Math.max(tokensAtMost(words), tokensAtMost(json)) }
}
