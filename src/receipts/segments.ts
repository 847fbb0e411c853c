import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf, fileError } from '../errors.ts'
import { readOwnFile } from '../files/own-files.ts'

const ENDING = '.jsonl'

/** Receipt files, the oldest first: the names begin with the time. */
export function segmentNames(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith(ENDING)).sort()
}

/** One file of the log. */
export interface Segment {
  name: string
  /** Another one whenever the file may have changed. */
  stamp: string
  /** The oldest first. */
  lines(): string[]
}

/** The newest first. */
export function segmentsOf(folder: string): Segment[] {
  return segmentNames(namesIn(folder))
    .reverse()
    .flatMap((name) => {
      const path = join(folder, name)
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats) return [] // rotated away meanwhile
      return [{ name, stamp: `${stats.ino} ${stats.size} ${stats.mtimeMs}`, lines: () => linesOf(path) }]
    })
}

function linesOf(path: string): string[] {
  try {
    return readOwnFile(path).toString('utf8').split('\n').filter(Boolean)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError(error, path, 'reading receipts')
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError(error, folder, 'listing receipts')
  }
}
