/** Numbers from 0 to 1 that look like chance and are the same every time (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Of a UUID: its first eight digits, which are spread evenly. */
export function seedOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) || id.length
}
