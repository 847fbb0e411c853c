import { lazy } from '../../deferred.ts'
import { stem } from '../../text/stem.ts'
import { searchTerms, UNSPACED_SCRIPTS } from '../../text/words.ts'
import { COMMON_WORDS, WEAK_WORDS } from './common-words.ts'
import type { Talk } from './talk.ts'

/** The title says what it is about; what comes up in the middle often is something else. */
const TITLE_WEIGHT = 3
/** Of what the person said: how it began. */
const MOST_MESSAGES = 8
const MOST_CHARACTERS = 500

/** What stands in a message without being words of it: code, addresses, paths, ids, masks, marks of programs. `sign`: without it there is none. */
const NOISE = lazy((): readonly { sign: string; pattern: RegExp }[] => [
  { sign: '```', pattern: /```[\s\S]*?(?:```|$)/g },
  { sign: '</', pattern: /<([a-z][\w-]{0,40})\b[^<>]{0,200}>[^<]{0,500}<\/\1>/gi },
  { sign: '<', pattern: /<\/?[a-z][^<>]{0,200}>/gi },
  {
    sign: '[',
    pattern: /\[(?:redacted|image|request interrupted|pasted|truncated|\.{3}|…)[^\]]{0,80}(?:\]|$)/gi,
  },
  { sign: '://', pattern: /\b[a-z][a-z+.-]{1,20}:\/\/\S+/gi },
  { sign: 'www.', pattern: /\bwww\.\S+/gi },
  { sign: '@', pattern: /(?<!\S)\S{1,64}@\S{1,100}/g },
  { sign: '\\', pattern: /(?<![\w.@~-])(?:[A-Za-z]:)?[\w.@~-]*\\[\w.@~\\-]*/g },
  // "and/or" loses nothing that is missed.
  { sign: '/', pattern: /(?<![\w.@~-])[\w.@~-]*\/[\w.@~/-]*/g },
  { sign: '--', pattern: /(?<!\w)--[a-z][\w-]*/gi },
  { sign: '$', pattern: /\$\{?\w+\}?/g },
  // Ids and hashes.
  { sign: '', pattern: /\b(?=[a-f-]{0,40}\d)[0-9a-f]{7,}(?:-[0-9a-f]{4,})*\b/gi },
  // Whom one greets.
  { sign: '', pattern: /\b(?:hey|hi|hello|dear|thanks|hallo|hola|bonjour|ciao)[,!]? \p{Lu}\p{L}+/giu },
])

export function prose(text: string): string {
  return NOISE().reduce(
    (left, { sign, pattern }) => (left.includes(sign) ? left.replace(pattern, ' . ') : left),
    text,
  )
}

/** What of a conversation is looked at, each with whether it is the title. */
export function* proseOf({ title, said }: Talk): Generator<{ text: string; isTitle: boolean }> {
  yield { text: prose(title), isTitle: true }
  for (const message of said.slice(0, MOST_MESSAGES))
    yield { text: prose(message.slice(0, MOST_CHARACTERS)), isTitle: false }
}

/** What a conversation is compared by: stems of its telling words with how often each was said. */
export function termsOf(talk: Talk): Map<string, number> {
  const terms = new Map<string, number>()
  for (const { text, isTitle } of proseOf(talk)) {
    for (const term of searchTerms(text).words) {
      if (!isTelling(term)) continue
      const weight = (isTitle ? TITLE_WEIGHT : 1) * (WEAK_STEMS().has(term) ? WEAK : 1)
      terms.set(term, (terms.get(term) ?? 0) + weight)
    }
  }
  return terms
}

/** Common ones are known as they are spelled; stems of them are not telling either. */
const COMMON_STEMS = lazy(() => withStems(COMMON_WORDS))
const WEAK_STEMS = lazy(() => withStems(WEAK_WORDS))
const WEAK = 0.4

function withStems(words: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].flatMap((word) => [word, /^[a-z]+$/.test(word) ? stem(word) : word]))
}

function isTelling(term: string): boolean {
  return term.length > 1 && !/^[\d.]+$/.test(term) && !COMMON_STEMS().has(term)
}

/** A word or two of somebody, to name something by. */
export interface Phrase {
  /** The same for "Migration" and "migrations". */
  key: string
  /** The stems in it. */
  stems: readonly string[]
  /** As it was written. */
  written: string
  /** Says nothing alone. */
  isWeak: boolean
}

const WORD = lazy(() => /[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*(?:[.\-'’][\p{L}\p{M}\p{N}_]+)*/gu)
const LONGEST_WORD = 30

/** Telling words and pairs of neighbours in prose, each time they are said. */
export function phrasesOf(text: string): Phrase[] {
  const phrases: Phrase[] = []
  for (const clause of text.split(/[.!?,;:()[\]{}"“”`\n|]+(?=\s|$)|\s[-–—]\s|\n/u)) {
    let before: Phrase | undefined
    for (const written of wordsIn(clause)) {
      const word = toPhrase(written)
      if (word) phrases.push(word)
      if (word && before && word.key !== before.key) phrases.push(pairOf(before, word))
      before = word
    }
  }
  return phrases
}

function pairOf(first: Phrase, second: Phrase): Phrase {
  return {
    key: `${first.key} ${second.key}`,
    stems: [...first.stems, ...second.stems],
    written: `${first.written} ${second.written}`,
    isWeak: first.isWeak && second.isWeak,
  }
}

function toPhrase(written: string): Phrase | undefined {
  const lower = written.toLowerCase().replace(/['’]s$/, '')
  const plain = lower.replace(/['’]/g, '')
  if (plain.length < 2 || written.length > LONGEST_WORD || COMMON_WORDS.has(plain)) return undefined
  // A number or a version says nothing alone, nor does what a machine has made.
  if (!/\p{L}{2}/u.test(plain) || /\d{3,}/.test(plain)) return undefined
  const key = /^[a-z]+$/.test(plain) ? stem(plain) : plain
  if (COMMON_STEMS().has(key)) return undefined
  return { key, stems: [key], written: written.replace(/['’]s$/, ''), isWeak: WEAK_STEMS().has(key) }
}

/** Of scripts without spaces, words as a dictionary cuts them. */
function wordsIn(clause: string): string[] {
  if (!isUnspaced(clause)) return clause.match(WORD()) ?? []
  return [...SEGMENTER().segment(clause)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
}
const SEGMENTER = lazy(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

function isUnspaced(text: string): boolean {
  return text.search(UNSPACED_SCRIPTS()) >= 0
}
