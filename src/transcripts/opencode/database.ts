import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { errnoOf, fileError, messageOf, RalphError } from '../../errors.ts'
import { asNumber } from '../../text/json.ts'

/** opencode checkpoints its journal now and then; nobody has to wait longer for that. */
const WAIT_MS = 2_000
const [BUSY, READ_ONLY, CANNOT_OPEN] = [5, 8, 14]

/**
 * Reads opencode's database, also while opencode writes, and changes nothing. A database in WAL mode wants files beside it even
 * from those who only read: where none are there they are not made, and where they cannot be made, a copy is read.
 */
export async function readDatabase<T>(path: string, read: (database: DatabaseSync) => T): Promise<T> {
  try {
    const unwritten = await readUnwritten(path, read)
    return unwritten ? unwritten.rows : reading(path, read)
  } catch (error) {
    const code = resultCode(error)
    if (code === CANNOT_OPEN || code === READ_ONLY) return readCopy(path, read)
    throw databaseError(error, path)
  }
}

/** While nobody writes, the file alone holds everything. Undefined if somebody does, or began to meanwhile. */
async function readUnwritten<T>(
  path: string,
  read: (database: DatabaseSync) => T,
): Promise<{ rows: T } | undefined> {
  const before = await writtenState(path)
  if (before === undefined) return undefined
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  try {
    const rows = reading(url, read)
    return (await writtenState(path)) === before ? { rows } : undefined
  } catch (error) {
    // Older versions of Node take no addresses; and what was written under our hands may look like anything.
    if (errnoOf(error) === 'ERR_INVALID_ARG_TYPE' || (await writtenState(path)) !== before) return undefined
    throw error
  }
}

/** When the database was last written to; undefined while changes to it lie beside it. */
async function writtenState(path: string): Promise<string | undefined> {
  for (const beside of ['-wal', '-journal']) {
    const journal = await stat(path + beside).catch(() => undefined)
    if (journal && journal.size > 0) return undefined
  }
  const { mtimeMs, size } = await stat(path)
  return `${mtimeMs} ${size}`
}

function reading<T>(place: string | URL, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(place, { readOnly: true, timeout: WAIT_MS })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

async function readCopy<T>(path: string, read: (database: DatabaseSync) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-opencode-'))
  try {
    const copy = join(folder, 'copy.db')
    await copyFile(path, copy)
    // What opencode has written last may be only here.
    await copyFile(`${path}-wal`, `${copy}-wal`).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error
    })
    return reading(copy, read)
  } catch (error) {
    throw databaseError(error, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? asNumber(error.errcode) : undefined
  return code === undefined ? undefined : code & 0xff
}

function databaseError(error: unknown, path: string): unknown {
  const code = resultCode(error)
  if (code === undefined) return fileError(error, path, 'cannot read the sessions of opencode')
  if (code === BUSY)
    return new RalphError('unavailable', `${path} is in use: ${messageOf(error)}`, {
      hint: 'opencode is busy with it: try again in a moment.',
      cause: error,
    })
  return new RalphError('invalid_input', `${path} is no database of opencode: ${messageOf(error)}`, {
    hint: 'Give the opencode.db of opencode 1.2 or later, or what `opencode export` printed.',
    cause: error,
  })
}
