import {
  AUXILIARIES,
  DENIALS,
  DETERMINERS,
  EXTENT,
  FOREIGN_DENIALS,
  LEFT_UNDONE,
  MOSTLY_DENIALS,
  NO_DENIALS,
  PHRASE_DENIALS,
  PREFERENCE,
  UNIVERSAL,
} from './grammar.ts'

/** Words that deny something, or that only look as if they did. */
export interface Denial {
  /** How many words say so. */
  tokens: number
  /** The whole part of the statement, also what comes before; or what follows, up to the end of its phrase. */
  denies: 'clause' | 'phrase' | 'nothing'
  /** Exceptions stay open: "rarely", "not all". */
  mostly?: boolean
  /** There is more to it: "not just a hint". */
  more?: boolean
}

const clause = (tokens: number): Denial => ({ tokens, denies: 'clause' })
const phrase = (tokens: number): Denial => ({ tokens, denies: 'phrase' })
const mostly = (tokens: number): Denial => ({ ...clause(tokens), mostly: true })

/** With these, it depends on the words around them. */
const TELLING = new Set(
  'not no nothing none without far few other everything everyone everybody anyone anybody apart aside yet about used all anything by in at on instead rather opposed over stop stops stopped quit to'.split(
    ' ',
  ),
)

/** What is denied by the word at this place, if it denies anything. `begins`: nothing was named before it in its part. */
export function denialAt(words: readonly string[], at: number, begins: boolean): Denial | undefined {
  const word = words[at]!
  if (TELLING.has(word)) {
    const found = inContext(words, at)
    if (found) return found
  }
  if (LEFT_UNDONE.test(word)) return words[at + 1] === 'to' && words[at + 2] ? clause(2) : undefined
  if (MOSTLY_DENIALS.has(word)) return mostly(1)
  if (PHRASE_DENIALS.has(word)) return phrase(1)
  // "Set it to avoid the crash" denies the crash alone.
  if (DENIALS.has(word) && words[at - 1] === 'to') return phrase(1)
  if (DENIALS.has(word) || FOREIGN_DENIALS.has(word)) return clause(1)
  // "Use A, not B" denies B; "do not use A" denies all of it.
  if (word === 'not') return AUXILIARIES.has(words[at - 1] ?? '') || begins ? clause(1) : phrase(1)
  return undefined
}

function inContext(words: readonly string[], at: number): Denial | undefined {
  const word = words[at]!
  const [before = '', next = '', third = ''] = [words[at - 1], words[at + 1], words[at + 2]]
  if (NO_DENIALS.has(`${word} ${next}`)) return { tokens: 2, denies: 'nothing' }
  switch (word) {
    case 'not':
      if (EXTENT.test(next)) return { tokens: 2, denies: 'nothing', more: true }
      if (next === 'necessarily') return mostly(2)
      return UNIVERSAL.test(next) ? mostly(1) : undefined
    case 'no':
      if (next === 'longer') return clause(2)
      return /^(?:with|of|in)$/.test(before) ? phrase(1) : undefined
    case 'by':
    case 'in':
    case 'at':
    case 'on':
      return next === 'no' && /^(?:means|way|time|account)$/.test(third) ? clause(3) : undefined
    case 'far':
      // "is far from finished", and not "is far from the door".
      return next === 'from' && AUXILIARIES.has(before) && !DETERMINERS.has(third) ? clause(2) : undefined
    case 'few':
      return /^(?:a|the|these|those|very)$/.test(before) ? undefined : mostly(1)
    case 'yet':
      return next === 'to' ? clause(2) : undefined
    case 'about':
      // "is about to be released", and not "a page about to-do lists".
      return next === 'to' && AUXILIARIES.has(before) ? clause(2) : undefined
    case 'used':
      // What used to be is no longer; "a knife is used to cut".
      return next === 'to' && third !== '' && !AUXILIARIES.has(before) && !DETERMINERS.has(third)
        ? clause(2)
        : undefined
    case 'all':
      return next === 'but' ? phrase(2) : undefined
    case 'everything':
    case 'everyone':
    case 'everybody':
    case 'anyone':
    case 'anybody':
      return next === 'but' ? phrase(2) : undefined
    case 'other':
      return next === 'than' ? phrase(2) : undefined
    case 'apart':
    case 'aside':
      return next === 'from' ? phrase(2) : undefined
    case 'anything':
      return next === 'but' ? clause(2) : undefined
    case 'instead':
      return next === 'of' ? phrase(2) : undefined
    case 'rather':
      return next === 'than' ? phrase(2) : undefined
    case 'opposed':
      return next === 'to' ? phrase(2) : undefined
    case 'over':
      return words.slice(0, at).some((each) => PREFERENCE.test(each)) ? phrase(1) : undefined
    case 'to':
      return isPreferredTo(words, at) ? phrase(1) : undefined
    case 'stop':
    case 'stops':
    case 'stopped':
    case 'quit':
      return next.endsWith('ing') ? clause(1) : undefined
    default:
      return undefined
  }
}

/** "prefer A to B", "A is preferred to B", and not "prefer to use A". */
function isPreferredTo(words: readonly string[], at: number): boolean {
  if (words[at - 1] === 'preferred') return true
  const since = words.slice(0, at).findLastIndex((word) => /^prefers?$/.test(word))
  return since >= 0 && since < at - 1 && !words.slice(since, at).some((word) => word === 'over')
}
