interface Trigger<Value> {
  text: string
  value: Value
  /** Its place among all. */
  order: number
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
  /** Whether a trigger begins with these three letters, or with the first two of them. */
  readonly #starts = new Uint8Array(THREE + 1)
  readonly #ofThree = new Map<number, Trigger<Value>[]>()
  readonly #ofTwo = new Map<number, Trigger<Value>[]>()
  #order = 0

  /** In small letters of ASCII, two or more. */
  add(text: string, value: Value): void {
    const trigger = { text, value, order: this.#order++ }
    const two = keyOf(text, 2)
    if (text.length === 2) {
      this.#starts.fill(1, two << BITS, (two + 1) << BITS)
      addTo(this.#ofTwo, two, trigger)
    } else {
      const three = keyOf(text, 3)
      this.#starts[three] = 1
      addTo(this.#ofThree, three, trigger)
    }
  }

  /** Told of the places in this part of the text where some stand, with what they stand for; says from where to go on. */
  forEach(text: string, from: number, to: number, visit: (at: number, values: Value[]) => number): void {
    const starts = this.#starts
    let first = from
    let key = 0
    // One further than the part: its last letters may be a whole trigger.
    for (let at = from; at <= to; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0
      key = ((key << BITS) | (code & ONE)) & THREE
      if (starts[key] === 0 || at < first + 2) continue
      const standing = this.#standingAt(key, text, at - 2, to)
      if (standing === undefined) continue
      const next = visit(at - 2, standing)
      if (next <= at - 1) continue
      first = next
      at = next - 1
    }
  }

  /** In the order in which they were added; undefined, as mostly, when it is another text that begins with these letters. */
  #standingAt(key: number, text: string, at: number, to: number): Value[] | undefined {
    let standing: Trigger<Value>[] | undefined
    for (const candidates of [this.#ofThree.get(key), this.#ofTwo.get(key >> BITS)]) {
      if (candidates === undefined) continue
      for (const trigger of candidates)
        if (standsAt(trigger.text, text, at, to)) {
          standing ??= []
          standing.push(trigger)
        }
    }
    return standing?.sort((a, b) => a.order - b.order).map(({ value }) => value)
  }
}

function addTo<Item>(lists: Map<number, Item[]>, key: number, item: Item): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
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
