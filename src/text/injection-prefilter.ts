import { fold } from './fold.ts'
import { ENGLISH, OTHER_LANGUAGES, PHRASES } from './injection-vocabulary.ts'

/**
 * Whether a text may hold an injected instruction at all: a quick look that lets most texts pass without taking them apart.
 * It never misses what `findInjections` finds: white space and punctuation are dropped, as if every word were split.
 */
export function mayInstruct(text: string): boolean {
  if (NOT_ASCII.test(text) && FOREIGN_LETTER.test(text)) return true
  return isSuspect(bare(text, LETTERS)) || (SYMBOL.test(text) && isSuspect(bare(text, LETTERS_AND_SYMBOLS)))
}

const NOT_ASCII = /[^\x00-\x7f]/
/** Letters, digits and pictures that may stand for a letter; not the dashes, quotes and arrows of good typography. */
const FOREIGN_LETTER = /[^\P{L}\x00-\x7f]|[^\P{N}\x00-\x7f]|\p{M}|\p{So}|\p{Regional_Indicator}/u
/** Inside a word they stand for letters, at its end for themselves. */
const SYMBOL = /[A-Za-z0-9][@$!|]+[A-Za-z0-9]/

/** What each character of ASCII looks like, by its code; 0 for what parts words. */
function looksOf(isLetter: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return isLetter.test(character) ? fold(character).charCodeAt(0) : 0
  })
}
const LETTERS = looksOf(/[A-Za-z0-9]/)
const LETTERS_AND_SYMBOLS = looksOf(/[A-Za-z0-9@$!|]/)

/** As `fold`, for a whole text, without what parts its words. */
function bare(text: string, looks: Uint8Array): string {
  const letters = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const letter = looks[text.charCodeAt(at)]
    if (letter) letters[length++] = letter
  }
  return letters.toString('latin1', 0, length)
}

/** Whole phrases are tried only where one of their first words stands. */
function isSuspect(letters: string): boolean {
  BEGINNING.lastIndex = 0
  for (let first = BEGINNING.exec(letters); first !== null; first = BEGINNING.exec(letters)) {
    SUSPECT.lastIndex = first.index
    if (SUSPECT.test(letters)) return true
    BEGINNING.lastIndex = first.index + 1
  }
  return false
}

const any = (words: Iterable<string>) => `(?:${[...new Set(words)].join('|')})`

/** A phrase without its spaces. */
const phrases = PHRASES.map((phrase) =>
  phrase
    .map(({ words, repeat }) => any(words) + (repeat === '1' ? '' : repeat === '?' ? '?' : '{0,4}'))
    .join(''),
)

const { dismiss, replace, comply, earlier, ownership, instruction, rule, filler } = ENGLISH
const objects = [...instruction, ...rule]
const override = `${any([...dismiss, ...replace, ...comply])}${any([...filler, ...earlier, ...ownership, ...objects])}{0,9}${any([...earlier, ...objects])}`

/** Of other languages what they call an instruction: in any order with the rest. */
const foreign = any(OTHER_LANGUAGES.flatMap((kinds) => [...kinds[1]!]))

const SUSPECT = new RegExp([override, ...phrases, foreign].join('|'), 'y')
const BEGINNING = new RegExp(
  [...dismiss, ...replace, ...comply, ...PHRASES.flatMap((phrase) => [...phrase[0]!.words])].join('|') +
    `|${foreign.slice(3, -1)}`,
  'g',
)
