import { lazy } from '../deferred.ts'
import { HUMP, searchTerms, TOKEN, UNSPACED_SCRIPTS } from './words.ts'

/** A stretch of a text, in UTF-16 units; `to` is not part of it. */
export interface Stretch {
  from: number
  to: number
  /** What of the question stands there, as the index knows it. */
  term: string
}

/** Where in a text the words of a question stand, in their order: both are taken apart as the index does. */
export function matchingWords(text: string, question: string): Stretch[] {
  const { words, joined } = searchTerms(question)
  const wanted = new Set([...words, ...joined])
  if (wanted.size === 0) return []
  return [...text.matchAll(TOKEN())].flatMap(({ 0: token, index }) =>
    token.match(UNSPACED_SCRIPTS()) ? pairsIn(token, index, wanted) : partsIn(token, index, wanted),
  )
}

/** The whole of an identifier when it is asked for as such, else its parts: of `LoginForm`, `Login`. */
function partsIn(token: string, start: number, wanted: ReadonlySet<string>): Stretch[] {
  const { words, joined } = searchTerms(token)
  const whole = joined.find((name) => wanted.has(name))
  const parts = token.split(PART())
  // A number, a version: not taken apart for people.
  if (whole !== undefined || parts.length === 1 || !/\p{L}/u.test(token)) {
    const term = whole ?? words.find((word) => wanted.has(word))
    return term === undefined ? [] : [{ from: start, to: start + token.length, term }]
  }
  let at = start
  return parts.flatMap((part) => {
    const from = at
    at += part.length
    const term = searchTerms(part).words.find((word) => wanted.has(word))
    return term === undefined ? [] : [{ from, to: at, term }]
  })
}

/** Between the parts of an identifier, and around what parts them, which is kept so that places can be counted. */
const PART = lazy(() => new RegExp(`${HUMP().source}|(?<=[._\\-])|(?=[._\\-])`, 'u'))

/** In scripts without spaces, two characters are what is searched for; neighbours become one stretch. */
function pairsIn(token: string, start: number, wanted: ReadonlySet<string>): Stretch[] {
  const found: Stretch[] = []
  const characters = [...token]
  let at = start
  for (const [index, character] of characters.entries()) {
    const pair = searchTerms(character + (characters[index + 1] ?? '')).words
    const term = pair.find((word) => wanted.has(word))
    const to = at + character.length + (characters[index + 1]?.length ?? 0)
    const last = found.at(-1)
    if (term !== undefined && last && last.to >= at) last.to = to
    else if (term !== undefined) found.push({ from: at, to, term })
    at += character.length
  }
  return found
}
