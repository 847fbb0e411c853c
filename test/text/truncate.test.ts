import { describe, expect, it } from 'vitest'
import { shorten, truncate } from '../../src/text/truncate.ts'

const FAMILY = '👨‍👩‍👧‍👦'

describe.each([
  ['truncate', truncate, ' [truncated]'],
  ['shorten', shorten, '…'],
])('%s', (_, cut, mark) => {
  it('leaves alone what fits', () => {
    expect(cut('fits', 4)).toBe('fits')
  })

  it('cuts to the length that was asked for, with a mark', () => {
    const text = cut('a'.repeat(100), 50)
    expect(text).toBe('a'.repeat(50 - mark.length) + mark)
  })

  it('never cuts inside a character', () => {
    for (let max = 20; max < 60; max++) {
      const text = cut(`e\u0301`.repeat(5) + FAMILY.repeat(10), max)
      expect(text.length).toBeLessThanOrEqual(max)
      const kept = text.slice(0, -mark.length)
      expect(`e\u0301`.repeat(5) + FAMILY.repeat(10)).toMatch(new RegExp(`^${kept}(e\u0301|${FAMILY})`, 'u'))
    }
  })

  it('keeps an accent with its letter where plain letters follow', () => {
    const text = cut(`${'a'.repeat(20)}e\u0301${'b'.repeat(40)}`, 21 + mark.length)
    expect(text).toBe('a'.repeat(20) + mark)
  })

  it('leaves no space before the mark', () => {
    expect(cut(`word ${'x'.repeat(40)}`, 5 + mark.length)).toBe(`word${mark}`)
  })
})
