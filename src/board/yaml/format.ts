import { Document, isScalar, type Scalar, visit } from 'yaml'

/** Long lines stay long: folding them would change a layout nobody asked us to change. */
const FORMAT = { lineWidth: 0 } as const

/** `key: value` as YAML lines, each indented by `column`. A former scalar keeps its quoting style. */
export function pairText(key: string, value: unknown, column: number, former?: Scalar): string {
  const document = new Document({ [key]: value })
  if (former?.type) {
    const node = document.getIn([key], true)
    if (isScalar(node)) node.type = former.type
  }
  return indentLines(print(document), column)
}

/** `- value` as YAML lines, each indented by `column`. */
export function itemText(value: unknown, column: number): string {
  return indentLines(print(new Document([value])), column)
}

/** A one-line rendering that may stand after `key: ` or `- `; undefined when the value needs several lines. */
export function inlineText(value: unknown, former?: Scalar, flow = false): string | undefined {
  const document = new Document([value])
  const node = document.getIn([0], true)
  if (former?.type && isScalar(node) && !former.type.startsWith('BLOCK')) node.type = former.type
  const text = flow
    ? document.toString({ ...FORMAT, collectionStyle: 'flow', flowCollectionPadding: false })
    : print(document)
  const inner = flow ? text.trim().slice(1, -1) : text.trimEnd().replace(/^- /, '')
  return inner.includes('\n') ? undefined : inner
}

/** Some strings come back changed from block or plain style; in double quotes every string is exact. */
export type Quotes = 'as it is' | 'double'

export function print(document: Document, quotes: Quotes = 'as it is'): string {
  visit(document, {
    Scalar(_, node) {
      if (quotes === 'double' && typeof node.value === 'string') node.type = 'QUOTE_DOUBLE'
    },
    // A list of ids reads best on one line.
    Seq(_, node) {
      if (
        node.items.length > 0 &&
        node.items.every((item) => isScalar(item) && typeof item.value === 'number')
      ) {
        node.flow = true
      }
    },
  })
  return document.toString({ ...FORMAT, flowCollectionPadding: false })
}

/** Only `\n` ends a line here: a regular expression would also break at U+2028 inside a string. */
export function indentLines(text: string, column: number): string {
  const margin = ' '.repeat(column)
  return text
    .split('\n')
    .map((line) => (line === '' || line === '\r' ? line : margin + line))
    .join('\n')
}
