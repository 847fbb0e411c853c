import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { RalphError } from '../errors.ts'
import { makeOwnFolder } from './own-files.ts'

const WRITABLE_BY_OTHERS = 0o022

/** A folder of this user in which nobody else can put anything. Windows keeps a user's folders apart by itself. */
export function isPrivateFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return false
  return !process.getuid || (stats.uid === process.getuid() && (stats.mode & WRITABLE_BY_OTHERS) === 0)
}

/** Makes it so; throws where it belongs to somebody else. */
export function makePrivateFolder(path: string): void {
  makeOwnFolder(path, 0o700)
  const stats = lstatSync(path)
  if (process.getuid && stats.isDirectory() && stats.uid === process.getuid()) chmodSync(path, 0o700)
  if (isPrivateFolder(path)) return
  throw new RalphError('invalid_input', `${path} belongs to another user`, {
    hint: 'Nothing is read from it. Set RALPH_HOME to a folder of your own with a shorter path.',
  })
}

const OF_OTHERS = 0o077
const STICKY = 0o1000

/** Takes from everybody else what they could do with these files and folders; what is not ours to change stays. */
function closeToOthers(paths: readonly string[]): void {
  if (!process.getuid) return
  for (const path of paths) {
    try {
      const stats = lstatSync(path)
      const mine = stats.uid === process.getuid() && (stats.isFile() || stats.isDirectory())
      // A folder with the sticky bit is meant for everybody.
      if (mine && (stats.mode & OF_OTHERS) !== 0 && (stats.mode & STICKY) === 0)
        chmodSync(path, stats.mode & 0o700)
    } catch {
      // Absent, or on a disk that knows no permissions.
    }
  }
}

/** What of the user's folder is ours: RALPH_HOME may name a folder that holds other things too. */
const OUR_FILES =
  /^(?:(?:ralph|index)\.db(?:-[a-z]+)?|(?:config|trust|projects|home)\.json(?:\.lock)?|seal\.key|chat_history)$/
export const OUR_FOLDERS = [
  'logs',
  'receipts',
  'undo',
  'changes',
  'run',
  'cache',
  'indexes',
  'learnings',
  'waiting',
  'qdrant_storage',
]
/** What anybody may see: the models are the same everywhere. */
const OPEN_FOLDERS = ['models']

/** Closes the user's folder and all of ours that lies directly in it. */
export function closeHome(home: string): void {
  closeToOthers(oursIn(home))
}

/** What of it others could read or write: what lies in a closed folder they cannot. */
export function openToOthers(home: string): string[] {
  if (!process.getuid) return []
  const ours = oursIn(home)
  const isReached = (path: string): boolean =>
    isOpen(path) && (path === home || !path.startsWith(home) || isReached(dirname(path)))
  return ours.filter(isReached)
}

function isOpen(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || stats.isSymbolicLink()) return false
  return (stats.mode & OF_OTHERS) !== 0 && (stats.mode & STICKY) === 0
}

function oursIn(home: string): string[] {
  const names = namesIn(home)
  const ours = names.filter((name) => OUR_FILES.test(name) || OUR_FOLDERS.includes(name))
  const alone = names.length > 0 && names.every((name) => ours.includes(name) || OPEN_FOLDERS.includes(name))
  const inside = ours.flatMap((name) => namesIn(join(home, name)).map((inner) => join(name, inner)))
  const all = [...ours, ...inside].map((name) => join(home, name))
  return alone || basename(home) === '.ralph' ? [...all, home] : all
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // not made yet, or a file
  }
}
