import type { ReceiptItem } from '../../receipts/receipt.ts'
import type { Tokenizer } from '../../text/tokens.ts'

/** One part of a prompt in several sizes, the fullest first. An empty text leaves the part out. */
export interface Section {
  name: string
  /** Sections with a lower number shrink first. */
  worth: number
  sizes: readonly SectionSize[]
}

export interface SectionSize {
  text: string
  items?: readonly ReceiptItem[] | undefined
  /** What this size does not show, in words. */
  leftOut?: readonly string[] | undefined
}

export interface Prompt {
  text: string
  tokens: number
  sections: { name: string; tokens: number }[]
  /** What was cut and why. */
  leftOut: string[]
  /** What of memory is in it. */
  items: ReceiptItem[]
}

const SEPARATOR = '\n\n'

/** Shrinks the least worthy sections until everything fits; the budget is never exceeded. */
export function assemble(sections: readonly Section[], budget: number, tokenizer: Tokenizer): Prompt {
  const chosen = sections.map((section) => ({ section, size: 0, tokens: tokensOf(section, 0, tokenizer) }))
  const shrink = (): boolean => {
    const candidates = chosen.filter(({ section, size }) => size < section.sizes.length - 1)
    const least = candidates.sort((a, b) => a.section.worth - b.section.worth)[0]
    if (!least) return false
    least.size++
    least.tokens = tokensOf(least.section, least.size, tokenizer)
    return true
  }
  // The sum of the parts is close to the whole and cheap; the whole is counted only when it may fit.
  while (chosen.reduce((sum, part) => sum + part.tokens, 0) > budget && shrink());
  let text = joined(chosen)
  while (!tokenizer.fits(text, budget) && shrink()) text = joined(chosen)
  const leftOut = chosen.flatMap(({ section, size }) => section.sizes[size]!.leftOut ?? [])
  if (!tokenizer.fits(text, budget)) {
    text = tokenizer.truncate(text, budget)
    leftOut.push(`the end of the prompt: the budget of ${budget} tokens is too small for the task alone`)
  }
  return {
    text,
    tokens: tokenizer.count(text),
    sections: chosen
      .filter(({ section, size }) => section.sizes[size]!.text !== '')
      .map(({ section, tokens }) => ({ name: section.name, tokens })),
    leftOut,
    items: chosen.flatMap(({ section, size }) => withTokens(section.sizes[size]!.items ?? [], tokenizer)),
  }
}

function joined(chosen: readonly { section: Section; size: number }[]): string {
  return chosen
    .map(({ section, size }) => section.sizes[size]!.text)
    .filter((text) => text !== '')
    .join(SEPARATOR)
}

function tokensOf(section: Section, size: number, tokenizer: Tokenizer): number {
  const { text } = section.sizes[size]!
  return text === '' ? 0 : tokenizer.count(text) + 1
}

function withTokens(items: readonly ReceiptItem[], tokenizer: Tokenizer): ReceiptItem[] {
  return items.map((item) => ({ ...item, tokens: item.tokens ?? tokenizer.count(item.text ?? '') }))
}

/** The same list in several lengths, for sections that shrink by showing fewer entries. */
export function shorterLists<Item>(items: readonly Item[], lengths: readonly number[]): Item[][] {
  const useful = lengths.filter((length, index) => index === 0 || length < items.length)
  return useful.map((length) => items.slice(0, length))
}
