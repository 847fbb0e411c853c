import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { errnoOf, fileError, RalphError, throwIfAborted } from '../../errors.ts'
import { isFolderOfProject } from '../../files/project-path.ts'
import { asNumber, asString } from '../../text/json.ts'
import { newestFirst } from '../session-folders.ts'
import { addressOf } from '../session-places.ts'
import type { SessionFile, SessionStore } from '../session-store.ts'
import { readDatabase } from './database.ts'
import { type FiledSession, filedSessions, identityOf } from './storage-files.ts'
import { addressed } from './stored-session.ts'

/** opencode's database, and beside it the files that versions before it wrote: both may be on one machine. */
export const opencodeSessions: SessionStore = {
  find,
  findOfProject,
  isWhole: ({ identity }) => !identity.includes(' of '),
}

async function find(place: string, signal?: AbortSignal): Promise<SessionFile[]> {
  throwIfAborted(signal)
  const address = addressed(place)
  if (address) return plain([await named(address.database, address.sessionId)])
  const stats = await stat(place).catch((error: unknown) => {
    // Only older versions may have been here.
    if (errnoOf(error) === 'ENOENT' && place.endsWith('.db')) return undefined
    throw fileError(error, place, 'cannot import')
  })
  if (stats?.isFile() && !place.endsWith('.db'))
    return [
      { path: place, identity: `${stats.dev}:${stats.ino}`, size: stats.size, modifiedAt: stats.mtimeMs },
    ]
  const found = plain(await sessionsIn(place, stats?.isDirectory() === true))
  if (!stats && found.length === 0)
    throw new RalphError('not_found', `${place} does not exist`, {
      hint: 'Name the opencode.db, or the folder that holds it.',
    })
  return found
}

async function findOfProject(place: string, project: string, signal?: AbortSignal): Promise<SessionFile[]> {
  throwIfAborted(signal)
  const stats = await stat(place).catch(() => undefined)
  const found = await sessionsIn(place, stats?.isDirectory() === true)
  return plain(
    found.filter(({ directory }) => directory !== undefined && isFolderOfProject(directory, project)),
  )
}

async function named(database: string, sessionId: string): Promise<FiledSession> {
  const found = await readDatabase(database, (open) => rowsIn(open, database, sessionId))
  if (found[0]) return found[0]
  throw new RalphError('not_found', `there is no session ${sessionId} in ${database}`, {
    hint: 'See what is there: opencode session list',
  })
}

/** A place is the database, or the folder with it, or that of the older files. */
async function sessionsIn(place: string, isFolder: boolean): Promise<FiledSession[]> {
  const folder = isFolder ? place : dirname(place)
  const database = isFolder ? join(place, 'opencode.db') : place
  const stored = await storedIn(database)
  const known = new Set(stored.map(({ sessionId }) => sessionId))
  const filed = [...(await filedSessions(folder)), ...(await filedSessions(join(folder, 'storage')))]
  // What opencode took over into its database it left in the files as it was then.
  return [...stored, ...filed.filter(({ sessionId }) => !known.has(sessionId))]
}

async function storedIn(database: string): Promise<FiledSession[]> {
  const isThere = await stat(database).then(
    (stats) => stats.isFile(),
    () => false,
  )
  return isThere ? readDatabase(database, (open) => rowsIn(open, database)) : []
}

function rowsIn(open: DatabaseSync, database: string, sessionId?: string): FiledSession[] {
  const rows = open
    .prepare(
      `SELECT session.id, session.parent_id, session.directory, session.time_updated, count(part.id) AS parts,
         max(part.time_updated) AS part_updated
       FROM session LEFT JOIN part ON part.session_id = session.id
       WHERE ?1 IS NULL OR session.id = ?1 GROUP BY session.id`,
    )
    .all(sessionId ?? null)
  return rows.map((row) => {
    const id = String(row['id'])
    const parentId = asString(row['parent_id'])
    return {
      path: addressOf(database, id),
      identity: identityOf(id, parentId),
      size: asNumber(row['parts']) ?? 0,
      modifiedAt: Math.max(asNumber(row['time_updated']) ?? 0, asNumber(row['part_updated']) ?? 0),
      sessionId: id,
      parentId,
      directory: asString(row['directory']),
    }
  })
}

function plain(sessions: readonly FiledSession[]): SessionFile[] {
  return newestFirst(
    sessions.map(({ path, identity, size, modifiedAt }) => ({ path, identity, size, modifiedAt })),
  )
}
