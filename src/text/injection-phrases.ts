import { fold } from './fold.ts'
import { mayInstruct } from './injection-prefilter.ts'
import { ENGLISH, OTHER_LANGUAGES, PHRASES, UNSPACED, VOCABULARY } from './injection-vocabulary.ts'

export interface Span {
  start: number
  end: number
}

interface Word extends Span {
  /** Folded. */
  text: string
  /** A sentence ends here: no phrase goes on beyond. */
  last: boolean
}

type Phrase = (typeof PHRASES)[number]
type Language = (typeof OTHER_LANGUAGES)[number]

/** What may begin with a word: most words begin nothing and are passed over at once. */
const BEGINNINGS = new Map<string, { phrases: Phrase[]; languages: Language[] }>()
function begin(word: string) {
  const known = BEGINNINGS.get(word) ?? { phrases: [], languages: [] }
  BEGINNINGS.set(word, known)
  return known
}
for (const verbs of [ENGLISH.dismiss, ENGLISH.replace, ENGLISH.comply]) for (const word of verbs) begin(word)
for (const phrase of PHRASES) for (const word of phrase[0]!.words) begin(word).phrases.push(phrase)
for (const kinds of OTHER_LANGUAGES) {
  for (const kind of kinds) for (const word of kind) begin(word).languages.push(kinds)
}

/** Phrases look at most this many words ahead, so the work is linear in the text. */
const REACH = 10

/** Where the text tries to instruct whoever reads it, in order, without overlaps. */
export function findInjections(text: string): Span[] {
  return mayInstruct(text) ? lookedThrough(text) : []
}

function lookedThrough(text: string): Span[] {
  const words = wordsOf(text)
  const spans: Span[] = UNSPACED.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
  )
  for (let index = 0; index < words.length; index++) {
    const beginning = BEGINNINGS.get(words[index]!.text)
    if (!beginning) continue
    const length = Math.max(
      overrideAt(words, index),
      ...beginning.phrases.map((phrase) => phraseAt(words, index, phrase)),
      ...beginning.languages.map((kinds) => foreignAt(words, index, kinds)),
    )
    if (length === 0) continue
    spans.push({ start: words[index]!.start, end: words[index + length - 1]!.end })
    index += length - 1
  }
  return withoutOverlaps(spans)
}

/** "Ignore all previous instructions" and its many cousins: how many words it takes, 0 if it is not here. */
function overrideAt(words: readonly Word[], index: number): number {
  const verb = words[index]!
  const dismiss = ENGLISH.dismiss.has(verb.text) || refusesToComply(words, index)
  if ((!dismiss && !ENGLISH.replace.has(verb.text)) || verb.last) return 0
  let qualified = false
  let target = false
  let length = 0
  for (let next = index + 1; next < words.length && next <= index + REACH; next++) {
    const word = words[next]!
    const earlier = ENGLISH.earlier.has(word.text)
    const object = ENGLISH.instruction.has(word.text) || (dismiss && ENGLISH.rule.has(word.text))
    const owned = ENGLISH.ownership.has(word.text)
    qualified ||= earlier || (owned && dismiss)
    target ||= object
    if (qualified && target && (earlier || object)) length = next - index + 1
    if (word.last || !(earlier || owned || object || ENGLISH.filler.has(word.text))) break
  }
  return length
}

function refusesToComply(words: readonly Word[], index: number): boolean {
  return (
    ENGLISH.comply.has(words[index]!.text) &&
    words.slice(Math.max(0, index - 2), index).some((word) => ENGLISH.negation.has(word.text) && !word.last)
  )
}

function foreignAt(words: readonly Word[], index: number, kinds: Language): number {
  const missing = new Set(kinds)
  for (let next = index; next < words.length && next < index + REACH; next++) {
    const word = words[next]!
    const kind = kinds.find((each) => each.has(word.text))
    if (kind) missing.delete(kind)
    if (missing.size === 0) return next - index + 1
    if (word.last) break
  }
  return 0
}

