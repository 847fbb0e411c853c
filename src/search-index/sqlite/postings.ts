/** A posting list: for each document its distance from the one before, as base-128 number, and its weight in a byte. */

export class PostingsWriter {
  readonly #bytes: number[] = []
  #last = -1

  /** Slots must rise. */
  add(slot: number, weight: number): void {
    let gap = slot - this.#last - 1
    for (; gap >= 0x80; gap >>>= 7) this.#bytes.push((gap & 0x7f) | 0x80)
    this.#bytes.push(gap, weight)
    this.#last = slot
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }
}

export function readPostings(bytes: Uint8Array, each: (slot: number, weight: number) => void): void {
  let slot = -1
  for (let at = 0; at < bytes.length; ) {
    let gap = 0
    let shift = 0
    for (; bytes[at]! >= 0x80; shift += 7) gap |= (bytes[at++]! & 0x7f) << shift
    gap |= bytes[at++]! << shift
    slot += gap + 1
    each(slot, bytes[at++]!)
  }
}
