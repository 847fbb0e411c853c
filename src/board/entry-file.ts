import { basename, join } from 'node:path'
import type { core } from 'zod'
import { errnoOf, fileError, RalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import { stampOf } from '../files/stamp.ts'
import type { EntryKind } from './entry-kind.ts'
import { type BoardCache, ParseCache } from './parse-cache.ts'
import { lineOfField } from './yaml/locate.ts'
import {
  type EntryList,
  type KnownEntries,
  knownFrom,
  type ListReading,
  readEntries,
  type YamlIssue,
} from './yaml/read.ts'

/** A file that could be read: its text, and its entries as typed objects in the same order. */
export interface Loaded<T> {
  list: EntryList
  items: T[]
}

export type Inspection<T> = { ok: true; loaded: Loaded<T> } | { ok: false; issues: YamlIssue[] }

/** Time stamps of some disks are this coarse: a younger file may change again without showing it. */
const STAMP_RESOLUTION_MS = 50

/** One YAML file of the board. Reads are cheap while nobody changed it; every read sees what is on the disk. */
export class EntryFile<T> {
  readonly path: string
  readonly kind: EntryKind<T>
  #cached:
    | { stamp: string; settled: boolean; inspection: Inspection<T>; text: string | undefined }
    | undefined
  readonly #cache: ParseCache
  #known: KnownEntries | undefined
  /** Typed entries by the plain data they were made from, which unchanged entries share between readings. */
  readonly #typed = new WeakMap<object, T>()

  /** @internal */
  constructor(dir: string, kind: EntryKind<T>, { cacheDir, seal }: BoardCache) {
    this.path = join(dir, kind.file)
    this.kind = kind
    this.#cache = new ParseCache(join(cacheDir, 'board', `${kind.rootKey}.json`), seal)
  }

  async load(): Promise<Loaded<T>> {
    const inspection = await this.inspect()
    if (inspection.ok) return inspection.loaded
    throw loadError(this.path, inspection.issues)
  }

  async inspect(): Promise<Inspection<T>> {
    const stamp = await stampOf(this.path, 'reading the board')
    const cached = this.#cached
    if (cached?.settled && cached.stamp === stamp.text) return cached.inspection
    const text = await readText(this.path)
    const isFirst = this.#known === undefined
    if (isFirst) this.#known = await this.#cache.load()
    const settled = Date.now() - stamp.modified > STAMP_RESOLUTION_MS
    const inspection = cached && cached.text === text ? cached.inspection : this.inspectText(text)
    this.#cached = { stamp: stamp.text, settled, inspection, text }
    if (isFirst && inspection.ok) await this.#cache.save(inspection.loaded.list)
    return inspection
  }

  /** What this text would load as; undefined stands for bytes that are no text. */
  inspectText(text: string | undefined): Inspection<T> {
    if (text === undefined) return { ok: false, issues: [{ line: 1, message: 'is not UTF-8 text' }] }
    const zero = text.indexOf('\0')
    if (zero !== -1) return { ok: false, issues: [zeroIssue(text, zero)] }
    const reading = this.readEntries(text)
    if (!reading.ok) return reading
    const items: T[] = []
    const issues: YamlIssue[] = []
    for (const [index, entry] of reading.list.entries.entries()) {
      const parsed = this.parse(entry.value)
      if (parsed.ok) items.push(parsed.item)
      else issues.push(...schemaIssues(reading.list, index, parsed.error))
    }
    issues.push(...repeatedIdentities(this.kind, reading.list, items))
    return issues.length === 0 ? { ok: true, loaded: { list: reading.list, items } } : { ok: false, issues }
  }

  /** The list in this text, whatever its entries hold. */
  readEntries(text: string): ListReading {
    const reading = readEntries(text, this.kind.rootKey, this.#known)
    if (reading.ok) this.#known = knownFrom(reading.list)
    return reading
  }

  /** The typed entry, or what is wrong with this plain data. */
  parse(value: unknown): { ok: true; item: T } | { ok: false; error: core.$ZodError } {
    const isObject = typeof value === 'object' && value !== null
    const known = isObject ? this.#typed.get(value) : undefined
    if (known !== undefined) return { ok: true, item: known }
    const parsed = this.kind.schema.safeParse(value)
    if (!parsed.success) return { ok: false, error: parsed.error }
    if (isObject) this.#typed.set(value, parsed.data)
    return { ok: true, item: parsed.data }
  }

  async write(text: string): Promise<void> {
    await writeFileAtomically(this.path, text)
  }
}

/** What a power cut leaves where text was. YAML would take it for a part of whatever it stands in. */
function zeroIssue(text: string, at: number): YamlIssue {
  return { line: text.slice(0, at).split('\n').length, message: 'holds zero bytes where text was lost' }
}

function schemaIssues(list: EntryList, index: number, error: core.$ZodError): YamlIssue[] {
  return error.issues.map((issue) => {
    const path = issue.path as (string | number)[]
    const line = lineOfField(list, index, path)
    const message = isMissing(list.entries[index]!.value, path) ? 'is missing' : issue.message
    return path.length === 0 ? { line, message } : { line, field: path.join('.'), message }
  })
}

function isMissing(value: unknown, path: readonly (string | number)[]): boolean {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return false
  const inner = (value as Record<string | number, unknown>)[step]
  return inner === undefined || inner === null || isMissing(inner, rest)
}

function repeatedIdentities<T>(kind: EntryKind<T>, list: EntryList, items: readonly T[]): YamlIssue[] {
  if (items.length !== list.entries.length) return []
  const lines = new Map<unknown, number>()
  const issues: YamlIssue[] = []
  items.forEach((item, index) => {
    const identity = item[kind.identity as keyof T]
    const line = list.entries[index]!.line
    const first = lines.get(identity)
    if (first === undefined) lines.set(identity, line)
    else
      issues.push({
        line,
        field: kind.identity,
        message: `${JSON.stringify(identity)} is already used on line ${first}`,
      })
  })
  return issues
}

const SHOWN_ISSUES = 5

export function loadError(path: string, issues: readonly YamlIssue[]): RalphError {
  const shown = issues.slice(0, SHOWN_ISSUES).map((issue) => describeIssue(path, issue))
  const rest = issues.length - shown.length
  if (rest > 0) shown.push(`and ${rest} more`)
  return new RalphError('damaged', shown.join('\n'), {
    hint: `Correct ${path} in an editor; "ralph doctor" checks the whole board.`,
  })
}

/** "tasks.yaml:14: status: must be one of …" */
export function describeIssue(path: string, issue: YamlIssue): string {
  return [`${basename(path)}:${issue.line}`, issue.field, issue.message].filter(Boolean).join(': ')
}

/** Strict: replacing what we cannot read would destroy it at the next write. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined when the bytes are no text; a missing file is an empty one. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return utf8.decode(readOwnFile(path))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    if (errnoOf(error) === 'ENOENT') return ''
    throw fileError(error, path, 'reading the board')
  }
}
