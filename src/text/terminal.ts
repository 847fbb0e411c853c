import { removeHidden } from './hidden-characters.ts'

/** Stands for the escape character in colour codes of our own; a private character, which no text has any use for. */
const OURS = '\u{10fffd}'

/** Marks colours as ours, so that they survive `forTerminal`. */
export function ownColours(text: string): string {
  return text.replaceAll('\x1b', OURS)
}

/**
 * What a person's terminal may be given: the text and our own colours. Whatever else could move the cursor, set the
 * clipboard, fake a link or reorder what is read was written by somebody else, and goes.
 */
export function forTerminal(text: string): string {
  return removeHidden(text).text.replace(
    // Only what we use: text that is concealed, or black on black, would be somebody else's.
    /\u{10fffd}(\[(?:[0-4]|2[2-4]|3[1-79]|9[0-7])m)?/gu,
    (_, colour?: string) => (colour ? `\x1b${colour}` : ''),
  )
}

/** JSON leaves the second half of the control characters as they are; terminals do not. */
export function jsonForTerminal(json: string): string {
  return json.replace(
    /[\x7f-\x9f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
