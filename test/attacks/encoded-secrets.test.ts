import { describe, expect, it } from 'vitest'
import { redact } from '../../src/text/redact.ts'
import { HONEST_LINES } from '../support/honest-lines.ts'
import { tried } from './tried.ts'

/** Put together here, so that nobody takes this file for a leak. */
const TOKEN = ['ghp', 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4'].join('_')
const NAMED = `DB_PASSWORD=${['tr0ub', '4dor', 'Xk9'].join('')}\n`

const ENCODINGS: Record<string, (text: string) => string> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 without padding': (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  'base64 for addresses': (text) => Buffer.from(`x${text}?>`).toString('base64url'),
  'base64 in lines of 76': (text) =>
    Buffer.from(`# a comment\nA=1\n${text}\nB=2\n`.repeat(3)).toString('base64').replace(/.{76}/g, '$&\n'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'capital hex': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'an address': (text) => encodeURIComponent(text).replaceAll('_', '%5F'),
  'an address, all of it': (text) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''),
}

describe.each(Object.entries(ENCODINGS))('a secret in %s', (_, encode) => {
  it.each([TOKEN, `export GITHUB_TOKEN=${TOKEN}\n`, NAMED])('%#', (secret) => {
    for (const line of [
      encode(secret),
      `echo ${encode(secret)} | base64 -d`,
      `{"data":"${encode(secret)}"}`,
    ]) {
      const masked = redact(line)
      expect(masked).toContain('[redacted: ')
      tried(1)
      for (const part of encode(secret).match(/[A-Za-z0-9%]{40}/g) ?? []) {
        const [decoded64, hex] = [
          Buffer.from(part, 'base64').toString('latin1'),
          Buffer.from(part, 'hex').toString('latin1'),
        ]
        if (/aB3dE5|tr0ub/.test(decoded64 + hex + decodeURIComponent(part.replace(/%[^%]?$/, ''))))
          expect(masked).not.toContain(part)
      }
    }
  })
})

const codes = (text: string, one: (code: number) => string) =>
  [...text].map((c) => one(c.charCodeAt(0))).join('')
const inHex = (code: number) => code.toString(16)
const SPELLINGS: Record<string, (text: string) => string> = {
  JSON: (text) => codes(text, (code) => `\\u00${inHex(code)}`),
  'JSON in JSON': (text) => codes(text, (code) => `\\\\u00${inHex(code)}`),
  'code points': (text) => codes(text, (code) => `\\u{${inHex(code)}}`),
  programs: (text) => codes(text, (code) => `\\x${inHex(code).toUpperCase()}`),
  shells: (text) => codes(text, (code) => `\\${code.toString(8).padStart(3, '0')}`),
  pages: (text) => codes(text, (code) => `&#${code};`),
  'pages, in hex': (text) => codes(text, (code) => `&#x${inHex(code)};`),
  'wide letters': (text) => codes(text, (code) => String.fromCharCode(code + 0xfee0)),
}

describe.each(Object.entries(SPELLINGS))('a secret in the letters of %s', (_, spell) => {
  const [name, value] = NAMED.trim().split('=') as [string, string]
  it.each<[string, string, string]>([
    ['all of it', spell(TOKEN), spell(TOKEN.slice(8))],
    ['its first letter', spell(TOKEN[0]!) + TOKEN.slice(1), TOKEN.slice(8)],
    ['a letter within', TOKEN.slice(0, 9) + spell(TOKEN[9]!) + TOKEN.slice(10), TOKEN.slice(10)],
    ['a line of a program', `const key = "${spell(TOKEN)}" // 密码：ok`, spell(TOKEN.slice(8))],
    ['its name', `${spell(name)}=${value}`, value],
    ['its value', `${name}=${spell(value)}`, spell(value)],
    ['all with its name', spell(`${name}=${value}`), spell(value)],
  ])('%s', (_, line, secret) => {
    const masked = redact(`before\n${line}\nafter`)
    expect(masked).toMatch(/^before\n.*\[redacted: .*\nafter$/)
    expect(masked).not.toContain(secret)
    expect(redact(masked)).toBe(masked)
  })
})

describe('what was only encoded stays', () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  it.each([
    encoded('The quick brown fox jumps over the lazy dog'),
    encoded('{"name":"shop","version":"1.0.0","private":true}'),
    Buffer.from('the middleware returns early on errors').toString('hex'),
    'https://example.com/search?q=hello%20world%20and%20the%20rest&page=2',
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    '/usr/lib/node_modules/some-package/dist/components/Button/index.production.js',
    'const BOLD = "\\u001b[1m", SPACE = "\\u0020", AMP = "\\u0026", GREEN = "\\x1b[32m", ESC = "\\033[0m"',
    '{"html":"\\u003ca href=\\u0022/login\\u0022\\u003eLog in\\u003c/a\\u003e","count":12}',
    'It&#39;s &#x27;fine&#x27; &#169; &#8212; said the page',
    '全角ＡＢＣ１２３の文字：これは普通の文です。',
    'C:\\users\\x64\\u0041pp\\123\\bin',
    ...HONEST_LINES,
  ])('%s', (line) => expect(redact(line)).toBe(line))
})
