import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tokensAtMost } from '../../src/text/token-bound.ts'
import { loadTokenizer } from '../../src/text/tokens.ts'

const noise = (encoding: 'hex' | 'base64', length: number) => {
  let text = ''
  for (let i = 0; text.length < length; i++)
    text += createHash('sha512').update(`noise ${i}`).digest(encoding)
  return text.slice(0, length)
}
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const pieces = (text: string, length = 500) =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))

const TEXTS: Record<string, string> = {
  code: read('../../src/config.ts'),
  json: read('../../package.json'),
  'stack trace':
    'TypeError: Cannot read properties of undefined (reading "user")\n    at handler (/srv/app/src/routes/auth.ts:42:17)\n',
  prose: 'The server does not answer because the connection to the database was closed. '.repeat(8),
  German: 'Überprüfe die Größe der Datenbankverbindungen, bevor du die Einstellungen änderst. '.repeat(8),
  Russian: 'Сервер не отвечает на запросы, потому что соединение с базой данных закрыто. '.repeat(8),
  Chinese: '服务器没有响应，因为数据库连接已关闭。请检查设置并重试。'.repeat(8),
  Japanese: 'サーバーが応答しません。データベース接続が閉じられています。'.repeat(8),
  emoji: '✅ done 🎉🚀 👩‍💻 fix 🔥 '.repeat(20),
  base64: noise('base64', 1_000),
  hex: noise('hex', 1_000),
}

describe('tokensAtMost', () => {
  it.each(Object.entries(TEXTS))('is never below the true count: %s', async (_, text) => {
    const { count } = await loadTokenizer()
    for (const piece of pieces(text)) expect(tokensAtMost(piece)).toBeGreaterThanOrEqual(count(piece))
  })

  it('stays near the true count of English and code, where it matters', async () => {
    const { count } = await loadTokenizer()
    for (const text of [TEXTS['code']!, TEXTS['prose']!, TEXTS['json']!]) {
      expect(tokensAtMost(text) / count(text)).toBeLessThan(1.7)
    }
  })

  it('counts nothing for nothing', () => {
    expect(tokensAtMost('')).toBe(0)
  })
})
