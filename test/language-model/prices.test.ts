import { expect, it } from 'vitest'
import { costOf, priceOf, runPrices } from '../../src/language-model/prices.ts'

const COUNTS = { input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 }

it.each([
  ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
  ['claude-sonnet-4-5', 'claude-sonnet-4.5'],
  ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
  ['gpt-5-mini', 'openai/gpt-5-mini-2025-08-07'],
])('knows the price of %s by the name %s', (listed, spelled) => {
  expect(priceOf(listed)).toBeDefined()
  expect(priceOf(spelled)).toEqual(priceOf(listed))
})

it('says nothing of a model that nobody has listed, and takes what a person lists before its own', () => {
  expect(priceOf('fake-model')).toBeUndefined()
  expect(priceOf('constructor')).toBeUndefined()
  expect(runPrices([])('fake-model', COUNTS)).toBeUndefined()
  const own = runPrices([{ model: 'fake-model', input: 2, output: 10 }])
  expect(own('fake-model', COUNTS)).toBeCloseTo(3)
})

it('takes no request of a run for a long one: their prompts add up to more than any of them was', () => {
  const price = priceOf('gemini-2.5-pro')!
  expect(costOf(price, COUNTS)).toBeCloseTo(4)
  expect(runPrices([])('gemini-2.5-pro', COUNTS)).toBeCloseTo(2.25)
})
