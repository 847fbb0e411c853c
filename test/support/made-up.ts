/** Values made at run time, the same in every run, so that no scanner takes a test for a leak. */
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const DIGITS = '0123456789'
const MIXED = LOWER + LOWER.toUpperCase() + DIGITS

export function madeUp(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const from = (alphabet: string) => (length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
  const hex = from('0123456789abcdef')
  return {
    mixed: from(MIXED),
    hex,
    base64: from(`${MIXED}+/`),
    url: from(`${MIXED}-_`),
    upper: from(LOWER.toUpperCase() + DIGITS),
    base36: from(LOWER + DIGITS),
    base58: from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'),
    letters: from(LOWER + LOWER.toUpperCase()),
    lower: from(LOWER),
    digits: from(DIGITS),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
