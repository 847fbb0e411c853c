/** Letters that take no room, or nothing but room. */
const UNSEEN = '\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0'
const HIDING = new RegExp(`[^\\p{L}\\p{N}\\p{P}\\p{S} ]|[${UNSEEN}]`, 'gu')

/** What a person reads before deciding must be what is there: nothing may hide, turn around or colour a part of it. */
export function plainly(text: string): string {
  return text.replace(HIDING, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}
