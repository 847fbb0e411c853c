import { isNode, LineCounter, parseDocument } from 'yaml'
import { type EntryList, rootList } from './read.ts'

/** The line of a field of an entry, or of the nearest thing around it that the file has. */
export function lineOfField(list: EntryList, index: number, path: readonly (string | number)[]): number {
  const entry = list.entries[index]!
  const lines = new LineCounter()
  const document = parseDocument(entry.source === '' ? list.text : entry.source, { lineCounter: lines })
  const sequence = entry.source === '' ? rootList(document.contents, list.rootKey) : document.contents
  const firstLine = entry.source === '' ? 1 : entry.line
  for (let depth = path.length; depth > 0; depth--) {
    const steps = [entry.source === '' ? index : 0, ...path.slice(0, depth)]
    const node = isNode(sequence) && 'getIn' in sequence ? sequence.getIn(steps, true) : undefined
    if (isNode(node) && node.range) return firstLine + lines.linePos(node.range[0]).line - 1
  }
  return entry.line
}
