import type { ReceiptItem } from '../../receipts/receipt.ts'
import { closed } from '../../text/quote.ts'
import type { Tokenizer } from '../../text/tokens.ts'

/** One part of a prompt in several sizes, the fullest first. An empty text leaves the part out. */
export interface PromptSection {
  name: string
  sizes: readonly SectionSize[]
}

export interface SectionSize {
  text: string
  /** What it is worth to show this size rather than the next smaller one, 0 to 100: the least worth goes first. */
  worth: number
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

interface Chosen {
  section: PromptSection
  size: number
  tokens: number
}

/** Shrinks what is least worth until everything fits; the budget is never exceeded. */
export function assemblePrompt(
  sections: readonly PromptSection[],
  budget: number,
  tokenizer: Tokenizer,
): Prompt {
  const chosen = sections.map(
    (section): Chosen => ({ section, size: 0, tokens: tokensOf(section, 0, tokenizer) }),
  )
  // The sum of the parts is close to the whole and cheap; the whole is counted only when it may fit.
  while (sumOf(chosen) > budget && shrink(chosen, tokenizer));
  growBack(chosen, budget, tokenizer)
  let text = joined(chosen)
  while (!tokenizer.fits(text, budget) && shrink(chosen, tokenizer)) text = joined(chosen)
  const leftOut = chosen.flatMap(({ section, size }) => section.sizes[size]!.leftOut ?? [])
  if (!tokenizer.fits(text, budget)) {
    text = closed(tokenizer.truncate(text, budget - 1))
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

/** Takes one step off what is least worth; false when everything is at its smallest. */
function shrink(chosen: readonly Chosen[], tokenizer: Tokenizer): boolean {
  const [least] = chosen
    .filter(({ section, size }) => size < section.sizes.length - 1)
    .sort((a, b) => a.section.sizes[a.size]!.worth - b.section.sizes[b.size]!.worth)
  if (!least) return false
  resize(least, least.size + 1, tokenizer)
  return true
}

/** The last thing to go was perhaps a large one: then there is room for smaller ones again, the worthiest first. */
function growBack(chosen: readonly Chosen[], budget: number, tokenizer: Tokenizer): void {
  const steps = chosen.flatMap((part) =>
    Array.from({ length: part.size }, (_, size) => ({ part, size, worth: part.section.sizes[size]!.worth })),
  )
  for (const { part, size } of steps.sort((a, b) => b.worth - a.worth)) {
    if (size !== part.size - 1) continue
    const grown = sumOf(chosen) - part.tokens + tokensOf(part.section, size, tokenizer)
    if (grown <= budget) resize(part, size, tokenizer)
  }
}

function resize(part: Chosen, size: number, tokenizer: Tokenizer): void {
  part.size = size
  part.tokens = tokensOf(part.section, size, tokenizer)
}

function sumOf(chosen: readonly Chosen[]): number {
  return chosen.reduce((sum, part) => sum + part.tokens, 0)
}

function joined(chosen: readonly { section: PromptSection; size: number }[]): string {
  return chosen
    .map(({ section, size }) => section.sizes[size]!.text)
    .filter((text) => text !== '')
    .join(SEPARATOR)
}

function tokensOf(section: PromptSection, size: number, tokenizer: Tokenizer): number {
  const { text } = section.sizes[size]!
  return text === '' ? 0 : tokenizer.count(text) + 1
}

function withTokens(items: readonly ReceiptItem[], tokenizer: Tokenizer): ReceiptItem[] {
  return items.map((item) => ({ ...item, tokens: item.tokens ?? tokenizer.count(item.text ?? '') }))
}

/** How much of something to show, and what that is worth against the next smaller amount. */
export type Steps = readonly (readonly [amount: number, worth: number])[]

/** The steps that make a difference: from the smallest that still shows everything, if any does. */
export function usefulSteps(steps: Steps, whole: number): Steps {
  const showingAll = steps.findLastIndex(([amount]) => amount >= whole)
  return steps.slice(Math.max(0, showingAll))
}

export function without(name: string): PromptSection {
  return { name, sizes: [{ text: '', worth: 100 }] }
}
