import { RalphError } from '../errors.ts'

/** JSON as editors write it: with comments and trailing commas. Positions are kept, so that edits touch nothing else. */
export type JsonNode = ObjectNode | ArrayNode | ScalarNode
interface Span {
  /** Of the value itself, without the comments around it. */
  start: number
  end: number
}
export interface ObjectNode extends Span {
  kind: 'object'
  members: Member[]
}
export interface ArrayNode extends Span {
  kind: 'array'
  items: JsonNode[]
}
export interface ScalarNode extends Span {
  kind: 'scalar'
  value: string | number | boolean | null
}
export interface Member {
  key: string
  /** Where the key's quote stands. */
  start: number
  value: JsonNode
}

/** Throws a RalphError that names line and column when the text is not JSON, with or without comments. */
export function parseJsonc(text: string): JsonNode {
  const reader = new Reader(text)
  reader.skip()
  const root = reader.value(0)
  reader.skip()
  if (!reader.atEnd) reader.fail('something follows the end of the JSON')
  return root
}

/** The plain value of a node. */
export function plainValue(node: JsonNode): unknown {
  switch (node.kind) {
    case 'object':
      // `__proto__` as a key is an ordinary member, as in JSON.parse.
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plainValue(value)]))
    case 'array':
      return node.items.map(plainValue)
    default:
      return node.value
  }
}

/** Skips white space and comments from `position`; returns where something else begins. */
export function skipBlank(text: string, position: number): number {
  BLANK.lastIndex = position
  return position + (BLANK.exec(text)?.[0].length ?? 0)
}

const BLANK = /(?:[\s\uFEFF]|\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const MAX_DEPTH = 200

class Reader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  get atEnd(): boolean {
    return this.#position >= this.#text.length
  }

  skip(): void {
    this.#position = skipBlank(this.#text, this.#position)
  }

  value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) this.fail('the JSON is nested too deeply')
    const start = this.#position
    switch (this.#text[start]) {
      case '{':
        return this.#object(start, depth)
      case '[':
        return this.#array(start, depth)
      case '"':
        return { kind: 'scalar', value: this.#string(), start, end: this.#position }
      default:
        return { kind: 'scalar', value: JSON.parse(this.#take(WORD, 'a value')), start, end: this.#position }
    }
  }

  fail(what: string): never {
    const before = this.#text.slice(0, this.#position).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
    throw new RalphError('invalid_input', `not valid JSON: ${what} (${place})`)
  }

  #object(start: number, depth: number): ObjectNode {
    const members: Member[] = []
    this.#list('}', () => {
      const keyStart = this.#position
      const key = this.#string()
      this.skip()
      if (this.#text[this.#position] !== ':') this.fail('expected ":"')
      this.#position++
      this.skip()
      members.push({ key, start: keyStart, value: this.value(depth + 1) })
    })
    return { kind: 'object', members, start, end: this.#position }
  }

  #array(start: number, depth: number): ArrayNode {
    const items: JsonNode[] = []
    this.#list(']', () => items.push(this.value(depth + 1)))
    return { kind: 'array', items, start, end: this.#position }
  }

  #list(close: string, element: () => void): void {
    this.#position++
    this.skip()
    while (this.#text[this.#position] !== close) {
      element()
      this.skip()
      if (this.#text[this.#position] === ',') {
        this.#position++
        this.skip()
      } else if (this.#text[this.#position] !== close) {
        this.fail(`expected "," or "${close}"`)
      }
    }
    this.#position++
  }

  #string(): string {
    return JSON.parse(this.#take(STRING, 'text in double quotes'))
  }

  #take(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.#position
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) this.fail(`expected ${what}`)
    this.#position += found!.length
    return found!
  }
}
