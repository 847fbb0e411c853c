/** No token of any service is shorter. */
const LEAST = 16

/** What tokens are made of, by character code. */
const OF_TOKENS = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~$%:/+=!*')
  OF_TOKENS[character.charCodeAt(0)] = 1

const isOfToken = (code: number) => OF_TOKENS[code] === 1

/** A word that long covers every sixteenth character at least once: the others need no look. */
export function forEachLongWord(text: string, visit: (from: number, to: number) => void): void {
  for (let at = LEAST - 1; at < text.length; at += LEAST) {
    if (!isOfToken(text.charCodeAt(at))) continue
    let from = at
    while (from > 0 && isOfToken(text.charCodeAt(from - 1))) from--
    let to = at + 1
    while (to < text.length && isOfToken(text.charCodeAt(to))) to++
    if (to - from >= LEAST) visit(from, to)
    // The next look is past this word.
    at += Math.max(0, Math.floor((to - at) / LEAST) * LEAST)
  }
}
