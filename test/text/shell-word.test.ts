import { expect, it } from 'vitest'
import { shellWord } from '../../src/text/shell-word.ts'

it.each([
  ['linux', 'login', 'login'],
  ['linux', '/home/ann/a-b.txt', '/home/ann/a-b.txt'],
  ['linux', 'my shop', "'my shop'"],
  ['darwin', "it's", "'it'\\''s'"],
  ['linux', '$HOME', "'$HOME'"],
  ['win32', 'login', 'login'],
  ['win32', 'C:\\work\\shop', 'C:\\work\\shop'],
  ['win32', 'C:\\Program Files\\shop', '"C:\\Program Files\\shop"'],
  ['win32', "it's", '"it\'s"'],
  ['win32', 'say "hi"', '"say \\"hi\\""'],
] as const)('on %s %j is written %s', (platform, text, word) => {
  expect(shellWord(text, platform)).toBe(word)
})
