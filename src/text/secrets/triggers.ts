interface Trigger<Value> {
  text: string
  value: Value
}

/** Five bits of a letter: the same for capitals and small ones. */
const BITS = 5
const ONE = (1 << BITS) - 1
const THREE = (1 << (3 * BITS)) - 1

/**
 * One pass over a text for many short texts at once, in capitals or small letters. By three letters at a time: an expression
 * of them all takes longer to make than most texts take to read.
 */
export class Triggers<Value> {
  readonly #starts = new Uint8Array(THREE + 1)
  readonly #byStart = new Map<number, Trigger<Value>[]>()

  /** In small letters of ASCII, two or more; none begins with another. */
  constructor(triggers: ReadonlyMap<string, Value>) {
    for (const [text, value] of triggers) {
      if (text.length > 2) this.#add(keyOf(text, 3), { text, value })
      else
        for (let third = 0; third <= ONE; third++)
          this.#add((keyOf(text, 2) << BITS) | third, { text, value })
    }
  }

  #add(key: number, trigger: Trigger<Value>): void {
    this.#starts[key] = 1
    const known = this.#byStart.get(key)
    if (known === undefined) this.#byStart.set(key, [trigger])
    else known.push(trigger)
  }

  /** Told of each that stands in this part of the text, in order; says from where to go on. */
  forEach(text: string, from: number, to: number, visit: (at: number, value: Value) => number): void {
    const starts = this.#starts
    let first = from
    let key = 0
    // One further than the part: its last letters may be a whole trigger.
    for (let at = from; at <= to; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0
      key = ((key << BITS) | (code & ONE)) & THREE
      if (starts[key] === 0 || at < first + 2) continue
      const found = this.#standingAt(key, text, at - 2, to)
      if (found === undefined) continue
      const next = visit(at - 2, found.value)
      if (next <= at - 1) continue
      first = next
      at = next - 1
    }
  }

  #standingAt(key: number, text: string, at: number, to: number): Trigger<Value> | undefined {
    return this.#byStart.get(key)!.find((trigger) => standsAt(trigger.text, text, at, to))
  }
}

/** Capitals of ASCII only: no other letter stands for one of a trigger. */
function standsAt(trigger: string, text: string, at: number, to: number): boolean {
  for (let offset = 0; offset < trigger.length; offset++) {
    const code = text.charCodeAt(at + offset)
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== trigger.charCodeAt(offset)) return false
  }
  return at + trigger.length <= to
}

function keyOf(text: string, letters: number): number {
  let key = 0
  for (let at = 0; at < letters; at++) key = (key << BITS) | (text.charCodeAt(at) & ONE)
  return key
}
