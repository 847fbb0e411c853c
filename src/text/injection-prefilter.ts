import { fold } from './fold.ts'
import { ENGLISH, OTHER_LANGUAGES, PHRASES } from './injection-vocabulary.ts'

/**
 * Whether a text may hold an injected instruction at all: a quick look that lets most texts pass without taking them apart.
 * It never misses what `findInjections` finds: white space and punctuation are dropped, as if every word were split.
 */
export function mayInstruct(text: string): boolean {
  if (NOT_ASCII.test(text) && FOREIGN_LETTER.test(text)) return true
  const bare = text.replace(SEPARATOR, '')
  if (SUSPECT.test(looks(bare.replace(SYMBOL, '')))) return true
  return SYMBOL.test(bare) && SUSPECT.test(looks(bare))
}

const NOT_ASCII = /[^\x00-\x7f]/
/** Letters, digits and pictures that may stand for a letter; not the dashes, quotes and arrows of good typography. */
const FOREIGN_LETTER = /[^\P{L}\x00-\x7f]|[^\P{N}\x00-\x7f]|\p{M}|\p{So}|\p{Regional_Indicator}/u
const SEPARATOR = /[^A-Za-z0-9@$!|]+/g
/** Inside a word they stand for letters, at its end for themselves. */
const SYMBOL = /[@$!|]/g

/** As `fold`, for a whole text of ASCII. */
function looks(text: string): string {
  return text.toLowerCase().replace(/[0134578@$!|l]/g, fold)
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

const SUSPECT = new RegExp([override, ...phrases, foreign].join('|'))
