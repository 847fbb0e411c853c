import { shellWord } from '../text/shell-word.ts'

/** Dollars per million tokens. */
export interface Price {
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
  /** Dearer when the prompt is longer than `tokens`. */
  longPrompt?: { tokens: number; input: number; output: number }
}

/**
 * List prices of November 2026, by model id without date. Anything missing here costs an unknown amount, and
 * that is said; `prices` in the configuration adds to this table or corrects it.
 */
const PRICES: Readonly<Record<string, Price>> = {
  'claude-haiku-5-5': {
    input: 0.1,
    output: 0.5,
    cacheRead: 0.01,
    cacheWrite: 0.125,
    longPrompt: { tokens: 100_000, input: 0.5, output: 2.5 },
  },
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  'claude-fable-5-1': { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
  'claude-fable-5': { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 },
  'claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  'claude-opus-5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-8': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-7': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-6': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-sonnet-4-6': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'gpt-6-astra': { input: 10, output: 50, cacheRead: 1 },
  'gpt-6-sol': { input: 2, output: 10, cacheRead: 0.2 },
  'gpt-6-luna': { input: 0.1, output: 0.5, cacheRead: 0.01 },
  'gpt-5.6-terra': {
    input: 2,
    output: 12,
    cacheRead: 0.2,
    longPrompt: { tokens: 272_000, input: 4, output: 18 },
  },
  'gpt-5.6-luna': {
    input: 0.2,
    output: 1.2,
    cacheRead: 0.02,
    longPrompt: { tokens: 200_000, input: 0.4, output: 1.8 },
  },
  'gpt-5.5': {
    input: 5,
    output: 30,
    cacheRead: 0.5,
    longPrompt: { tokens: 272_000, input: 10, output: 45 },
  },
  'gpt-5.4': {
    input: 2.5,
    output: 15,
    cacheRead: 0.25,
    longPrompt: { tokens: 272_000, input: 5, output: 22.5 },
  },
  'gpt-5.4-mini': { input: 0.75, output: 4.5, cacheRead: 0.075 },
  'gpt-5.4-nano': { input: 0.2, output: 1.25, cacheRead: 0.02 },
  'gpt-5.2': { input: 1.75, output: 14, cacheRead: 0.175 },
  'gpt-5.1': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cacheRead: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cacheRead: 0.1 },
  'gpt-4.1-nano': { input: 0.1, output: 0.4, cacheRead: 0.025 },
  'gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cacheRead: 0.075 },
  'gpt-5-codex': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5.1-codex': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5.3-codex': { input: 1.75, output: 14, cacheRead: 0.175 },
  'gpt-5.1-codex-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
  'gemini-3-pro-preview': {
    input: 2,
    output: 12,
    cacheRead: 0.2,
    longPrompt: { tokens: 200_000, input: 4, output: 18 },
  },
  'gemini-2.5-pro': {
    input: 1.25,
    output: 10,
    cacheRead: 0.125,
    longPrompt: { tokens: 200_000, input: 2.5, output: 15 },
  },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01 },
  'qwen3-coder-plus': { input: 1, output: 5, cacheRead: 0.1 },
  'qwen3-coder-flash': { input: 0.3, output: 1.5, cacheRead: 0.03 },
}

export interface TokenCounts {
  /** Input that was neither read from nor written to a cache. */
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
}

export type PriceTable = Readonly<Record<string, Price>>

/** Prices as the settings have them. */
export type ListedPrices = readonly (Price & { model: string })[]

export function priceTable(listed: ListedPrices): PriceTable {
  return Object.fromEntries(listed.map(({ model, ...price }) => [model, price]))
}

/**
 * `claude-haiku-4-5-20251001` and `gpt-5-mini-2025-08-07` cost what their undated names cost; other programs write
 * `claude-haiku-4.5` and `anthropic/claude-haiku-4-5`.
 */
export function priceOf(model: string, extra: PriceTable = {}): Price | undefined {
  const undated = model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '').replace(/-latest$/, '')
  const bare = undated.slice(undated.lastIndexOf('/') + 1)
  const names = [model, undated, bare, bare.startsWith('claude-') ? bare.replaceAll('.', '-') : bare]
  for (const table of [extra, PRICES]) {
    const name = names.find((known) => Object.hasOwn(table, known))
    if (name !== undefined) return table[name]
  }
  return undefined
}

/** How a price is added to the settings, beside those that are there already. */
export function howToPrice(model: string, listed: ListedPrices): string {
  const prices = [...listed.filter((one) => one.model !== model), { model, input: 10, output: 50 }]
  const typed = shellWord(JSON.stringify(prices))
  return `Run: ralph config set language_model.prices ${typed} with its own prices for 10 and 50, in dollars per million tokens of input and of output.`
}

/** What whole runs cost: the tokens of many requests, none of which is taken for a long one. */
export function runPrices(listed: ListedPrices): (model: string, counts: TokenCounts) => number | undefined {
  const own = priceTable(listed)
  return (model, counts) => {
    const price = priceOf(model, own)
    if (!price) return undefined
    const { longPrompt: _, ...usual } = price
    return costOf(usual, counts)
  }
}

export function costOf(price: Price, counts: TokenCounts): number {
  const cacheRead = counts.cacheRead ?? 0
  const cacheWrite = counts.cacheWrite ?? 0
  const long =
    price.longPrompt && counts.input + cacheRead + cacheWrite > price.longPrompt.tokens
      ? price.longPrompt
      : undefined
  const rate = long ? long.input / price.input : 1
  const dollars =
    counts.input * price.input * rate +
    cacheRead * (price.cacheRead ?? price.input) * rate +
    cacheWrite * (price.cacheWrite ?? price.input) * rate +
    counts.output * (long?.output ?? price.output)
  return dollars / 1_000_000
}

/**
 * The most a request can cost. Prompt tokens are bounded, not counted: a byte-level tokenizer never makes more
 * tokens than there are UTF-8 bytes, so a hard limit kept with this is never passed.
 */
export function worstCostOf(price: Price, promptText: string, maxTokens: number): number {
  return costOf(price, { input: Buffer.byteLength(promptText) + PROMPT_OVERHEAD, output: maxTokens })
}

/** Roles, separators, the tools' own system prompt. */
const PROMPT_OVERHEAD = 400
