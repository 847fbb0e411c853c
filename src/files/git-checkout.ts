import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readOwnFile } from './own-files.ts'

/**
 * Whether git would take the folder for a checkout: it has a repository, or points to one. A `.git` with nothing in it is none: some
 * sandboxes leave such a folder wherever they worked.
 */
export function isCheckout(folder: string): boolean {
  const git = join(folder, '.git')
  const found = statSync(git, { throwIfNoEntry: false })
  return found !== undefined && (!found.isDirectory() || existsSync(join(git, 'HEAD')))
}

/** The folder or its nearest ancestor that git knows as a checkout. Read from files: no hook has time to start git. */
export function checkoutRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isCheckout(at)) return at
    if (dirname(at) === at) return undefined
  }
}

/** Where a worktree's part of the repository lies; undefined for a checkout that is the repository itself. */
export function worktreeFolder(root: string): string | undefined {
  const pointer = textIfAny(join(root, '.git'))?.match(/^gitdir:\s*(.+?)\s*$/m)?.[1]
  return pointer === undefined ? undefined : resolve(root, pointer)
}

/** Undefined for what is absent, a folder, or a link to somewhere else. */
export function textIfAny(path: string): string | undefined {
  try {
    return readOwnFile(path).toString('utf8')
  } catch {
    return undefined
  }
}
