import { isDeepStrictEqual } from 'node:util'
import { RalphError } from '../errors.ts'
import { announceChange, type EntryChange, noteChange } from '../noted-change.ts'
import { redactValue } from '../text/redact-value.ts'
import { shellWord } from '../text/shell-word.ts'
import { EntryFile, type Loaded } from './entry-file.ts'
import type { EntryKind } from './entry-kind.ts'
import type { BoardCache } from './parse-cache.ts'
import { ALL, changedFieldsSince, mergedBack } from './take-back.ts'
import type { WriteLog } from './write-log.ts'
import type { Mapping } from './yaml/edit.ts'
import { type EntryEdit, editList, entryText } from './yaml/write.ts'

export type Identity = string | number

/** A field not given is kept, `null` clears. */
export type Patch<T> = { [Field in keyof T]?: T[Field] | null | undefined }

/**
 * One kind of entry: finding, adding, patching, removing. Changing methods expect the board's lock to be held, so
 * that what they read is still true when they write.
 */
export class EntryStore<T extends object> {
  readonly file: EntryFile<T>
  readonly kind: EntryKind<T>
  readonly #log: WriteLog

  constructor(dir: string, cache: BoardCache, kind: EntryKind<T>, log: WriteLog) {
    this.file = new EntryFile(dir, kind, cache)
    this.kind = kind
    this.#log = log
  }

  async all(): Promise<T[]> {
    return (await this.file.load()).items
  }

  async find(identity: Identity): Promise<T | undefined> {
    return (await this.all()).find((item) => this.#identity(item) === identity)
  }

  async get(identity: Identity): Promise<T> {
    const items = await this.all()
    return items.find((item) => this.#identity(item) === identity) ?? this.#notFound(identity, items)
  }

  async add(fields: Patch<T>): Promise<T> {
    const loaded = await this.file.load()
    const raw = this.#apply({}, undefined, this.#masked(undefined, fields))
    const item = this.#validate(raw)
    if (loaded.items.some((other) => this.#identity(other) === this.#identity(item))) {
      throw new RalphError(
        'conflict',
        `${this.kind.noun} ${JSON.stringify(this.#identity(item))} already exists`,
        {
          hint: `Change it with: ralph ${this.kind.noun} set ${this.#identity(item)} …`,
        },
      )
    }
    await this.#write(loaded, { kind: 'append', value: raw }, { at: loaded.items.length, after: raw })
    return item
  }

  /** `change` sees the entry as it is now; what it returns is a patch. */
  async patch(identity: Identity, change: (current: T) => Patch<T>): Promise<T> {
    const loaded = await this.file.load()
    const at = this.#at(loaded, identity)
    if (at === -1) return this.#notFound(identity, loaded.items)
    const current = loaded.list.entries[at]!.value as Mapping
    const was = loaded.items[at]!
    const raw = this.#apply(current, was, this.#masked(was, change(was)))
    const item = this.#validate(raw)
    if (!isDeepStrictEqual(raw, current))
      await this.#write(loaded, { kind: 'replace', at, value: raw }, { at, before: current, after: raw })
    return item
  }

  async remove(identity: Identity): Promise<T> {
    const loaded = await this.file.load()
    const at = this.#at(loaded, identity)
    if (at === -1) return this.#notFound(identity, loaded.items)
    const before = loaded.list.entries[at]!.value as Mapping
    await this.#write(loaded, { kind: 'remove', at }, { at, before })
    return loaded.items[at]!
  }

  /** Which fields of a change are no longer as it left them. */
  async changedSince({ before, after }: EntryChange): Promise<string[]> {
    const loaded = await this.file.load()
    const current = placed(loaded, this.#at(loaded, this.#identityOf(before ?? after)))
    return changedFieldsSince({ before, after, current })
  }

  /** Refuses to take a change back when what it was about has changed since: somebody would lose that. */
  async requireUnchanged(change: EntryChange): Promise<void> {
    const fields = await this.changedSince(change)
    if (fields.length === 0) return
    const what =
      fields[0] === ALL ? 'was removed or made again since' : `has changed since (${fields.join(', ')})`
    const identity = this.#identityOf(change.before ?? change.after)
    const name = `${this.kind.noun} ${JSON.stringify(identity)}`
    throw new RalphError('conflict', `${name} ${what}: nothing was undone`, {
      hint: `See how it is now: ralph ${this.kind.noun} show ${shellWord(String(identity))}`,
    })
  }

  /** Takes back a change that `requireUnchanged` had nothing against; what else has changed since stays. */
  async takeBack({ at, before, after, source }: EntryChange): Promise<void> {
    const loaded = await this.file.load()
    const identity = this.#identityOf(before ?? after)
    const place = this.#at(loaded, identity)
    if (before === undefined) {
      await this.remove(identity)
      return
    }
    const current = placed(loaded, place)
    const value = mergedBack({ before, after, current })
    this.#validate(value)
    const text = source !== undefined && isDeepStrictEqual(value, before) ? { source } : {}
    const where = place === -1 ? Math.min(at, loaded.items.length) : place
    const kind = place === -1 ? 'insert' : 'replace'
    await this.#write(
      loaded,
      { kind, at: where, value, ...text },
      { at: where, before: current, after: value },
    )
  }

  async #write(
    loaded: Loaded<T>,
    edit: EntryEdit,
    { at, before, after }: Pick<EntryChange, 'at' | 'before' | 'after'>,
  ): Promise<void> {
    const list = editList(loaded.list, edit, Object.values(this.kind.fields))
    const { file } = this.kind
    const source = before && entryText(loaded.list, at, after === undefined)
    const change: EntryChange = { of: 'board', file, at, before, after, ...(source && { source }) }
    await this.#log.note({ file, before, after })
    announceChange(change)
    await this.file.write(list.text)
    noteChange(change)
  }

  /** The patch with secrets masked in what is new; what a person had written into the file is theirs. */
  #masked(current: T | undefined, patch: Patch<T>): Patch<T> {
    const masked = { ...patch }
    for (const field of Object.keys(patch) as (keyof T & string)[]) {
      const former = current?.[field]
      const value = patch[field]
      if (this.kind.settings?.includes(field) || isDeepStrictEqual(value, former)) continue
      if (Array.isArray(value)) masked[field] = maskedItems(value, former) as T[keyof T & string]
      else masked[field] = redactValue(value)
    }
    return masked
  }

  /** The entry's plain data with the patch applied; whatever else a person keeps there stays. */
  #apply(raw: Mapping, current: T | undefined, patch: Patch<T>): Mapping {
    const next = { ...raw }
    for (const field of Object.keys(this.kind.fields) as (keyof T & string)[]) {
      const value = patch[field]
      const key = this.kind.fields[field]
      if (value === undefined) continue
      if (value === null) delete next[key]
      else if (current === undefined || !isDeepStrictEqual(value, current[field])) {
        next[key] = this.#encode(field, value, raw[key], current?.[field])
      }
    }
    return next
  }

