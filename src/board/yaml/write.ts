import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, YAMLSeq } from 'yaml'
import { RalphError } from '../../errors.ts'
import { editEntry, type Mapping } from './edit.ts'
import { indentLines, itemText, print, type Quotes } from './format.ts'
import { patchNode } from './patch-node.ts'
import { type EntryList, knownFrom, readEntries, rootList } from './read.ts'

/** How the entries of a list change; `source` is text to take over as it is, with its comments. */
export type EntryEdit =
  | { kind: 'append'; value: Mapping }
  | { kind: 'insert'; at: number; value: Mapping; source?: string }
  | { kind: 'replace'; at: number; value: Mapping; source?: string }
  | { kind: 'remove'; at: number }

/** Applies one edit and reads the result back: what comes out is proven to hold what was asked for. */
export function editList(list: EntryList, edit: EntryEdit, order: readonly string[]): EntryList {
  const wanted = valuesAfter(list, edit)
  const known = knownFrom(list)
  const attempts = [
    () => editText(list, edit, order),
    () => editDocument(list, edit, 'as it is'),
    () => editDocument(list, edit, 'double'),
  ]
  for (const attempt of attempts) {
    const text = attempt()
    if (text === undefined) continue
    const reading = readEntries(text, list.rootKey, known)
    if (!reading.ok) continue
    const values = reading.list.entries.map((entry) => entry.value)
    if (isDeepStrictEqual(values, wanted)) return reading.list
  }
  throw new RalphError(
    'internal',
    `the "${list.rootKey}" list could not be edited without damage; nothing was written`,
  )
}

function valuesAfter(list: EntryList, edit: EntryEdit): unknown[] {
  const values = list.entries.map((entry) => entry.value)
  if (edit.kind === 'append') values.push(edit.value)
  else if (edit.kind === 'insert') values.splice(edit.at, 0, edit.value)
  else if (edit.kind === 'replace') values[edit.at] = edit.value
  else values.splice(edit.at, 1)
  return values
}

/** By splicing text; undefined when this file's layout does not allow it. */
function editText(list: EntryList, edit: EntryEdit, order: readonly string[]): string | undefined {
  const { section, text } = list
  if (!section)
    return edit.kind === 'append' || edit.kind === 'insert' ? startList(list, edit.value) : undefined
  const splice = (start: number, end: number, inserted: string): string =>
    text.slice(0, start) + lineEnds(inserted, text) + text.slice(end)
  if (edit.kind === 'append' || edit.kind === 'insert') {
    const before = edit.kind === 'insert' ? list.entries[edit.at] : undefined
    const at = before ? commentStart(text, before.start) : section.appendAt
    const source = 'source' in edit && edit.source ? reindent(edit.source, section.indent) : undefined
    return splice(at, at, onOwnLines(text, at, source ?? itemText(edit.value, section.indent)))
  }
  const entry = list.entries[edit.at]!
  const end = entry.start + entry.source.length
  if (edit.kind === 'remove') {
    const next = list.entries[edit.at + 1]
    return splice(
      commentStart(text, entry.start),
      next ? commentStart(text, next.start) : section.appendAt,
      '',
    )
  }
  if (edit.source) {
    const own = entry.start + ownLength(entry.source, section.indent)
    return splice(entry.start, own, onOwnLines(text, entry.start, reindent(edit.source, section.indent)))
  }
  return splice(entry.start, end, editEntry(entry.source, edit.value, order))
}

/** The first entry of a file that has no list yet: empty, only comments, or `tasks: []`. */
function startList(list: EntryList, value: Mapping): string | undefined {
  if (list.entries.length > 0) return undefined
  const item = itemText(value, 2)
  const empty = new RegExp(`^${list.rootKey}:[ \\t]*(\\[[ \\t]*\\]|null|~)[ \\t]*(#.*)?\\r?$`, 'm')
  if (empty.test(list.text)) {
    return list.text.replace(empty, (_line, _empty, comment = '') => {
      const key = `${list.rootKey}:${comment ? ` ${comment}` : ''}`
      return `${key}\n${item.trimEnd()}`
    })
  }
  const separator = list.text === '' || list.text.endsWith('\n') ? '' : '\n'
  return `${list.text}${separator}${list.rootKey}:\n${item}`
}

/** Through the YAML library: comments survive, spacing may not. */
function editDocument(list: EntryList, edit: EntryEdit, quotes: Quotes): string {
  const document = parseDocument(list.text)
  const items = listNode(document, list.rootKey)
  if (edit.kind === 'remove') items.items.splice(edit.at, 1)
  else if (edit.kind === 'replace' && isMap(items.items[edit.at])) {
    patchNode(document, items.items[edit.at] as YAMLMap, edit.value)
  } else {
    const at = edit.kind === 'append' ? items.items.length : edit.at
    items.items.splice(at, edit.kind === 'replace' ? 1 : 0, document.createNode(edit.value))
  }
  return print(document, quotes)
}

function listNode(document: Document.Parsed, rootKey: string): YAMLSeq {
  const found = rootList(document.contents, rootKey)
  if (isSeq(found)) return found
  const fresh = new YAMLSeq()
  if (isMap(document.contents)) document.set(rootKey, fresh)
  else document.contents = document.createNode({ [rootKey]: fresh }) as never
  return rootList(document.contents, rootKey) as YAMLSeq
}

/** An entry's own text: without what follows it, with or without the comment directly above it. */
export function entrySource(list: EntryList, at: number): { comment: string; source: string } {
  const entry = list.entries[at]!
  const own = entry.source.slice(0, ownLength(entry.source, list.section?.indent ?? 0))
  return { comment: list.text.slice(commentStart(list.text, entry.start), entry.start), source: own }
}

/** The same to be put back where it was: an entry that goes takes its comment and the blank lines behind it along. */
export function entryText(list: EntryList, at: number, isRemoved: boolean): string {
  if (!list.section || !isRemoved) return entrySource(list, at).source
  const { text, entries, section } = list
  const next = entries[at + 1]
  const end = next ? commentStart(text, next.start) : section.appendAt
  return text.slice(commentStart(text, entries[at]!.start), end)
}

/** Blank lines and comments in the list's own column already belong to what comes next. */
function ownLength(source: string, indent: number): number {
  const comment = new RegExp(`^ {0,${indent}}#`)
  let end = source.length
  while (end > 0) {
    const start = source.lastIndexOf('\n', end - 2) + 1
    const line = source.slice(start, end)
    if (line.trim() !== '' && !comment.test(line)) break
    end = start
  }
  return end
}

/** Comment lines directly above an entry belong to it. */
function commentStart(text: string, entryStart: number): number {
  let start = entryStart
  while (start > 0) {
    const previous = text.lastIndexOf('\n', start - 2) + 1
    if (!/^[ \t]+#/.test(text.slice(previous, start))) return start
    start = previous
  }
  return start
}

/** An entry taken from another version of the file may have stood in another column. */
function reindent(source: string, indent: number): string {
  const former = /^ */.exec(source)![0].length
  if (former === indent) return source
  if (former < indent) return indentLines(source, indent - former)
  const margin = ' '.repeat(former - indent)
  return source
    .split('\n')
    .map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line))
    .join('\n')
}

function onOwnLines(text: string, at: number, inserted: string): string {
  const before = at > 0 && text[at - 1] !== '\n' ? '\n' : ''
  const after = inserted.endsWith('\n') ? '' : '\n'
  return before + inserted + after
}

function lineEnds(inserted: string, text: string): string {
  return text.includes('\r\n') ? inserted.replace(/\r?\n/g, '\r\n') : inserted
}
