const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])
const OBJECT = 0x7b
/** Longer than any name we look for, and than any id a client gives. */
const LONGEST_TOKEN = 256

/**
 * Finds the id of a request that is too long to be kept: it may stand at either end of its line, and others stand in what
 * the request is about. Takes the bytes as they come and keeps next to nothing of them.
 */
export class RequestId {
  #depth = 0
  #isObject = false
  #inText = false
  #escaped = false
  /** The name or value of the outermost object that is being read. */
  #token = ''
  #key: string | undefined
  #id: string | undefined
  #asks = false

  push(bytes: Uint8Array): void {
    for (const byte of bytes) this.#take(byte)
  }

  /** Null where nothing was asked, or nobody can tell by whom. */
  get value(): string | number | null {
    if (!this.#asks || this.#id === undefined) return null
    try {
      const id: unknown = JSON.parse(Buffer.from(this.#id, 'latin1').toString())
      return typeof id === 'string' || typeof id === 'number' ? id : null
    } catch {
      return null // no JSON, or no id that anybody gave
    }
  }

  #take(byte: number): void {
    if (this.#inText) {
      this.#keep(byte)
      this.#inText = byte !== QUOTE || this.#escaped
      this.#escaped = byte === BACKSLASH && !this.#escaped
    } else if (byte === QUOTE) {
      this.#keep(byte)
      this.#inText = true
    } else if (OPENING.has(byte)) {
      if (this.#depth === 0) this.#isObject = byte === OBJECT
      this.#keep(byte)
      this.#depth++
    } else if (CLOSING.has(byte)) {
      this.#depth--
      if (this.#depth === 0) this.#endValue()
    } else if (this.#depth === 1 && byte === COLON) {
      this.#key = this.#token.trim()
      this.#token = ''
    } else if (this.#depth === 1 && byte === COMMA) this.#endValue()
    else this.#keep(byte)
  }

  #endValue(): void {
    if (this.#isObject && this.#key === '"id"') this.#id = this.#token
    if (this.#isObject && this.#key === '"method"') this.#asks = true
    this.#key = undefined
    this.#token = ''
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length <= LONGEST_TOKEN) this.#token += String.fromCharCode(byte)
  }
}