function phraseAt(words: readonly Word[], index: number, phrase: Phrase): number {
  let next = index
  for (const { words: allowed, repeat } of phrase) {
    const most = repeat === '*' ? 4 : 1
    let taken = 0
    while (taken < most && allowed.has(words[next]?.text ?? '') && !(next > index && words[next - 1]!.last)) {
      taken++
      next++
    }
    if (repeat === '1' && taken === 0) return 0
  }
  return next - index
}

function withoutOverlaps(spans: Span[]): Span[] {
  const kept: Span[] = []
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span)
  }
  return kept
}

/** A language has few words and repeats them: whoever imports a thousand texts folds each once. */
const folded = new Map<string, string>()
const MOST_REMEMBERED = 20_000

function look(word: string): string {
  const known = folded.get(word)
  if (known !== undefined) return known
  if (folded.size >= MOST_REMEMBERED) folded.clear()
  const seen = fold(word)
  folded.set(word, seen)
  return seen
}

const CHUNK = /\S{1,200}/gu
const LETTERS =
  /[\p{L}\p{N}\p{M}\u24b6-\u24e9\u{1f130}-\u{1f189}\u{1f1e6}-\u{1f1ff}]+(?:[@$€!|]+[\p{L}\p{N}\p{M}]+)*/gu
const ENDS_SENTENCE = /[.!?;。！？]["'”’)\]]{0,3}$/u
/** Most chunks of most texts: not worth a closer look. */
const PLAIN_WORD = /^[A-Za-z]{2,40}$/
/** Most of the others: one word in quotes, brackets or before a comma. */
const QUOTED_WORD = /^(["'(`*[{-]{0,3})([A-Za-z]{2,40})["')`*\]},.;:?-]{0,4}$/

/** The words of a text as they look, also when they are split (`ig-nore`) or spaced out (`i g n o r e`). */
function wordsOf(text: string): Word[] {
  const words: Word[] = []
  const letters: Word[] = []
  const add = (word: Word) => {
    if (word.text.length === 1) return letters.push(word)
    if (letters.length > 0) for (const joined of joinLetters(letters.splice(0))) words.push(joined)
    return words.push(word)
  }
  for (const { 0: chunk, index } of text.matchAll(CHUNK)) {
    if (PLAIN_WORD.test(chunk))
      add({ text: look(chunk), start: index, end: index + chunk.length, last: false })
    else for (const word of wordsInChunk(chunk, index)) add(word)
  }
  for (const joined of joinLetters(letters)) words.push(joined)
  return words
}

function wordsInChunk(chunk: string, index: number): Word[] {
  const last = ENDS_SENTENCE.test(chunk)
  const quoted = QUOTED_WORD.exec(chunk)
  if (quoted) {
    const start = index + quoted[1]!.length
    return [{ text: look(quoted[2]!), start, end: start + quoted[2]!.length, last }]
  }
  const parts = [...chunk.matchAll(LETTERS)]
  const joined = parts.length > 1 ? look(parts.map(([part]) => part).join('')) : ''
  if (VOCABULARY.has(joined)) return [{ text: joined, start: index, end: index + chunk.length, last }]
  return parts.map((part, position) => ({
    text: look(part[0]),
    start: index + part.index,
    end: index + part.index + part[0].length,
    last: last && position === parts.length - 1,
  }))
}

const LONGEST_WORD = Math.max(...[...VOCABULARY].map((word) => word.length))

/** Single letters in a row are put together if the whole row is made of words we look for. */
function joinLetters(letters: Word[]): Word[] {
  if (letters.length < 4) return letters
  const row = letters.map((letter) => letter.text).join('')
  const joined: Word[] = []
  for (let at = 0; at < row.length; ) {
    let length = Math.min(LONGEST_WORD, row.length - at)
    while (length > 1 && !VOCABULARY.has(row.slice(at, at + length))) length--
    const end = letters[at + length - 1]!
    joined.push({ text: row.slice(at, at + length), start: letters[at]!.start, end: end.end, last: end.last })
    at += length
  }
  return joined
}
