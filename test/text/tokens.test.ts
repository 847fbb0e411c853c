import { describe, expect, it } from 'vitest'
import { countTokens, loadTokenizer, surelyFits } from '../../src/text/tokens.ts'
import fc from '../support/fast-check.ts'

const tokenizer = await loadTokenizer()

describe('countTokens', () => {
  it('counts what o200k counts', async () => {
    expect(await countTokens('')).toBe(0)
    expect(await countTokens('hello world')).toBe(2)
    expect(await countTokens('const total = items.reduce((sum, item) => sum + item.price, 0)')).toBe(19)
    expect(await countTokens('Grüße aus München, 東京へようこそ')).toBe(11)
  })

  it('takes special tokens in a log for text', async () => {
    expect(await countTokens('<|endoftext|>')).toBeGreaterThan(1)
  })

  it.each(['a', ' ', '=', '\n', 'é', '漢'])(
    'counts a million times %j without quadratic work',
    (character) => {
      const part = tokenizer.count(character.repeat(2_000))
      const whole = tokenizer.count(character.repeat(1_000_000))
      expect(whole / (part * 500)).toBeGreaterThan(0.9)
      expect(whole / (part * 500)).toBeLessThan(1.1)
    },
  )
})

describe('surelyFits', () => {
  it('never promises what the tokenizer denies', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(60), (text, max) => {
        if (surelyFits(text, max)) expect(tokenizer.count(text)).toBeLessThanOrEqual(max)
      }),
    )
  })

  it('answers for short texts alone', () => {
    expect(surelyFits('a short note', 12)).toBe(true)
    expect(surelyFits('a short note', 11)).toBe(false)
    expect(surelyFits('漢漢', 5)).toBe(false)
  })
})

describe('fits', () => {
  it('is exact at the edge', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.'
    const count = await countTokens(text)
    expect(tokenizer.fits(text, count)).toBe(true)
    expect(tokenizer.fits(text, count - 1)).toBe(false)
  })
})

describe('truncate', () => {
  it('leaves a text alone that fits', async () => {
    expect(tokenizer.truncate('short', 100)).toBe('short')
    expect(tokenizer.truncate('hello world', 2)).toBe('hello world')
  })

  it('cuts with a visible mark inside the budget, and uses the budget', async () => {
    const text = 'The migration must run before the server starts. '.repeat(200)
    const cut = tokenizer.truncate(text, 50)
    expect(cut.endsWith(' [truncated]')).toBe(true)
    expect(text.startsWith(cut.replace(' [truncated]', ''))).toBe(true)
    expect(tokenizer.count(cut)).toBeLessThanOrEqual(50)
    expect(tokenizer.count(cut)).toBeGreaterThan(44)
  })

  it('never cuts inside a character as a person sees it', async () => {
    const family = '👨‍👩‍👧‍👦'
    const cut = tokenizer.truncate(family.repeat(50), 60)
    expect(cut.replace(' [truncated]', '').replaceAll(family, '')).toBe('')
    expect(cut.length).toBeGreaterThan(family.length)
  })

  it('never exceeds any budget on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(40), (text, max) => {
        expect(tokenizer.count(tokenizer.truncate(text, max))).toBeLessThanOrEqual(max)
      }),
    )
  })
})
