import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { placeInProject } from '../files/project-path.ts'

/** More is no script that a person has looked at: it counts by its size. */
const HASHED_BYTES = 16 * 1024 * 1024
const MOST_FILES = 50

/** The project's own files that a command names, each with a hash of its content: who changes one changes the command. */
export function namedFiles(words: readonly string[], project: string): Record<string, string> {
  const found = new Map<string, string>()
  for (const word of words.flatMap((one) => [one, ...one.split(/[\s=,'"]+/)])) {
    const name = placeInProject(word, project)
    if (!name || found.has(name) || found.size >= MOST_FILES) continue
    const hash = contentHash(resolve(project, name))
    if (hash !== undefined) found.set(name, hash)
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function contentHash(path: string): string | undefined {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return undefined
    if (stats.size > HASHED_BYTES) return `${stats.size} bytes`
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return undefined // no such file: most words name none
  }
}
