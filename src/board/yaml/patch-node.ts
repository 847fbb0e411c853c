import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { isObject, type JsonObject } from '../../text/json.ts'
import { diffLists } from './diff-lists.ts'

/** Makes a mapping node hold `next`, replacing only the nodes that differ, so that comments stay on the others. */
export function patchNode(document: Document, map: YAMLMap, next: JsonObject): void {
  const current = map.toJS(document) as JsonObject
  for (const key of Object.keys(current)) if (!(key in next)) map.delete(key)
  for (const [key, value] of Object.entries(next)) {
    if (key in current && isDeepStrictEqual(current[key], value)) continue
    map.set(key, patched(document, map.get(key, true), value))
  }
}

function patched(document: Document, node: unknown, value: unknown): Node {
  if (isMap(node) && isObject(value)) {
    patchNode(document, node as YAMLMap, value as JsonObject)
    return node as Node
  }
  if (isSeq(node) && Array.isArray(value)) {
    patchSequence(document, node as YAMLSeq, value)
    return node as Node
  }
  const fresh = document.createNode(value) as Node
  if (isNode(node)) {
    if (node.comment) fresh.comment = node.comment
    if (node.commentBefore) fresh.commentBefore = node.commentBefore
    if (isScalar(node) && isScalar(fresh) && node.type && typeof value === 'string') {
      ;(fresh as Scalar).type = node.type
    }
  }
  return fresh
}

function patchSequence(document: Document, sequence: YAMLSeq, next: unknown[]): void {
  const changes = diffLists(sequence.toJS(document) as unknown[], next)
  for (const { removed, added } of changes.reverse()) {
    const replaced = sequence.items.slice(removed.start, removed.start + removed.count)
    const fresh = added.map((value, index) => patched(document, replaced[index], value))
    sequence.items.splice(removed.start, removed.count, ...fresh)
  }
}
