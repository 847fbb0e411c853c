import { lemma } from './lemma.ts'

/** Those that writers exchange freely, in groups; one may be in several. */
const EXCHANGED = `
in into inside within|in on|on onto|in with|over above|over across through|under below beneath underneath|near beside around
from off|from out|for to|for of|for in|for with|toward towards to|along down|along up|before until|in through|on through|on along`

const GROUPS = EXCHANGED.trim()
  .split(/[|\n]/)
  .map((group) => new Set(group.split(' ').map(lemma)))

/** Do two directions, by their lemmas, say the same of whatever follows them? */
export function areExchanged(a: string, b: string): boolean {
  return GROUPS.some((group) => group.has(a) && group.has(b))
}
