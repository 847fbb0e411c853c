import { describe, expect, it } from 'vitest'
import { fits, layOut } from '../../src/text/columns.ts'
import { displayWidth } from '../../src/text/display-width.ts'
import { wrap, wrapLines } from '../../src/text/wrap.ts'

const widest = (text: string) => Math.max(...text.split('\n').map(displayWidth))

describe('the width of a text', () => {
  it.each([
    ['plain', 5],
    ['naïve', 5],
    ['日本', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['\x1b[31mred\x1b[39m', 3],
    ['\x1b]8;;file:///x\x07link\x1b]8;;\x07', 4],
  ])('%j takes %i columns', (text, columns) => {
    expect(displayWidth(text)).toBe(columns)
  })
})

describe('a long line', () => {
  it('is broken between words', () => {
    expect(wrap('one two three four', 9)).toBe('one two\nthree\nfour')
  })

  it('goes on below its words, behind a label or a mark', () => {
    expect(wrapLines('3f2a81b0  Keep amounts in whole cents', 24)).toBe(
      '3f2a81b0  Keep amounts\n          in whole cents',
    )
    expect(wrapLines('\x1b[1m3f2a81b0\x1b[22m  Keep amounts', 20)).toBe(
      '\x1b[1m3f2a81b0\x1b[22m  Keep\n          amounts',
    )
    expect(wrapLines('  → one two three', 12)).toBe('  → one two\n    three')
    expect(wrapLines('    far in and long', 12)).toBe('    far in\n    and long')
  })

  it('keeps a command in backticks together', () => {
    expect(wrapLines('  → or `ralph config get x`', 22)).toBe('  → or\n    `ralph config get x`')
  })

  it('stays whole where it is copied: a path, a command, a line of a diff', () => {
    for (const line of [
      `/a/very/long/path/${'x'.repeat(40)}`,
      '  → ralph learnings review 3f2a81b0 --keep-this --feature auth',
      '@@ -1 +1 @@\n+  const total = lines.reduce((sum, line) => sum + line.price, 0)\n   return total',
    ])
      expect(wrapLines(line, 20)).toBe(line)
    expect(wrapLines('- an entry of a list', 12)).toBe('- an entry\n  of a list')
  })
})

describe('columns', () => {
  const rows = [
    ['id', 'what it says'],
    ['3f2a81b0', 'Keep amounts in whole cents, and round once at the end'],
  ]

  it('are as wide as they like where there is room', () => {
    expect(layOut(rows)).toBe(
      'id        what it says\n3f2a81b0  Keep amounts in whole cents, and round once at the end',
    )
  })

  it('are wrapped where there is not, the widest first', () => {
    const text = layOut(rows, 40)
    expect(widest(text)).toBeLessThanOrEqual(40)
    expect(text).toContain('3f2a81b0  Keep amounts in whole cents,\n          and round')
  })

  it('stand below each other also with words that are too long for them', () => {
    const text = layOut([['x'.repeat(50), 'beside', 'y'.repeat(30)]], 50)
    expect(widest(text)).toBeLessThanOrEqual(50)
    expect(text.split('\n')[0]).toMatch(/^x+ {2}beside {2,}y+$/)
    expect(fits([['x'.repeat(50), 'beside', 'y'.repeat(30)]], 50)).toBe(false)
  })
})
