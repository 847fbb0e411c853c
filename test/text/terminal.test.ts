import { styleText } from 'node:util'
import { describe, expect, it } from 'vitest'
import { forTerminal, jsonForTerminal, ownColours } from '../../src/text/terminal.ts'

const red = (text: string) => styleText('red', text, { validateStream: false })

describe('what a terminal is given', () => {
  it.each([
    ['sets the clipboard', '\x1b]52;c;cm0gLXJmIH4=\x07done', 'done'],
    ['fakes a link', '\x1b]8;;http://evil.example\x1b\\docs\x1b]8;;\x1b\\', 'docs'],
    ['moves the cursor', 'a\x1b[2J\x1b[1;1Hb', 'ab'],
    ['hides text', '\x1b[8msecret\x1b[0m', 'secret'],
    ['colours as we do', '\x1b[32m✓ success\x1b[39m', '✓ success'],
    ['uses the other control characters', 'a\x9b2Jb\x9d52;c;x\x9cc', 'abc'],
    ['overwrites the line', 'failure\rsuccess', 'failure\nsuccess'],
    ['reorders what is read', 'a\u202eb', 'ab'],
    ['rings', 'a\x07b', 'ab'],
    ['is cut in the middle', 'a\x1b', 'a'],
    ['is cut before its start', ']52;c;x', ']52;c;x'],
  ])('is not one that %s', (_, text, shown) => {
    expect(forTerminal(text)).toBe(shown)
  })

  it('has our own colours, around text that is cleaned', () => {
    expect(forTerminal(ownColours(red('stop')))).toBe(red('stop'))
    expect(forTerminal(`${ownColours(red('stop'))}\x1b[31m`)).toBe(red('stop'))
  })

  it('shows no hidden text that passes for ours', () => {
    for (const code of ['8', '30;40', '38;5;0', '2J', '1;1H'])
      expect(forTerminal(ownColours(red(`a\x1b[${code}${/[JH]/.test(code) ? '' : 'm'}b`)))).not.toContain(
        `\x1b[${code}`,
      )
    expect(forTerminal('\u{10fffd}[8mb')).not.toContain('\x1b')
  })

  it('leaves ordinary text alone, lines, tabs, emoji and other scripts included', () => {
    const text = 'one\n\ttwo 👩‍💻 نمی‌خواهم ✓ 日本語'
    expect(forTerminal(text)).toBe(text)
  })
})

it('escapes in JSON what JSON leaves as it is', () => {
  const json = jsonForTerminal(JSON.stringify({ text: 'a\x9b2J\x7f\x1b' }))
  expect(json).toBe(String.raw`{"text":"a\u009b2J\u007f\u001b"}`)
  expect(JSON.parse(json)).toEqual({ text: 'a\x9b2J\x7f\x1b' })
})