  /** Items of a list that did not change keep the form in which they were written. */
  #encode(field: keyof T & string, value: unknown, raw: unknown, current: unknown): unknown {
    const encode = this.kind.encode?.[field]
    if (!encode || !Array.isArray(value)) return value
    const former =
      Array.isArray(raw) && Array.isArray(current) && raw.length === current.length ? current : []
    return value.map((item) => {
      const at = former.findIndex((other) => isDeepStrictEqual(other, item))
      return at === -1 ? encode(item as never) : (raw as unknown[])[at]
    })
  }

  #validate(raw: Mapping): T {
    const parsed = this.kind.schema.safeParse(raw)
    if (parsed.success) return parsed.data
    const what = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
    throw new RalphError(
      'invalid_input',
      `${this.kind.noun} ${JSON.stringify(raw[this.kind.identity])}: ${what}`,
    )
  }

  #identity(item: T): Identity {
    return item[this.kind.identity as keyof T] as Identity
  }

  #identityOf(raw: Mapping | undefined): Identity {
    return raw![this.kind.identity] as Identity
  }

  #at({ items }: Loaded<T>, identity: Identity): number {
    return items.findIndex((item) => this.#identity(item) === identity)
  }

  #notFound(identity: Identity, items: readonly T[]): never {
    const known = items.slice(0, 10).map((item) => this.#identity(item))
    const more = items.length > known.length ? ', …' : ''
    throw new RalphError('not_found', `there is no ${this.kind.noun} ${JSON.stringify(identity)}`, {
      hint:
        known.length > 0
          ? `There are: ${known.join(', ')}${more}. See: ralph ${this.kind.noun} list`
          : `Add it with: ralph ${this.kind.noun} add …`,
    })
  }
}

function placed<T>({ list }: Loaded<T>, at: number): Mapping | undefined {
  return list.entries[at]?.value as Mapping | undefined
}

function maskedItems(items: readonly unknown[], former: unknown): unknown[] {
  const known = new Set(Array.isArray(former) ? former.map((item) => JSON.stringify(item)) : [])
  const isKnown = items.map((item) => known.has(JSON.stringify(item)))
  const fresh = redactValue(items.filter((_, at) => !isKnown[at])).values()
  return items.map((item, at) => (isKnown[at] ? item : fresh.next().value))
}
