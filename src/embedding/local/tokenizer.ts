import { loadVocabulary, unreadable, type Vocabulary, type VocabularyOptions } from './vocabulary.ts'

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

export interface WordPieces {
  tokenize(text: string): number[]
  /** Tokens that say nothing by themselves: the model's own, and punctuation. */
  marks: ReadonlySet<number>
}

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~«»–—‘’“”…'

/**
 * BERT's uncased WordPiece tokenizer: token numbers of a text between the model's start and end marks, at most
 * `maxTokens` in all. The general library for tokenizers takes four times as long to load as this whole file, on
 * every cold search; a test holds the two equal.
 */
export async function loadWordPieceTokenizer(
  options: VocabularyOptions,
  maxTokens: number,
): Promise<WordPieces> {
  const vocabulary = await loadVocabulary(options)
  const [start, end, unknown] = [vocabulary(START), vocabulary(END), vocabulary(UNKNOWN)]
  if (start === undefined || end === undefined || unknown === undefined) {
    throw unreadable(options.path, new Error(`${START}, ${END} or ${UNKNOWN} is missing`))
  }
  const marks = new Set([start, end, unknown])
  for (const character of PUNCTUATION) {
    const mark = vocabulary(character)
    if (mark !== undefined) marks.add(mark)
  }
  return {
    marks,
    tokenize(text) {
      const tokens = [start]
      for (const word of words(text)) {
        tokens.push(...(pieces(word, vocabulary) ?? [unknown]))
        if (tokens.length >= maxTokens) break
      }
      return [...tokens.slice(0, maxTokens - 1), end]
    },
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

/** The longest known beginning, then the longest known continuation, and so on; undefined if that fails. */
function pieces(word: string, vocabulary: Vocabulary): number[] | undefined {
  const whole = vocabulary(word)
  if (whole !== undefined) return [whole]
  const characters = [...word]
  if (characters.length > LONGEST_WORD) return undefined
  const found: number[] = []
  let from = 0
  let to = characters.length
  while (from < characters.length) {
    if (to === from) return undefined
    const piece = vocabulary((from === 0 ? '' : '##') + characters.slice(from, to).join(''))
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
