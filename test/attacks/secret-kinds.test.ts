import { describe, expect, it } from 'vitest'
import { redact } from '../../src/text/redact.ts'
import { redactValue } from '../../src/text/redact-value.ts'
import { HONEST_LINES } from '../support/honest-lines.ts'
import { madeUp } from '../support/made-up.ts'
import { PLACED_SECRETS, SERVICE_TOKENS } from '../support/secret-samples.ts'

const { mixed, hex, url, lower, digits } = madeUp(31)

/** Neither it nor, of a long one, a half of it is left. */
function expectMasked(text: string, secret: string): void {
  const middle = secret.length >> 1
  const pieces = secret.length < 16 ? [secret] : [secret.slice(0, middle), secret.slice(middle)]
  const masked = redact(text)
  expect(text).toContain(secret)
  expect(masked).toContain('[redacted: ')
  for (const piece of pieces) expect(masked).not.toContain(piece)
  expect(redact(masked), 'masking again changes nothing').toBe(masked)
}

describe.each([
  ['that give themselves away', SERVICE_TOKENS],
  ['given away by where they stand', PLACED_SECRETS],
])('secrets %s', (_, samples) => {
  it.each(Object.entries(samples))('%s', (_kind, sample) => {
    const secret = /⟦([^⟧]+)⟧/.exec(sample)![1]!
    expectMasked(sample.replace(/[⟦⟧]/g, ''), secret)
  })
})

describe('a secret that something was put into', () => {
  const tokens: Record<string, string> = {
    github: `ghp_${mixed(36)}`,
    anthropic: `sk-ant-api03-${url(93)}AA`,
    'JSON web token': `eyJhbGciOiJIUzI1NiJ9.eyJ${url(60)}.${url(43)}`,
  }
  const breaks: Record<string, string> = {
    'a colour code': '\x1b[1;31m',
    'a code to the 256th colour': '\x1b[38;5;214m',
    'a zero-width space': '\u200b',
    'a zero-width joiner': '\u200d',
    'a word joiner': '\u2060',
    'a soft hyphen': '\u00ad',
    'a byte order mark': '\ufeff',
    'a link of the terminal': '\x1b]8;;https://a.io\x07',
    'a cursor move': '\x1b[2K\x1b[1G',
    'the end of a line': '\n',
    'the end of a line, and an indent': '\n    ',
    'an escaped end of a line': '\\\n',
    quotes: `' + '`,
    'double quotes': '" +\n    "',
    'empty quotes': '""',
  }
  const cases = Object.entries(tokens).flatMap(([kind, token]) =>
    Object.entries(breaks).flatMap(([name, put]) =>
      [9, token.length >> 1].map((at) => ({
        kind,
        name,
        at,
        first: token.slice(0, at),
        put,
        rest: token.slice(at),
      })),
    ),
  )
  it.each(cases)('$kind: $name at $at', ({ first, put, rest }) => {
    // As long as a line that a terminal breaks.
    const before = 'the command printed the following and then stopped, as it had before: '.slice(0, 70)
    const masked = redact(`${before}${first}${put}${rest} and went on`)
    expect(masked).toMatch(/^the command .*\[redacted: [^\]]+\] and went on$/s)
    expect(masked).not.toContain(first)
    expect(masked).not.toContain(rest)
  })

  it('and lines that only follow one another stay', () => {
    const text = `GITHUB_TOKEN=ghp_${mixed(36)}\nS3_BUCKET=assets2\nnode18 is installed\n`
    expect(redact(text)).toBe(
      'GITHUB_TOKEN=[redacted: github token]\nS3_BUCKET=assets2\nnode18 is installed\n',
    )
  })
})

describe('data', () => {
  it('is masked by the names of its fields as a text is', () => {
    const password = `${lower(6)}${digits(1)}`
    const input = {
      user: 'bob',
      password,
      apiKeys: { api_key: hex(32) },
      note: 'see the password',
      tokens: '1200',
    }
    expect(redactValue(input)).toEqual({
      user: 'bob',
      password: '[redacted: password]',
      apiKeys: { api_key: '[redacted: key]' },
      note: 'see the password',
      tokens: '1200',
    })
  })
})

describe('what only looks like a secret', () => {
  it.each(HONEST_LINES)('%s', (line) => {
    expect(redact(line)).toBe(line)
  })
})
