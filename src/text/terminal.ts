import { removeHidden } from './hidden-characters.ts'

/** Stands for the escape character in colour codes of our own. No text can hold it: it is another one in every process. */
const OURS = `\u{10fffd}${String.fromCodePoint(...Array.from({ length: 4 }, () => 0xf0000 + Math.floor(Math.random() * 65_000)))}`
// Only what we use: text that is concealed, or black on black, would be somebody else's.
const COLOUR = '\\[(?:[0-4]|2[2-4]|3[1-79]|9[0-7])m'
/** A file of this machine, or a page that this machine serves; nothing in it that ends the link. */
const TARGET = "(?:file:///|http://127\\.0\\.0\\.1:\\d{1,5}/)[\\w\\-.~:/?#@!$&'()*+,;=%]{0,3000}"
const OUR_CODE = new RegExp(`${OURS}(?:(${COLOUR})|\\]8;;((?:${TARGET})?)${OURS}\\\\)?`, 'gu')
const OUR_TARGET = new RegExp(`^${TARGET}$`)

/** Colours a text that may be anybody's, and may have colours of ours in it. */
export function inOwnColours(text: string, colour: (text: string) => string): string {
  return ownColours(colour(removeHidden(text).text))
}

/** Marks colours as ours, so that they survive `forTerminal`. */
export function ownColours(text: string): string {
  return text.replaceAll('\x1b', OURS)
}

/**
 * A text of one line that leads somewhere when it is clicked (OSC 8). Where it leads is ours to say: a file of this machine
 * or a page of the dashboard, in an address whose every odd character is escaped; anything else stays a text.
 */
export function inOwnLink(text: string, target: string): string {
  if (!OUR_TARGET.test(target)) return text
  return `${OURS}]8;;${target}${OURS}\\${text}${OURS}]8;;${OURS}\\`
}

/**
 * What a person's terminal may be given: the text, our own colours and our own links. Whatever else could move the cursor, set the
 * clipboard, fake a link or reorder what is read was written by somebody else, and goes.
 */
export function forTerminal(text: string): string {
  return removeHidden(text).text.replace(OUR_CODE, (_, colour?: string, target?: string) => {
    if (colour !== undefined) return `\x1b${colour}`
    return target === undefined ? '' : `\x1b]8;;${target}\x1b\\`
  })
}

/** A code, or half a character, that the next piece of a text may go on with. */
const UNFINISHED =
  /(?:\x1b(?:\[[0-?]{0,64}[ -/]{0,8}|[\]PX^_][^\x07\x1b\x9c\n]*\x1b?|[ -/]{0,4})?|\x9b[0-?]{0,64}[ -/]{0,8}|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c\n]*\x1b?|[\ud800-\udbff])$/
/** Of a code that does not end, only its beginning is kept. */
const LONGEST_CODE = 4_000

/** For a text that comes in pieces: holds back what cannot be judged yet. */
export class TerminalPieces {
  #held = ''

  push(piece: string): string {
    const text = this.#held + piece
    const unfinished = UNFINISHED.exec(text)?.[0] ?? ''
    this.#held = unfinished.length > LONGEST_CODE ? unfinished.slice(0, 2) : unfinished
    return text.slice(0, text.length - unfinished.length)
  }
}

/**
 * JSON leaves many characters as they are that a terminal obeys, that nobody sees, or that a model takes for a tag. Escaped,
 * they are the same to whoever parses it.
 */
export function jsonForTerminal(json: string): string {
  return json.replace(
    /[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb<]|[\ufe00-\ufe0f]|\udb40[\udc00-\udfff]/g,
    (characters) =>
      characters
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
  )
}
