import { lazy } from '../deferred.ts'
import { stem } from './stem.ts'

/** What a text is found by. Documents and questions are taken apart alike, whatever index keeps them. */
export interface SearchTerms {
  /** Words, stemmed, with repetitions; of an identifier its parts: `LoginForm` gives `login` and `form`. */
  words: string[]
  /** Identifiers in one piece: `LoginForm`, `login_form`, `login-form` and `login.form` all give `loginform`. */
  joined: string[]
}

/** English words that say how a sentence is built, not what it is about. Words that also name things are not here. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about am an and any are arent as at be been but by can could did didnt do does doesnt doing done dont for from
  had has have how i if im in into is isnt it its ive me my of on or our should so some than that the their them then
  there these they this those to too was wasnt we were werent what when where which while who whom why will with would
  you your`.split(/\s+/),
)

/** Letters, marks, digits and `_`, also with single dots, hyphens and apostrophes inside. */
export const TOKEN = lazy(() => /[\p{L}\p{M}\p{N}_]+(?:[.\-'’][\p{L}\p{M}\p{N}_]+)*/gu)
/** The same where there is nothing but ASCII, as in most texts of most programmers: no other is made for those. */
const ASCII_TOKEN = /[A-Za-z0-9_]+(?:[.\-'][A-Za-z0-9_]+)*/g
const NOT_ASCII = /[^\0-\x7f]/
const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /^[a-z]+$/
const VERSION = /^v?\d+(?:\.\d+)+$/
const NAME_WITH_NUMBER = /^([a-z]{3,})\d+$/
/** Scripts that are written without spaces between words. */
export const UNSPACED_SCRIPTS = lazy(
  () =>
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu,
)
/** Where `loginForm`, `base64Encoder` and `HTMLParser` are cut; the plural s of `URLs` is no word. */
export const HUMP = lazy(
  () => /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{L}))/gu,
)
const ASCII_HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![A-Za-z]))/g
/** Longer ones are data (hashes, base64), which nobody types in full. */
const LONGEST_TERM = 64

export function searchTerms(text: string): SearchTerms {
  const terms: SearchTerms = { words: [], joined: [] }
  for (const token of tokensOf(text)) addTerms(token, terms)
  return terms
}

/** What a text is made of, each to be taken apart by itself. */
export function tokensOf(text: string): readonly string[] {
  return (NOT_ASCII.test(text) ? text.normalize('NFKC').match(TOKEN()) : text.match(ASCII_TOKEN)) ?? []
}

export function addTerms(token: string, terms: SearchTerms): void {
  if (ASCII_WORD.test(token)) addWord(token, terms)
  else addToken(token.replace(/['’]s$/, '').replace(/['’]/g, ''), terms)
}

function addToken(token: string, terms: SearchTerms): void {
  const unspaced = ASCII.test(token) ? null : token.match(UNSPACED_SCRIPTS())
  if (unspaced) {
    for (const run of unspaced) addPairs(run, terms)
    for (const rest of token.split(UNSPACED_SCRIPTS())) if (rest !== '') addToken(rest, terms)
  } else if (VERSION.test(token)) addVersion(token, terms)
  else addIdentifier(token, terms)
}

/** "22.13.0" is also found by "22" and "22.13". */
function addVersion(token: string, terms: SearchTerms): void {
  const numbers = token.replace(/^v/, '').split('.')
  for (let length = 1; length <= Math.min(numbers.length, 4); length++) {
    terms.words.push(numbers.slice(0, length).join('.'))
  }
}

function addIdentifier(token: string, terms: SearchTerms): void {
  const names = token.split('.')
  const all: string[] = []
  for (const name of names) {
    const parts = fold(name.replace(ASCII.test(name) ? ASCII_HUMP : HUMP(), '_'))
      .split(/[_-]+/)
      .filter(Boolean)
    for (const part of parts) if (parts.length === 1 || part.length > 1) addWord(part, terms)
    if (parts.length > 1) addTerm(parts.join(''), terms.joined)
    all.push(...parts)
  }
  if (names.length > 1) addTerm(all.join(''), terms.joined)
}

function addWord(word: string, terms: SearchTerms): void {
  if (!FUNCTION_WORDS.has(word)) addTerm(word, terms.words)
}

/** A text is taken apart several times, and texts repeat their words. */
const MOST_STEMS = 10_000
const stems = new Map<string, string>()

function stemOf(word: string): string {
  const met = stems.get(word)
  if (met !== undefined) return met
  const made = stem(word)
  if (stems.size >= MOST_STEMS) stems.clear()
  stems.set(word, made)
  return made
}

/** "python3" is also found by "python". */
function addTerm(term: string, terms: string[]): void {
  const clipped = term.length > LONGEST_TERM ? term.slice(0, LONGEST_TERM) : term
  terms.push(ASCII_WORD.test(clipped) ? stemOf(clipped) : clipped)
  const name = NAME_WITH_NUMBER.exec(clipped)?.[1]
  if (name !== undefined) terms.push(stemOf(name))
}

/** Neighbouring characters, two and two: without a dictionary that is how these scripts are searched. */
function addPairs(run: string, terms: SearchTerms): void {
  const characters = [...run]
  if (characters.length === 1) terms.words.push(run)
  for (let at = 0; at + 1 < characters.length; at++) terms.words.push(characters[at]! + characters[at + 1]!)
}

/** Lower case, and Latin letters without their accents: people type "cafe". */
function fold(text: string): string {
  const lower = text.toLowerCase()
  return ASCII.test(lower)
    ? lower
    : lower
        .normalize('NFD')
        .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
        .normalize('NFC')
}
