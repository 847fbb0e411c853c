import type { SecretPlace } from './finder.ts'
import { forEachLongWord } from './long-words.ts'

/** Of 16 characters, the shortest token there is, base64 makes 22. */
const LEAST = 22
/** Longer ones are pictures and archives. */
const MOST = 100_000
const BASE64 = /[A-Za-z0-9+/_-]{22,}={0,2}/g
const HEX = /^(?:[0-9a-f]{2}){16,}$/i
/** What somebody can have written: what was no text before has other bytes as well, nearly always among the first. */
const WRITTEN = /^[\t\n\r -~]*$/
const GLANCE = 16

/**
 * Secrets in what `base64`, `xxd -p` or an address make of them: whoever reads it needs no key to get them back. `kindOf`
 * says what a text holds, if anything.
 */
export function encodedPlaces(text: string, kindOf: (text: string) => string | undefined): SecretPlace[] {
  const places: SecretPlace[] = []
  const look = (from: number, encoded: string, decoded: string | undefined) => {
    const kind = decoded === undefined ? undefined : kindOf(decoded)
    if (kind !== undefined) places.push({ from, to: from + encoded.length, kind })
  }
  forEachLongWord(text, (from, to) => {
    if (to - from < LEAST || to - from > MOST) return
    const word = text.slice(from, to)
    if (word.includes('%')) look(from, word, fromAddress(word))
    if (HEX.test(word)) return look(from, word, written(word, 'hex'))
    for (const { 0: run, index } of word.matchAll(BASE64)) look(from + index, run, written(run, 'base64'))
  })
  return places
}

function written(encoded: string, encoding: 'base64' | 'hex'): string | undefined {
  const isWritten = (part: string) => WRITTEN.test(Buffer.from(part, encoding).toString('latin1'))
  if (!isWritten(encoded.slice(0, GLANCE)) || !isWritten(encoded)) return undefined
  return Buffer.from(encoded, encoding).toString('latin1')
}

function fromAddress(word: string): string | undefined {
  const decoded = word.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return decoded === word ? undefined : decoded
}
