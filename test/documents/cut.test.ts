import { expect, test } from 'vitest'
import { maskedLines } from '../../src/documents/clean.ts'
import { blocksOf, cutPieces } from '../../src/documents/cut/cut.ts'
import { decoded } from '../../src/documents/files/decode.ts'

const words = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, at) => `${word}${at % 7}`).join(' ')

async function cut(format: 'markdown' | 'text' | 'source', text: string) {
  const lines = text.split('\n').map((line, at) => ({ text: line, at: at + 1 }))
  const pieces = await cutPieces(blocksOf(format, lines))
  // What a piece says is what stands in its lines.
  const plain = (said: string) => said.replace(/^---$/gm, '').replace(/\s/g, '')
  for (const { text: said, first, last } of pieces) {
    const own = lines.slice(first - 1, last).map((line) => line.text)
    expect(plain(own.join('\n')).includes(plain(said))).toBe(true)
  }
  return pieces
}

test('cuts Markdown at its headings, and says under which a piece stands and in which lines', async () => {
  const text = [
    '---\ntitle: A guide\n---',
    `# Guide\n\n${words(150)}`,
    `## Install\n\n${words(150)}\n\n### On Linux\n\n${words(90, 'tux')}`,
    `## Use\n\n${words(170)}`,
  ].join('\n\n')
  const pieces = await cut('markdown', text)
  expect(pieces.map(({ headings }) => headings)).toEqual([
    ['Guide'],
    ['Guide', 'Install'],
    ['Guide', 'Install', 'On Linux'],
    ['Guide', 'Use'],
  ])
  const firsts = pieces.map(({ first }) => text.split('\n')[first - 1])
  expect(firsts).toEqual(['title: A guide', '## Install', '### On Linux', '## Use'])
})

test('keeps pieces within 512 tokens, whatever they are made of', async () => {
  const long = `${words(3_000)}. ${'Sentences end. '.repeat(400)}`
  const rows = Array.from({ length: 300 }, (_, at) => `| row ${at} | what it means and more |`)
  const table = ['| a | b |', '|---|---|', ...rows].join('\n')
  const letters = 'x'.repeat(20_000)
  const foreign = '試験'.repeat(5_000)
  for (const text of [long, table, letters, foreign, `# T\n\n${long}\n\n${table}`]) {
    const pieces = await cut('markdown', text)
    expect(pieces.length).toBeGreaterThan(1)
    for (const { tokens } of pieces) expect(tokens).toBeLessThanOrEqual(512)
    expect(
      pieces
        .map((piece) => piece.text)
        .join('')
        .replace(/\s/g, ''),
    ).toBe(text.replace(/\s/g, ''))
  }
})

test('puts short sections into one piece, and tears neither code nor tables that fit into one', async () => {
  const fence = ['```ts', ...Array.from({ length: 30 }, (_, at) => `const a${at} = ${at}\n`), '```'].join(
    '\n',
  )
  const short = Array.from({ length: 12 }, (_, at) => `## Part ${at}\n\n${words(20)}`).join('\n\n')
  const pieces = await cut(
    'markdown',
    `# All\n\n${short}\n\n## Code\n\n${words(120)}\n\n${fence}\n\n${words(200)}`,
  )
  expect(pieces.length).toBeLessThan(8)
  expect(pieces.filter(({ text }) => text.includes('```')).every(({ text }) => text.includes(fence))).toBe(
    true,
  )
  expect(pieces.every(({ text }) => !/(^|\n)#+ [^\n]*$/.test(text))).toBe(true)
})

test('cuts source code at its declarations, and names them', async () => {
  const body = Array.from({ length: 40 }, (_, at) => `  total += compute(${at})`).join('\n')
  const source = ['alpha', 'beta', 'gamma'].map(
    (name) => `/** About ${name}. */\nexport function ${name}() {\n${body}\n\n  return 1\n}`,
  )
  const pieces = await cut('source', source.join('\n\n'))
  expect(pieces.map(({ headings }) => headings)).toEqual([['alpha'], ['beta'], ['gamma']])
})

test('sees the titles of plain text by the lines below them', async () => {
  const text = `Restoring\n=========\n\n${words(200)}\n\nFrom a snapshot\n---------------\n\n${words(200)}`
  const pieces = await cut('text', text)
  expect(pieces.map(({ headings }) => headings)).toEqual([['Restoring'], ['Restoring', 'From a snapshot']])
})

test('keeps the numbers of lines where a secret went over several', () => {
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    ...Array(12).fill('MIIEpAIBAAKCAQEA75zVkq8xN2fGh3Jk'),
    '-----END RSA PRIVATE KEY-----',
  ]
  const { lines, secrets } = maskedLines(['before', '', ...key, '', 'after the key', 'last'])
  expect(secrets).toBe(1)
  expect(lines.find(({ text }) => text === 'after the key')?.from).toBe(2 + key.length + 1)
  expect(lines.map(({ text }) => text).join('\n')).not.toContain('MIIE')
})

test('reads text in whatever it is written, and nothing that is none', () => {
  const text = 'Grüße\r\naus Köln'
  const utf16 = Buffer.from(text, 'utf16le')
  const plain = 'Grüße\naus Köln'
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
    utf16,
    Buffer.from(text, 'latin1'),
  ])
    expect(decoded(bytes)).toBe(plain)
  expect(decoded(Buffer.from([1, 2, 3, 0, 4, 5, 200, 201]))).toBeUndefined()
  expect(decoded(Buffer.from(Array.from({ length: 500 }, (_, at) => 1 + ((at * 97) % 255))))).toBeUndefined()
})
