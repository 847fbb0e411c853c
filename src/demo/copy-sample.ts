import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnFolder, writeOwnFile } from '../files/own-files.ts'

/** The files of a folder as files of one's own: a package may be installed read-only, and `cp` would keep it so. */
export function copySample(from: string, to: string): void {
  makeOwnFolder(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copySample(source, copy)
    else writeOwnFile(copy, readFileSync(source))
  }
}
