import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import { Seal } from '../files/seal.ts'
import { asObject, type JsonObject, parseObject } from '../text/json.ts'

/**
 * What was worked out for an earlier glance, each part with the stamps of what it was worked out from: as long as those are
 * the same, so is the part. Disposable, and sealed: nobody else can say what was worked out.
 */
export class KeptGlance {
  readonly #path: string
  readonly #seal: Seal
  readonly #parts: JsonObject
  #isChanged = false

  constructor({ paths }: Pick<Config, 'paths'>) {
    this.#path = join(paths.cache, 'glance.json')
    this.#seal = new Seal(paths.seal)
    this.#parts = readParts(this.#path, this.#seal)
  }

  /** The part as it was kept, else as `make` makes it now. */
  async part<Value>(name: string, stamp: string, make: () => Value | Promise<Value>): Promise<Value> {
    const kept = asObject(this.#parts[name])
    if (kept?.['stamp'] === stamp) return kept['value'] as Value
    const value = await make()
    this.keep(name, stamp, value)
    return value
  }

  keep(name: string, stamp: string, value: unknown): void {
    this.#parts[name] = { stamp, value }
    this.#isChanged = true
  }

  /** As it was kept, whatever has happened since. */
  last(name: string): { stamp: string; value: unknown } | undefined {
    return asObject(this.#parts[name]) as { stamp: string; value: unknown } | undefined
  }

  /** Only where there is a memory: looking makes none. */
  save(): void {
    if (!this.#isChanged) return
    try {
      writeDisposableFile(this.#path, this.#seal.sealed(this.#path, JSON.stringify(this.#parts)))
    } catch {
      // Only a shortcut: on a full or read-only disk the next glance works it out again.
    }
  }
}

/** Another one whenever one of the files may have changed. */
export function stampsOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
      return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` : '-'
    })
    .join(' ')
}

function readParts(path: string, seal: Seal): JsonObject {
  try {
    return parseObject(seal.opened(path, readOwnFile(path).toString('utf8')) ?? '') ?? {}
  } catch {
    return {} // never made, or not readable: everything is worked out
  }
}
