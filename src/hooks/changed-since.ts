import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Made by tools, not by whoever works on the project. */
const MADE =
  /^(?:node_modules|dist|build|out|target|coverage|tmp|temp|logs?|vendor|venv|__pycache__|.*\.egg-info)$/i
/** Settings that people keep in files that begin with a dot. */
const DOT_FILES = /^\.(?:env|npmrc|nvmrc|tool-versions|babelrc|eslintrc|prettierrc)/
const LOG = /\.(?:log|tmp|pid|lock)$/
/** Looking at more would take longer than a hook may: then nobody can say that nothing has changed. */
const MOST_ENTRIES = 6_000

/** Whether a file of the project that could matter was changed after a point in time; in doubt it was. */
export function changedSince(project: string, sinceMs: number, matters: (path: string) => boolean): boolean {
  let left = MOST_ENTRIES
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(project, folder))) {
      if (left-- === 0) return true
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && !MADE.test(entry.name)) folders.push(path)
      } else if (isWritten(entry.name) && matters(path)) {
        const changed = statSync(join(project, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
        if (changed > sinceMs) return true
      }
    }
  }
  return false
}

function isWritten(name: string): boolean {
  return !LOG.test(name) && (!name.startsWith('.') || DOT_FILES.test(name))
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // not ours to read
  }
}
