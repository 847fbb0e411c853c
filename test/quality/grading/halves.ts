import { createHash } from 'node:crypto'

/** Weights and thresholds are chosen on one half of the questions; what is reported is how they do on the other. */
export const HALVES = ['choosing', 'reporting'] as const
export type Half = (typeof HALVES)[number]

/** By the first hexadecimal digit of its SHA-256: a question is always in the same half, in whatever set or order it comes. */
export function halfOf(question: string): Half {
  return /^[0-7]/.test(sha256(question)) ? 'choosing' : 'reporting'
}

/** Always the same `count`, and no part of either half more than of the other. */
export function sample<Item>(items: readonly Item[], count: number, textOf: (item: Item) => string): Item[] {
  const key = (item: Item) => sha256(`sample of ${textOf(item)}`)
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).slice(0, count)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
