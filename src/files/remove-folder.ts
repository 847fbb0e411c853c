import { spawn } from 'node:child_process'
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errnoOf, fileError } from '../errors.ts'

/** Windows: a file that somebody has open, a library that somebody has loaded, a folder that somebody works in. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY'])
/** A helper of hooks ends within two seconds once its folder is gone. */
const WAITS_MS = [50, 100, 200, 400, 800, 1_600]

interface RemovalOptions {
  /** Whether to wait for others to let go; what this process itself holds it does not let go. */
  patient?: boolean
  platform?: NodeJS.Platform
  remove?: (path: string, isFolder: boolean) => void
}

/**
 * Removes a folder with all that is in it, and returns what is left because somebody holds it: on Windows one file in use
 * must not keep the rest. Not by `maxRetries` of Node, which tries again at every level of the tree and so may take hours.
 */
export async function removeFolder(
  path: string,
  { patient = true, platform = process.platform, remove = removeOne }: RemovalOptions = {},
): Promise<string[]> {
  try {
    if (platform !== 'win32') {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
      return []
    }
    let left = remainsOf(path, remove)
    for (const wait of patient ? WAITS_MS : []) {
      if (left.length === 0) break
      await new Promise((resolve) => setTimeout(resolve, wait))
      left = remainsOf(path, remove)
    }
    return left
  } catch (error) {
    throw fileError(error, path, 'removing')
  }
}

/** Removes what can be removed. The files that cannot; a folder only where none of its files is to blame. */
function remainsOf(path: string, remove: (path: string, isFolder: boolean) => void): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return []
  const isFolder = stats.isDirectory()
  const inside = isFolder ? readdirSync(path).flatMap((name) => remainsOf(join(path, name), remove)) : []
  if (inside.length > 0) return inside
  try {
    remove(path, isFolder)
    return []
  } catch (error) {
    if (HELD.has(errnoOf(error) ?? '')) return [path]
    throw error
  }
}

function removeOne(path: string, isFolder: boolean): void {
  if (isFolder) rmdirSync(path)
  else rmSync(path, { force: true })
}

/** Its standard input ends with us; what we held is free some moments later. */
const REMOVER = `const { rmSync } = require('node:fs')
const attempt = (left) => {
  try { rmSync(process.argv[1], { recursive: true, force: true }) }
  catch { if (left > 0) setTimeout(attempt, 200, left - 1) }
}
process.stdin.on('error', () => undefined).on('close', () => attempt(50)).resume()`

/** For what this process holds until it ends, as a library that it has loaded: a process of its own then removes it. */
export function removeOnceWeEnd(path: string): void {
  const child = spawn(process.execPath, ['-e', REMOVER, path], {
    cwd: tmpdir(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  })
  child.on('error', () => undefined) // among temporary files somebody else tidies up
  child.unref()
  // A pipe, which can be let go of like the process.
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
}
