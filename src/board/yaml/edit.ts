import { isDeepStrictEqual } from 'node:util'
import {
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { RalphError } from '../../errors.ts'
import { isObject } from '../../text/json.ts'
import { diffLists } from './diff-lists.ts'
import { indentLines, inlineText, itemText, pairText, print, type Quotes } from './format.ts'
import { patchNode } from './patch-node.ts'

export type Mapping = Record<string, unknown>

interface Splice {
  start: number
  end: number
  text: string
}

/** Thrown inside this file only: this layout is beyond splicing, let the YAML library rewrite the entry. */
class Beyond extends Error {}

/**
 * The entry's text with `next` as its value, touching only what differs: the bytes of every other field, comment and
 * blank line stay. `order` says where a field that is new to the entry goes.
 */
export function editEntry(source: string, next: Mapping, order: readonly string[]): string {
  const attempts = [
    () => spliced(source, next, order),
    () => reprinted(source, next, 'as it is'),
    () => reprinted(source, next, 'double'),
  ]
  for (const attempt of attempts) {
    const edited = attempt()
    if (edited !== undefined && holds(edited, next)) return edited
  }
  throw new RalphError(
    'internal',
    `an entry could not be written as YAML: ${JSON.stringify(next).slice(0, 200)}`,
  )
}

function holds(source: string, value: Mapping): boolean {
  const document = parseDocument(source)
  return document.errors.length === 0 && isDeepStrictEqual(document.toJS(), [value])
}

function spliced(source: string, next: Mapping, order: readonly string[]): string | undefined {
  const document = parseDocument(source)
  const map = isSeq(document.contents) ? document.contents.items[0] : undefined
  if (!isMap(map)) return undefined
  try {
    const editor = new Splicer(source, order)
    editor.map(map as YAMLMap, map.toJS(document) as Mapping, next)
    return editor.result()
  } catch (error) {
    if (error instanceof Beyond) return undefined
    throw error
  }
}

/** Through the YAML library: comments survive, spacing may not. */
function reprinted(source: string, next: Mapping, quotes: Quotes): string {
  const document = parseDocument(source)
  const list = document.contents
  if (isSeq(list) && isMap(list.items[0])) patchNode(document, list.items[0] as YAMLMap, next)
  else document.contents = document.createNode([next]) as never
  const column = /^ */.exec(source)![0].length
  return indentLines(print(document, quotes), column)
}

class Splicer {
  readonly #source: string
  readonly #order: readonly string[]
  readonly #splices: Splice[] = []

  constructor(source: string, order: readonly string[]) {
    this.#source = source
    this.#order = order
  }

  result(): string {
    let text = this.#source
    // From the back, so that earlier offsets stay right; at one place first what is replaced, then what is
    // inserted before it, the insertions in their order.
    const splices = this.#splices.map((splice, index) => ({ ...splice, index }))
    splices.sort((a, b) => b.start - a.start || b.end - a.end || b.index - a.index)
    for (const { start, end, text: inserted } of splices) {
      text = text.slice(0, start) + this.#ownLineEnds(inserted) + text.slice(end)
    }
    return text
  }

  map(map: YAMLMap, current: Mapping, next: Mapping): void {
    if (map.flow || map.items.length === 0) throw new Beyond()
    const column = this.#columnOf(start(map.items[0]!.key))
    for (const [index, pair] of map.items.entries()) {
      const key = keyOf(pair)
      if (!(key in next)) {
        // The first field shares its line with the dash.
        if (index === 0) throw new Beyond()
        this.#replace(this.#lineStart(start(pair.key)), this.#endOfPair(pair), '')
      } else if (!isDeepStrictEqual(current[key], next[key])) {
        this.#pair(pair, key, current[key], next[key], column)
      }
    }
    const added = Object.keys(next).filter((key) => !(key in current))
    for (const key of added.sort((a, b) => this.#rank(a) - this.#rank(b))) {
      this.#insertPair(map, key, next[key], column)
    }
  }

  #pair(pair: Pair, key: string, current: unknown, next: unknown, column: number): void {
    const value = pair.value
    if (this.#within(value, current, next)) return
    const former = isScalar(value) && typeof next === 'string' ? value : undefined
    const end = this.#endOfPair(pair)
    this.#replace(start(pair.key), end, this.#fit(pairText(key, next, column, former).slice(column), end))
  }

  /** Changes a value without touching its surroundings; false when it has to be written anew. */
  #within(node: unknown, current: unknown, next: unknown): boolean {
    if (isMap(node) && !node.flow && isObject(next) && Object.keys(next).length > 0) {
      this.map(node, current as Mapping, next)
      return true
    }
    if (isSeq(node) && !node.flow && Array.isArray(next) && next.length > 0) {
      this.#sequence(node, current as unknown[], next)
      return true
    }
    const inline = this.#inline(node, next)
    if (inline) this.#replace(...inline)
    else if (hasComment(node)) throw new Beyond()
    return inline !== undefined
  }

  /** When the old and the new value both fit behind the key, only the value's own characters are replaced. */
  #inline(value: unknown, next: unknown): [number, number, string] | undefined {
    const onOneLine = isScalar(value)
      ? !value.type?.startsWith('BLOCK')
      : (isSeq(value) || isMap(value)) && value.flow === true
    if (!onOneLine) return undefined
    const [from, to] = (value as Scalar).range!
    const old = this.#source.slice(from, to)
    if (old === '' || old.includes('\n')) return undefined
    const isCollection = typeof next === 'object' && next !== null
    if (isScalar(value) === isCollection) return undefined
    const text = inlineText(next, isScalar(value) ? value : undefined, isCollection)
    return text === undefined ? undefined : [from, to, text]
  }

  #sequence(sequence: YAMLSeq, current: unknown[], next: unknown[]): void {
    const column = this.#columnOf(sequence.range![0])
    const lineOf = (index: number): number => {
      const line = this.#lineStart(start(sequence.items[index]))
      if (this.#source.slice(line, line + column + 1) !== `${' '.repeat(column)}-`) throw new Beyond()
      return line
    }
    for (const { removed, added } of diffLists(current, next)) {
      const first = removed.start
      const place = first < sequence.items.length ? lineOf(first) : this.#endOf(sequence.items.at(-1))
      const changedInPlace = Math.min(removed.count, added.length)
      for (let index = first; index < first + changedInPlace; index++) {
        const node = sequence.items[index]
        if (this.#within(node, current[index], added[index - first])) continue
        const end = this.#endOf(node)
        this.#replace(lineOf(index), end, this.#fit(itemText(added[index - first], column), end))
      }
      for (let offset = changedInPlace; offset < removed.count; offset++) {
        this.#replace(lineOf(first + offset), this.#endOf(sequence.items[first + offset]), '')
      }
      const insertAt = changedInPlace > 0 ? this.#endOf(sequence.items[first + changedInPlace - 1]) : place
      for (const value of added.slice(changedInPlace)) {
        this.#replace(insertAt, insertAt, this.#fit(itemText(value, column), insertAt))
      }
    }
  }

  #insertPair(map: YAMLMap, key: string, value: unknown, column: number): void {
    // Behind the last field that precedes it in the usual order.
    const before = map.items.filter((pair) => this.#rank(keyOf(pair)) < this.#rank(key))
    const anchor = before.at(-1) ?? map.items.at(-1)!
    const at = this.#endOfPair(anchor)
    this.#replace(at, at, this.#fit(pairText(key, value, column), at))
  }

  /** Fields we do not know go to the end. */
  #rank(key: string): number {
    const index = this.#order.indexOf(key)
    return index === -1 ? this.#order.length : index
  }

  #replace(start: number, end: number, text: string): void {
    this.#splices.push({ start, end, text })
  }

  /** Text that goes where a line begins: supplies the line feed that a file's last line may lack. */
  #fit(text: string, at: number): string {
    return at > 0 && this.#source[at - 1] !== '\n' ? `\n${text.trimEnd()}` : text
  }

  #endOfPair(pair: Pair): number {
    return Math.max(this.#endOf(pair.key), this.#endOf(pair.value))
  }

  /** Behind the line on which the node's content ends, with that line's own comment. */
  #endOf(node: unknown): number {
    if (isMap(node) && !node.flow && node.items.length > 0) return this.#endOfPair(node.items.at(-1)!)
    if (isSeq(node) && !node.flow && node.items.length > 0) return this.#endOf(node.items.at(-1))
    if (node === null || node === undefined) return 0
    const end = (node as Scalar).range![1]
    if (end > 0 && this.#source[end - 1] === '\n') return end
    const feed = this.#source.indexOf('\n', end)
    return feed === -1 ? this.#source.length : feed + 1
  }

  #lineStart(offset: number): number {
    return this.#source.lastIndexOf('\n', offset - 1) + 1
  }

  #columnOf(offset: number): number {
    return offset - this.#lineStart(offset)
  }

  #ownLineEnds(text: string): string {
    return this.#source.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text
  }
}

function start(node: unknown): number {
  const range = (node as Scalar | null)?.range
  if (!range) throw new Beyond()
  return isMap(node) && !node.flow && node.items.length > 0 ? start(node.items[0]!.key) : range[0]
}

function keyOf(pair: Pair): string {
  if (!isScalar(pair.key) || typeof pair.key.value !== 'string') throw new Beyond()
  return pair.key.value
}

function hasComment(node: unknown): boolean {
  return Boolean((node as Scalar | null)?.comment || (node as Scalar | null)?.commentBefore)
}
