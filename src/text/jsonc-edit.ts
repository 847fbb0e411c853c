import { RalphError } from '../errors.ts'
import { type ArrayNode, type JsonNode, type ObjectNode, parseJsonc, plainValue, skipBlank } from './jsonc.ts'

export type JsonPath = readonly (string | number)[]

/** Sets `path` to `value`, making the objects on the way. Everything else, comments and spacing included, stays. */
export function setIn(text: string, path: JsonPath, value: unknown): string {
  const root = parseRoot(text)
  if (!root) return `${JSON.stringify(nested(path, value), null, 2)}\n`
  const { node, rest } = follow(root, path)
  if (rest.length === 0) {
    return splice(text, node.start, node.end, render(value, text, indentOfLine(text, node.start)))
  }
  if (node.kind !== 'object') throw blocked(path, rest, 'an object')
  const [key, ...deeper] = rest
  return insert(text, node, `${JSON.stringify(key)}: `, nested(deeper, value))
}

/** Adds `value` at the end of the list at `path`, making it if it is not there. */
export function appendTo(text: string, path: JsonPath, value: unknown): string {
  const root = parseRoot(text)
  const { node, rest } = root ? follow(root, path) : { node: undefined, rest: path }
  if (!node || rest.length > 0) return setIn(text, path, [value])
  if (node.kind !== 'array') throw blocked(path, [], 'a list')
  return insert(text, node, '', value)
}

/** Takes what is at `path` out, with its comma and its line. Nothing there: nothing changes. */
export function removeAt(text: string, path: JsonPath): string {
  const root = parseRoot(text)
  if (!root) return text
  const parent = follow(root, path.slice(0, -1))
  const key = path.at(-1)
  if (parent.rest.length > 0 || parent.node.kind === 'scalar') return text
  const spans = elements(parent.node)
  const index =
    parent.node.kind === 'object'
      ? parent.node.members.findIndex((member) => member.key === key)
      : typeof key === 'number' && key < spans.length
        ? key
        : -1
  if (index < 0) return text
  if (spans.length === 1) {
    return splice(text, parent.node.start, parent.node.end, parent.node.kind === 'object' ? '{}' : '[]')
  }
  return removeElement(text, spans, index)
}

/** Comments stay with the value they stand behind or above. */
function removeElement(text: string, spans: readonly Span[], index: number): string {
  const { start, end } = spans[index]!
  const comma = skipBlank(text, end)
  const followed = text[comma] === ','
  const to = endOfLineComment(text, followed ? comma + 1 : end)
  if (index === 0) return splice(text, start, to + /^\s*/.exec(text.slice(to))![0].length, '')
  const commaBefore = skipBlank(text, spans[index - 1]!.end)
  const from = endOfLineComment(text, commaBefore + 1)
  const kept = text.slice(commaBefore + 1, from)
  return splice(text, commaBefore, to, followed ? `,${kept}` : kept)
}

/** The value at `path`, or undefined. */
export function getIn(text: string, path: JsonPath): unknown {
  const root = parseRoot(text)
  if (!root) return undefined
  const { node, rest } = follow(root, path)
  return rest.length === 0 ? plainValue(node) : undefined
}

/** Undefined for an empty file, which stands for an empty object. */
function parseRoot(text: string): JsonNode | undefined {
  return skipBlank(text, 0) >= text.length && !/\S/.test(text.replace(/^\uFEFF/, ''))
    ? undefined
    : parseJsonc(text)
}

/** Goes down as far as the path exists; duplicate keys: the last one counts, as in JSON.parse. */
function follow(root: JsonNode, path: JsonPath): { node: JsonNode; rest: (string | number)[] } {
  let node = root
  for (const [depth, key] of path.entries()) {
    const next: JsonNode | undefined =
      node.kind === 'object'
        ? node.members.findLast((member) => member.key === key)?.value
        : node.kind === 'array' && typeof key === 'number'
          ? node.items[key]
          : undefined
    if (!next) return { node, rest: path.slice(depth) }
    node = next
  }
  return { node, rest: [] }
}

function insert(text: string, container: ObjectNode | ArrayNode, prefix: string, value: unknown): string {
  const last = elements(container).at(-1)
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = indentOfLine(text, container.start)
  if (!last) {
    const inner = outer + indentUnit(text)
    // A comment in an otherwise empty object stays above the new member.
    const inside = text.slice(container.start + 1, container.end - 1).trimEnd()
    const element = `${newline}${inner}${prefix}${render(value, text, inner)}${newline}${outer}`
    return splice(text, container.start + 1, container.end - 1, inside + element)
  }
  const multiline = text.slice(container.start, last.start).includes('\n')
  const comma = skipBlank(text, last.end)
  const trailing = text[comma] === ','
  const from = trailing ? comma + 1 : last.end
  if (!multiline) {
    return splice(text, from, from, `${trailing ? '' : ','} ${prefix}${JSON.stringify(value)}`)
  }
  const inner = indentOfLine(text, last.start)
  const lineEnd = endOfLineComment(text, from)
  const element = `${newline}${inner}${prefix}${render(value, text, inner)}${trailing ? ',' : ''}`
  return splice(text, from, lineEnd, `${trailing ? '' : ','}${text.slice(from, lineEnd).trimEnd()}${element}`)
}

interface Span {
  start: number
  end: number
}

function elements(container: ObjectNode | ArrayNode): Span[] {
  return container.kind === 'object'
    ? container.members.map((member) => ({ start: member.start, end: member.value.end }))
    : container.items.map(({ start, end }) => ({ start, end }))
}

/** A comment behind a value on the same line belongs to that value. */
function endOfLineComment(text: string, position: number): number {
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|(?:\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*)+(?=\r?\n))/.exec(
    text.slice(position),
  )
  return position + (comment?.[0].length ?? 0)
}

function render(value: unknown, text: string, indent: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', newline + indent)
}

function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1]?.replace(/^(\t).*/, '$1') ?? '  '
}

function indentOfLine(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position)
  return /^[ \t]*/.exec(line)![0]
}

function nested(path: JsonPath, value: unknown): unknown {
  return path.reduceRight((inner, key) => ({ [key]: inner }), value)
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function blocked(path: JsonPath, rest: JsonPath, wanted: string): RalphError {
  const place = path.slice(0, path.length - rest.length).join('.')
  return new RalphError('conflict', `${place || 'the file'} is not ${wanted}`, {
    hint: 'Change it by hand, then run the command again.',
  })
}
