import { type Dirent, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errnoOf } from '../errors.ts'
import { OUR_FOLDERS } from '../files/private-folder.ts'
import { sqliteTrouble } from '../files/sqlite-trouble.ts'
import { isAbandoned } from '../files/sweep-temporaries.ts'
import { writerOf } from '../files/temporary-name.ts'
import { plural } from '../text/plural.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, ok, type Result, together, warning } from './finding.ts'

/** Half-written files of processes that were killed. */
export async function checkTemporaries(parts: DoctorParts): Promise<Result> {
  const left = temporaries(parts)
  if (left.length === 0) return ok('none')
  const means = 'They only take room.'
  return together(
    left.map((path) => warning(`${path} was left by a process that is gone`, FIX, means)),
    '',
  )
}

export async function removeTemporaries(parts: DoctorParts): Promise<string> {
  const left = temporaries(parts)
  for (const path of left) rmSync(path, { force: true })
  return `removed ${plural(left.length, 'file')}`
}

function temporaries(parts: DoctorParts): string[] {
  return filesOf(parts).filter((path) => {
    const pid = writerOf(path.slice(dirname(path).length + 1))
    return pid !== undefined && isAbandoned(path, pid)
  })
}

/** Locks are freed by the system, however a process ends; what is no lock any more keeps everybody out. */
export async function checkLocks(parts: DoctorParts): Promise<Result> {
  const means = 'Whoever needs it is refused.'
  return together(
    unusableLocks(parts).map((path) => warning(`${path} is no lock any more`, FIX, means)),
    'none in the way',
  )
}

export async function removeLocks(parts: DoctorParts): Promise<string> {
  const unusable = unusableLocks(parts)
  for (const path of unusable) {
    if (lstatSync(path).isDirectory()) rmdirSync(path)
    else rmSync(path)
  }
  return `removed ${unusable.join(', ')}; the next who needs one makes it`
}

function unusableLocks(parts: DoctorParts): string[] {
  return filesOf(parts, (name) => name.endsWith('.lock') || name.endsWith('-lease')).filter(isUnusable)
}

function isUnusable(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || stats.isSymbolicLink()) return false
  if (!stats.isFile()) return true
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    return sqliteTrouble(error) === 'damaged'
  } finally {
    lock?.close()
  }
}

/** A hook that finds a socket asks whoever listens there; of one that was killed it has to wait for the refusal. */
export async function checkHelper({ helperAddress }: DoctorParts): Promise<Result> {
  return (await isDead(helperAddress()))
    ? warning(`nobody listens at ${helperAddress()}`, FIX, 'Hooks lose a moment there.')
    : ok(process.platform === 'win32' ? 'nothing in the way' : 'no dead socket')
}

export async function removeSocket({ helperAddress }: DoctorParts): Promise<string> {
  rmSync(helperAddress(), { force: true })
  return 'removed it'
}

function isDead(address: string): Promise<boolean> {
  if (!lstatSync(address, { throwIfNoEntry: false })?.isSocket()) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('connect', () => socket.destroy())
    socket.on('error', (error) => resolve(errnoOf(error) === 'ECONNREFUSED'))
    socket.on('close', () => resolve(false))
  })
}

/** Of ours, in the project and with the user; no link is followed. */
function filesOf(
  { config: { project, home } }: DoctorParts,
  wanted = (name: string) => name.endsWith('.tmp'),
) {
  // The user's folder may hold other things too.
  const ofUser = (name: string) => OUR_FOLDERS.includes(name)
  return [...under(join(project, '.ralph'), wanted), ...under(home, wanted, ofUser)]
}

function under(
  folder: string,
  wanted: (name: string) => boolean,
  enter: (name: string) => boolean = () => true,
): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return [] // not there, or not ours to read: said by others
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (wanted(entry.name)) return [path]
    return entry.isDirectory() && enter(entry.name) ? under(path, wanted) : []
  })
}
