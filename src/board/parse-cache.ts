import { hash } from 'node:crypto'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import type { Seal } from '../files/seal.ts'
import { z } from '../text/schema.ts'
import type { EntryList, KnownEntries } from './yaml/read.ts'

/** Changes when the same text would be read differently. */
const VERSION = 1

const Stored = z.object({ version: z.literal(VERSION), entries: z.array(z.tuple([z.string(), z.unknown()])) })

/** Where what can be made again is kept, and by what ours is known there. */
export interface BoardCache {
  cacheDir: string
  seal: Seal
}

/** Parsing fewer is quicker than remembering them. */
const WORTH_KEEPING = 50

/**
 * Entries parsed by an earlier process, by the hash of their text: parsing a thousand tasks takes half a second, reading
 * them from here a few milliseconds. Disposable, and never wrong: a changed text has another hash.
 */
export class ParseCache {
  readonly #path: string
  readonly #seal: Seal

  constructor(path: string, seal: Seal) {
    this.#path = path
    this.#seal = seal
  }

  async load(): Promise<KnownEntries> {
    try {
      const text = this.#seal.opened(this.#path, readOwnFile(this.#path).toString('utf8'))
      if (text === undefined) return new Map() // not ours: a clone could say anything of its board
      const { entries } = Stored.parse(JSON.parse(text))
      const byHash = new Map(entries)
      return { get: (source) => byHash.get(keyOf(source)) }
    } catch {
      return new Map() // missing or damaged: everything is parsed
    }
  }

  async save(list: EntryList): Promise<void> {
    // A file in flow style is parsed as a whole: its entries have no text of their own to be known by.
    if (list.parsed < WORTH_KEEPING || !list.section) return
    const entries = list.entries.map(({ source, value }) => [keyOf(source), value])
    try {
      const content = JSON.stringify({ version: VERSION, entries })
      await writeFileAtomically(this.#path, this.#seal.sealed(this.#path, content), { disposable: true })
    } catch {
      // Only a shortcut: on a full or read-only disk the next process parses again.
    }
  }
}

function keyOf(source: string): string {
  return hash('sha1', source, 'base64')
}
