import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { errnoOf, RalphError } from '../errors.ts'
import { shellWord } from '../text/shell-word.ts'
import { realPath } from './project-path.ts'
import { renameFileNow } from './rename.ts'
import { temporaryBeside } from './temporary-name.ts'
import { userHomeFolder } from './user-home.ts'

/**
 * How everything of ours is opened. A clone or an agent may put a link where we write: followed, our lines would end up
 * in somebody's shell start-up file. So under a project's `.ralph` no part of a path may be a link, and whatever is opened
 * must be a regular file. Links in the user's own folder are the user's: people keep settings in dotfile repositories.
 */

const FOLDER = '.ralph'
/** Absent on Windows. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
/** A named pipe would keep us waiting for whoever reads it. */
const NO_WAIT = constants.O_NONBLOCK ?? 0
const { O_RDONLY, O_RDWR, O_WRONLY, O_CREAT, O_APPEND, O_EXCL } = constants

const FLAGS = {
  read: O_RDONLY,
  append: O_RDWR | O_CREAT | O_APPEND,
  edit: O_RDWR,
  // Emptied once it is known to be ours.
  replace: O_WRONLY | O_CREAT,
  create: O_WRONLY | O_CREAT | O_EXCL,
} as const
export type FileAccess = keyof typeof FLAGS
/** Of opening a file that others replace. */
const MOST_TRIES = 20

/** Throws unless this path is, or can become, a file of ours. What stands there, if anything. */
function requireOwnFile(path: string): Stats | undefined {
  requireOwnFolder(dirname(path))
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats && !isOfUser(path, stats)) requireRegular(path, stats)
  return stats
}

/** A link that the user has made where no repository reaches. */
function isOfUser(path: string, stats: Stats | undefined): boolean {
  if (!stats?.isSymbolicLink() || rootOf(resolve(path)) !== undefined) return false
  return !process.getuid || stats.uid === process.getuid()
}

/** SQLite opens its files itself: those beside the database too. */
export function requireOwnDatabase(path: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) requireOwnFile(path + ending)
}

/** Throws when a link stands on the way from the project's `.ralph` to this folder. */
export function requireOwnFolder(path: string): void {
  const folder = resolve(path)
  const root = rootOf(folder)
  if (root === undefined) return
  requireInside(root, dirname(root))
  let at = root
  for (const name of folder.slice(root.length).split(sep).filter(Boolean)) {
    at = join(at, name)
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (!stats) return
    if (stats.isSymbolicLink()) throw linkError(at)
  }
}

export function makeOwnFolder(path: string, mode?: number): void {
  requireOwnFolder(path)
  mkdirSync(path, { recursive: true, ...(mode !== undefined && { mode }) })
}

export async function openOwnFile(path: string, access: FileAccess, mode?: number): Promise<FileHandle> {
  const { open } = await import('node:fs/promises') // takes long to load, and hooks do without
  for (let tries = 1; ; tries++) {
    const file = await open(path, prepare(path, access), mode).catch((error) => {
      throw openError(error, path)
    })
    try {
      if (isReady(path, file.fd, access, tries)) return file
    } catch (error) {
      await file.close()
      throw error
    }
    await file.close()
  }
}

export function openOwnFileNow(path: string, access: FileAccess, mode?: number): number {
  for (let tries = 1; ; tries++) {
    const flags = prepare(path, access)
    let file: number
    try {
      file = openSync(path, flags, mode)
    } catch (error) {
      throw openError(error, path)
    }
    try {
      if (isReady(path, file, access, tries)) return file
    } catch (error) {
      closeSync(file)
      throw error
    }
    closeSync(file)
  }
}

/**
 * Whether what was opened is what lies there, with no link on the way: between the look and the opening somebody may have put
 * one in place of a folder. False for what one of us has replaced meanwhile: that is opened again.
 */
function isReady(path: string, file: number, access: FileAccess, tries: number): boolean {
  const opened = fstatSync(file)
  requireRegular(path, opened)
  if (!isWhere(path, file, opened)) {
    if (tries < MOST_TRIES) return false
    throw new RalphError('conflict', `${path} is replaced again and again`, { retryable: true })
  }
  if (access === 'replace' && opened.size > 0) ftruncateSync(file)
  return true
}

