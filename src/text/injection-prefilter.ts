import { lazy } from '../deferred.ts'
import { fold } from './fold.ts'
import { ENGLISH, OTHER_LANGUAGES, PHRASES } from './injection-vocabulary.ts'

/**
 * Whether a text may hold an injected instruction at all: a quick look that lets most texts pass without taking them apart.
 * It never misses what `findInjections` finds: white space and punctuation are dropped, as if every word were split.
 */
export function mayInstruct(text: string): boolean {
  if (holdsForeignLetter(text)) return true
  return isSuspect(text, LETTERS) || (SYMBOL.test(text) && isSuspect(text, LETTERS_AND_SYMBOLS))
}

const NOT_ASCII = /[^\x00-\x7f]+/g
/** Letters, digits and pictures that may stand for a letter; not the dashes, quotes and arrows of good typography. */
const FOREIGN_LETTER = /\p{L}|\p{N}|\p{M}|\p{So}|\p{Regional_Indicator}/u
/** Inside a word they stand for letters, at its end for themselves. */
const SYMBOL = /[A-Za-z0-9][@$!|]+[A-Za-z0-9]/

function holdsForeignLetter(text: string): boolean {
  return text.match(NOT_ASCII)?.some((run) => FOREIGN_LETTER.test(run)) ?? false
}

/** What each character of ASCII looks like, by its code; 0 for what parts words. */
function looksOf(isLetter: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return isLetter.test(character) ? fold(character).charCodeAt(0) : 0
  })
}
const LETTERS = lazy(() => looksOf(/[A-Za-z0-9]/))
const LETTERS_AND_SYMBOLS = lazy(() => looksOf(/[A-Za-z0-9@$!|]/))

/** Whole phrases are tried only where the first letters of one stand. */
function isSuspect(text: string, looks: () => Uint8Array): boolean {
  const { letters, length, begins } = bare(text, looks())
  if (begins.length === 0) return false
  const whole = letters.toString('latin1', 0, length)
  const suspect = SUSPECT()
  return begins.some((at) => {
    suspect.lastIndex = at
    return suspect.test(whole)
  })
}

/** The text as `fold` would have it, without what parts its words, and where in that a phrase may begin. */
function bare(text: string, looks: Uint8Array): { letters: Buffer; length: number; begins: number[] } {
  const beginnings = BEGINNINGS()
  const letters = Buffer.allocUnsafe(text.length)
  const begins: number[] = []
  let length = 0
  let key = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const letter = code < 128 ? looks[code]! : 0
    if (letter === 0) continue
    letters[length++] = letter
    key = nextKey(key, letter)
    if (beginnings[placeOf(key)] === 1 && length >= FIRST_LETTERS) begins.push(length - FIRST_LETTERS)
  }
  return { letters, length, begins }
}

type Slot = (typeof PHRASES)[number][number]

const any = (words: Iterable<string>) => `(?:${[...new Set(words)].join('|')})`

/** Of other languages what they call an instruction: in any order with the rest. */
const foreign = lazy(() => OTHER_LANGUAGES.flatMap((kinds) => [...kinds[1]!]))

/** Verbs, what may stand after them, and what must. */
const override = lazy(() => {
  const { dismiss, replace, comply, earlier, ownership, instruction, rule, filler } = ENGLISH
  const objects = [...instruction, ...rule]
  return {
    verbs: [...dismiss, ...replace, ...comply],
    between: [...filler, ...earlier, ...ownership, ...objects],
    last: [...earlier, ...objects],
  }
})

const SUSPECT = lazy(() => {
  const { verbs, between, last } = override()
  // A phrase without its spaces.
  const phrases = PHRASES.map((phrase) =>
    phrase
      .map(({ words, repeat }) => any(words) + (repeat === '1' ? '' : repeat === '?' ? '?' : '{0,4}'))
      .join(''),
  )
  return new RegExp(
    `${any(verbs)}${any(between)}{0,9}${any(last)}|${phrases.join('|')}|${any(foreign())}`,
    'y',
  )
})

/** No phrase has fewer letters. */
const FIRST_LETTERS = 5
const BITS = 5
const ALL = (1 << (FIRST_LETTERS * BITS)) - 1

/** Five letters in one number. */
function nextKey(key: number, letter: number): number {
  return ((key << BITS) | (letter & ((1 << BITS) - 1))) & ALL
}

/** Many numbers share a place: then a phrase is tried in vain. */
function placeOf(key: number): number {
  return Math.imul(key, 0x9e3779b1) >>> 16
}

const BEGINNINGS = lazy(() => {
  const { verbs, between, last } = override()
  const verb: Slot = { words: new Set(verbs), repeat: '1' }
  const after: Slot = { words: new Set([...between, ...last]), repeat: '1' }
  const word: Slot = { words: new Set(foreign()), repeat: '1' }
  const places = new Uint8Array(1 << 16)
  for (const begun of [[verb, after], [word], ...PHRASES].flatMap((slots) => beginnings(slots))) {
    let key = 0
    for (let at = 0; at < FIRST_LETTERS; at++) key = nextKey(key, begun.charCodeAt(at))
    places[placeOf(key)] = 1
  }
  return places
})

/** Everything that words of these slots in a row can begin with. */
function beginnings(slots: readonly Slot[], begun = ''): string[] {
  const [slot, ...rest] = slots
  if (begun.length >= FIRST_LETTERS || slot === undefined) return [begun]
  const next = slot.repeat === '*' ? slots : rest
  const taken = [...slot.words].flatMap((word) => beginnings(next, begun + word))
  return slot.repeat === '1' ? taken : [...taken, ...beginnings(rest, begun)]
}
