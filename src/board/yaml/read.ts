import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type YAMLError,
  type YAMLSeq,
} from 'yaml'
import { messageOf } from '../../errors.ts'
import { type ListSection, splitEntries } from './split.ts'

/** Something wrong in a YAML file, with the place to look at. Lines count from 1. */
export interface YamlIssue {
  line: number
  /** In the spelling of the file, e.g. `comments.0.text`. */
  field?: string
  message: string
}

export interface Entry {
  /** Plain data as the file has it; treat as frozen, unchanged entries share it between readings. */
  value: unknown
  line: number
  /** From the entry's dash up to the next entry's. Empty in a file that is not a plain block list. */
  source: string
  start: number
}

/** A YAML file that holds one list under one key. */
export interface EntryList {
  text: string
  rootKey: string
  entries: Entry[]
  /** How many entries were not known and had to be parsed. */
  parsed: number
  /** Where the entries lie in the text; absent in flow style or with aliases, where only the whole can be edited. */
  section?: ListSection
}

/** Finds what an entry's text was parsed to before. */
export interface KnownEntries {
  get(source: string): unknown
}

export type ListReading = { ok: true; list: EntryList } | { ok: false; issues: YamlIssue[] }

/**
 * Reads the list under `rootKey` (or a bare list). Entries whose text is `known` are not parsed
 * again: a thousand tasks of which an agent changed one cost one small parse.
 */
export function readEntries(text: string, rootKey: string, known: KnownEntries = NOTHING): ListReading {
  const section = splitEntries(text, rootKey)
  const found = section && parseSection(section, text, known)
  return found ? { ok: true, list: { text, rootKey, ...found, section } } : readWhole(text, rootKey)
}

const NOTHING: KnownEntries = new Map()

export function knownFrom(list: EntryList): KnownEntries {
  return new Map(list.entries.map((entry) => [entry.source, entry.value]))
}

/** Undefined when an entry cannot be read on its own: the whole file then has the better error, or an alias. */
function parseSection(
  section: ListSection,
  text: string,
  known: KnownEntries,
): Pick<EntryList, 'entries' | 'parsed'> | undefined {
  if (section.surroundings.trim() !== '' && !isPlainMapping(section.surroundings, section.rootKey))
    return undefined
  const entries: Entry[] = []
  let parsed = 0
  for (const { start, end, line } of section.spans) {
    const source = text.slice(start, end)
    let value = known.get(source)
    if (value === undefined) {
      value = parseOne(source)
      if (value === undefined) return undefined
      parsed++
    }
    entries.push({ value, line, source, start })
  }
  return { entries, parsed }
}

function isPlainMapping(surroundings: string, rootKey: string): boolean {
  const document = parseDocument(surroundings)
  if (document.errors.length > 0) return false
  return document.contents === null || (isMap(document.contents) && !document.contents.has(rootKey))
}

function parseOne(source: string): unknown {
  const document = parseDocument(source)
  if (document.errors.length > 0 || !isSeq(document.contents) || document.contents.items.length !== 1)
    return undefined
  try {
    return (document.toJS() as unknown[])[0]
  } catch {
    return undefined // an alias whose anchor lies in another entry
  }
}

const MERGE_MARKS =
  'a merge was left unfinished here: keep the lines that are right and delete the marks (<<<<<<<, =======, >>>>>>>)'

function readWhole(text: string, rootKey: string): ListReading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const failed = (offset: number, message: string): ListReading => ({
    ok: false,
    issues: [{ line: Math.max(1, lines.linePos(offset).line), message }],
  })
  const [error] = document.errors
  const mark = /^<{7} /m.exec(text)
  if (error && mark) return failed(mark.index, MERGE_MARKS)
  if (error) return failed(culprit(text, error), `not valid YAML: ${error.message}`)
  const found = rootList(document.contents, rootKey)
  if (typeof found === 'string') return failed(document.contents?.range[0] ?? 0, found)
  let values: unknown[]
  try {
    values = (found?.toJS(document) ?? []) as unknown[]
  } catch (cause) {
    return failed(0, `not valid YAML: ${messageOf(cause)}`)
  }
  const entries = values.map((value, index) => {
    const start = (found?.items[index] as ParsedNode | null)?.range?.[0] ?? found?.range?.[0] ?? 0
    return { value, line: lines.linePos(start).line, source: '', start }
  })
  return { ok: true, list: { text, rootKey, entries, parsed: entries.length } }
}

/** The library points to where it gave up on an open quote; people look for where the quote was opened. */
function culprit(text: string, error: YAMLError): number {
  const quote = /^Missing closing (['"])/.exec(error.message)?.[1]
  return quote ? text.lastIndexOf(quote, error.pos[0] - 1) : error.pos[0]
}

/** The list node, undefined for an empty list, or what is wrong. */
export function rootList(contents: unknown, rootKey: string): YAMLSeq | undefined | string {
  if (contents === null || contents === undefined || (isScalar(contents) && contents.value === null))
    return undefined
  if (isSeq(contents)) return contents
  if (!isMap(contents)) return `must hold a list under "${rootKey}:"`
  if (!contents.has(rootKey)) {
    const keys = contents.items.map((pair) => String(pair.key)).join(', ')
    return keys === '' ? undefined : `has no "${rootKey}:" list (found: ${keys})`
  }
  const list = contents.get(rootKey, true) as unknown
  if (isSeq(list)) return list
  if (list === undefined || list === null || (isScalar(list) && list.value === null)) return undefined
  return `"${rootKey}" must be a list of entries, each beginning with "- "`
}