/** Linux tells where an open file lies; elsewhere a second look has to do, which leaves a moment between the two. */
function isWhere(path: string, file: number, { dev, ino }: Stats): boolean {
  const root = rootOf(resolve(path))
  if (root === undefined) return true
  const told = process.platform === 'linux' ? placeOf(file) : undefined
  if (told !== undefined) {
    const folder = realpathSync.native(root)
    const isInside = isBelow(folder, realpathSync.native(dirname(root)))
    return isInside && told === folder + resolve(path).slice(root.length)
  }
  requireOwnFolder(dirname(path))
  const there = lstatSync(path, { throwIfNoEntry: false })
  return there?.dev === dev && there.ino === ino
}

function placeOf(file: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch {
    return undefined // a system without /proc
  }
}

/** In one call before the caller goes on: hooks and receipts have no time for a turn of the event loop. */
export function writeOwnFile(
  path: string,
  text: string | Uint8Array,
  { access = 'replace', mode }: { access?: Exclude<FileAccess, 'read' | 'edit'>; mode?: number } = {},
): void {
  const file = openOwnFileNow(path, access, mode)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

/**
 * For a small file that is written all the time, and whose reader notices half of it: where it gets no shorter, over what stands
 * there. Emptying it first has some file systems write it to the disk at once, which takes as long as all the rest of a record.
 */
export function rewriteOwnFile(path: string, text: string): void {
  const bytes = Buffer.from(text)
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  const file = openOwnFileNow(path, isThere ? 'edit' : 'replace')
  try {
    if (fstatSync(file).size > bytes.length) ftruncateSync(file)
    writeSync(file, bytes, 0, bytes.length, 0)
  } finally {
    closeSync(file)
  }
}

/** Shortens a file. Not through a handle for appending: Windows allows that one nothing else. */
export async function cutOwnFile(path: string, size: number): Promise<void> {
  const file = await openOwnFile(path, 'edit')
  try {
    await file.truncate(size)
  } finally {
    await file.close()
  }
}

export function readOwnFile(path: string): Buffer {
  const file = openOwnFileNow(path, 'read')
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** The flags to open it with. */
function prepare(path: string, access: FileAccess): number {
  const stats = requireOwnFile(path)
  const writes = access !== 'read' && access !== 'create'
  if (writes && stats !== undefined && stats.nlink > 1) leaveOtherNameAlone(path)
  return FLAGS[access] | NO_WAIT | (isOfUser(path, stats) ? 0 : NO_FOLLOW)
}

/** A file with a second name elsewhere is replaced by a copy: what is written here must not show up there. */
function leaveOtherNameAlone(path: string): void {
  const copy = temporaryBeside(path)
  copyFileSync(path, copy, constants.COPYFILE_EXCL)
  renameFileNow(copy, path)
}

/** The project's `.ralph` that this path lies in, if any. */
function rootOf(path: string): string | undefined {
  const names = path.split(sep)
  const at = names.lastIndexOf(FOLDER)
  if (at < 0) return undefined
  const root = names.slice(0, at + 1).join(sep)
  const home = userHomeFolder()
  return home !== undefined && root === join(home, FOLDER) ? undefined : root
}

/**
 * Throws when what lies in the folder by its name is led out of it by a link, or nowhere. A link within the folder will do:
 * a stranger reaches no further by it than without.
 */
export function requireInside(path: string, folder: string): void {
  for (let at = path; isBelow(at, folder); at = dirname(at)) {
    if (!isThere(at)) continue
    // A link that leads nowhere has no real path: what is made of it would be outside.
    if (!isBelow(realPath(at), realpathSync.native(folder))) throw linkError(at, basename(folder))
    return
  }
}

function isBelow(path: string | undefined, folder: string): boolean {
  return path?.startsWith(folder.endsWith(sep) ? folder : folder + sep) ?? false
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // behind a link that leads to itself
  }
}

function requireRegular(path: string, stats: Stats): void {
  if (stats.isFile()) return
  if (stats.isSymbolicLink()) throw linkError(path)
  throw new RalphError('invalid_input', `${path} is no regular file`, {
    hint: `Move away what stands there: mv ${shellWord(path)} ${shellWord(`${path}.old`)}`,
  })
}

function linkError(path: string, folder = FOLDER): RalphError {
  return new RalphError('invalid_input', `${path} is a link; ralph follows none out of ${folder}`, {
    hint: `Take the link away (what it leads to stays): rm ${shellWord(path)}`,
  })
}

function openError(error: unknown, path: string): unknown {
  return errnoOf(error) === 'ELOOP' ? linkError(path) : error
}
