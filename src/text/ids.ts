import { createHash } from 'node:crypto'

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Begins with a letter: YAML would take 12345678 or 1e345678 for a number. */
export function shortHash(text: string, length: number): string {
  const hash = sha256(text)
  return 'abcdefghijklmnop'[Number.parseInt(hash[0]!, 16)]! + hash.slice(1, length)
}

/** Namespace of all our name-based ids, itself a fixed random UUID. */
const NAMESPACE = Buffer.from('6f1d0a5e7f5b4c7e9a3c52a1d6c0b8f4', 'hex')

/** UUID v5 (RFC 9562): the same parts always give the same id. */
export function deterministicUuid(...parts: readonly (string | number)[]): string {
  // JSON keeps ("a","b c") and ("a b","c") apart.
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16)
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
