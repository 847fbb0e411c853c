import type { Dirent, Stats } from 'node:fs'
import { lstat, opendir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { Ignore } from 'ignore'
import { errnoOf, throwIfAborted } from '../../errors.ts'
import { isCheckout } from '../../files/git-checkout.ts'
import { isPassedBy } from './formats.ts'
import { filesOfGit, isListedByGit } from './git-files.ts'

/** What is met on the way through a folder. */
export type Met =
  | { path: string; kind: 'file' }
  /** Nobody looked into it. */
  | { path: string; kind: 'left-out'; why: string }
  | { path: string; kind: 'failed'; why: string }

/**
 * All files below a folder, one after the other, never all at once: without those that git ignores, whether git itself says so
 * or, outside of a repository, the rules it would follow. No link is followed, so nothing leads out of the folder or in circles.
 */
export async function* walk(folder: string, signal?: AbortSignal): AsyncGenerator<Met> {
  if (await isListedByGit(folder)) yield* walkByGit(folder, signal)
  else yield* walkByRules(folder, [], signal)
}

async function* walkByGit(folder: string, signal: AbortSignal | undefined): AsyncGenerator<Met> {
  for await (const name of filesOfGit(folder, signal)) {
    throwIfAborted(signal)
    const parts = name.split('/').filter(Boolean)
    if (parts.slice(0, -1).some(isPassedBy)) continue
    const path = join(folder, ...parts)
    const stats = await statsOf(path)
    if (stats === 'gone') continue
    if ('why' in stats) yield stats
    // Another repository inside of this one: git names only its folder.
    else if (stats.isDirectory()) {
      if (!isPassedBy(parts.at(-1)!)) yield* walk(path, signal)
    } else yield met(path, stats)
  }
}

interface Rules {
  folder: string
  rules: Ignore
}

async function* walkByRules(
  folder: string,
  above: readonly Rules[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Met> {
  const own = await rulesOf(folder)
  const rules = own ? [...above, { folder, rules: own }] : above
  let entries: AsyncIterable<Dirent>
  try {
    entries = await opendir(folder, { bufferSize: 256 })
    for await (const entry of entries) {
      throwIfAborted(signal)
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (isPassedBy(entry.name) || isIgnored(path, rules, true)) continue
        const isRepository = isCheckout(path)
        if (isRepository && (await isListedByGit(path))) yield* walkByGit(path, signal)
        else yield* walkByRules(path, rules, signal)
      } else if (!isIgnored(path, rules, false)) yield met(path, entry)
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    // It was there a moment ago.
    if (errnoOf(error) !== 'ENOENT') yield { path: folder, kind: 'failed', why: whyUnreadable(error) }
  }
}

function met(path: string, is: Pick<Stats, 'isFile' | 'isSymbolicLink'>): Met {
  if (is.isFile()) return { path, kind: 'file' }
  return { path, kind: 'left-out', why: is.isSymbolicLink() ? 'a link' : 'a pipe, socket or device' }
}

async function statsOf(path: string): Promise<Stats | 'gone' | (Met & { why: string })> {
  try {
    return await lstat(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return 'gone'
    return { path, kind: 'failed', why: whyUnreadable(error) }
  }
}

export function whyUnreadable(error: unknown): string {
  const code = errnoOf(error)
  return code === 'EACCES' || code === 'EPERM' ? 'not allowed to read it' : `cannot be read (${code})`
}

/** A file of rules larger than this is none. */
const MOST_RULES = 1_000_000

async function rulesOf(folder: string): Promise<Ignore | undefined> {
  const path = join(folder, '.gitignore')
  try {
    const stats = await lstat(path)
    if (!stats.isFile() || stats.size > MOST_RULES) return undefined
    const { default: ignore } = await import('ignore')
    return ignore({ allowRelativePaths: true }).add(await readFile(path, 'utf8'))
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

/** The rules nearest to it count most, as for git. */
function isIgnored(path: string, all: readonly Rules[], isFolder: boolean): boolean {
  for (const { folder, rules } of all.toReversed()) {
    const name = relative(folder, path).split(sep).join('/') + (isFolder ? '/' : '')
    const { ignored, unignored } = rules.test(name)
    if (ignored || unignored) return ignored
  }
  return false
}
