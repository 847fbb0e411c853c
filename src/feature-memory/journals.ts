import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, fileError } from '../errors.ts'
import { escapeFeature, parseFeatureName, unescapeFeature } from '../files/feature-name.ts'
import { requireOwnFolder } from '../files/own-files.ts'
import { Seal } from '../files/seal.ts'
import { Journal } from './journal.ts'

export interface JournalReport {
  feature: string
  path: string
  records: number
  damaged: { line: number; reason: string; newer?: true }[]
  /** Lines cut short by a crash that were set aside, in `<journal>.torn`. */
  setAside: number
}

const ENDING = '.jsonl'

/** The folder of a project's journals: one file for each feature. */
export class Journals {
  readonly #folder: string
  readonly #cacheDir: string
  readonly #seal: Seal

  constructor(folder: string, cacheDir: string, seal = new Seal()) {
    this.#folder = folder
    this.#cacheDir = cacheDir
    this.#seal = seal
  }

  of(feature: string): Journal {
    const name = escapeFeature(parseFeatureName(feature))
    const path = join(this.#folder, name + ENDING)
    return new Journal({ path, cacheDir: this.#cacheDir, name, seal: this.#seal })
  }

  async features(): Promise<string[]> {
    return (await this.#names())
      .filter((name) => name.endsWith(ENDING))
      .map((name) => unescapeFeature(name.slice(0, -ENDING.length)))
      .filter((name) => name !== undefined)
      .sort()
  }

  /** Reads a journal to its end and tells what is damaged. */
  async verify(feature: string): Promise<JournalReport> {
    const journal = this.of(feature)
    const report: JournalReport = {
      feature,
      path: journal.path,
      records: 0,
      damaged: [],
      setAside: await journal.setAside(),
    }
    for await (const item of journal.items()) {
      if (item.kind === 'record') report.records++
      else report.damaged.push({ line: item.line, reason: item.reason, ...(item.newer && { newer: true }) })
    }
    return report
  }

  async #names(): Promise<string[]> {
    try {
      requireOwnFolder(this.#folder)
      return await readdir(this.#folder)
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return []
      throw fileError(error, this.#folder, 'listing the journals')
    }
  }
}
