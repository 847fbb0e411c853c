import type { DatabaseSync } from 'node:sqlite'
import { RalphError } from '../../errors.ts'
import { asString, type JsonObject, parseObject } from '../../text/json.ts'
import { readDatabase } from './database.ts'
import { byTime, messageLine, type SessionLine } from './session.ts'
import { filedSession } from './storage-files.ts'

/** A helper may start helpers; opencode lets them be only a few levels deep. */
const DEEPEST = 10

/** The database and the session that an address names. */
export function addressed(address: string): { database: string; sessionId: string } | undefined {
  const [, database, sessionId] = /^(.+)#(ses_\w+)$/s.exec(address) ?? []
  return database !== undefined && sessionId !== undefined ? { database, sessionId } : undefined
}

/** The lines of a session in a database, or in the files of older versions; undefined when it is neither. */
export async function storedSession(address: string): Promise<JsonObject[] | undefined> {
  const place = addressed(address)
  if (!place) return filedSession(address)
  const { database, sessionId } = place
  const lines = await readDatabase(database, (open) => sessionLines(open, sessionId))
  if (lines) return lines
  throw new RalphError('not_found', `there is no session ${sessionId} in ${database}`, {
    hint: 'See what is there: opencode session list',
  })
}

function sessionLines(database: DatabaseSync, sessionId: string): SessionLine[] | undefined {
  const session = database.prepare('SELECT * FROM session WHERE id = ?').get(sessionId)
  if (!session) return undefined
  const helpers = helpersOf(database, sessionId).flatMap((helper) => messageLines(database, helper, true))
  return [
    { opencode: 'session', info: sessionInfo(session) },
    ...byTime([...messageLines(database, sessionId, false), ...helpers]),
  ]
}

/** A row in the form of the document that `opencode export` prints. */
function sessionInfo(row: Record<string, unknown>): JsonObject {
  const { id, parent_id, directory, title, version, model } = row
  return { id, parentID: parent_id, directory, title, version, model: parseObject(asString(model) ?? '') }
}

function helpersOf(database: DatabaseSync, sessionId: string): string[] {
  const children = database.prepare('SELECT id FROM session WHERE parent_id = ?')
  const found = new Set<string>()
  let level = [sessionId]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    level = level
      .flatMap((parent) => children.all(parent).map(({ id }) => asString(id)))
      .filter((id) => id !== undefined && id !== sessionId && !found.has(id)) as string[]
    for (const id of level) found.add(id)
  }
  return [...found]
}

function messageLines(database: DatabaseSync, sessionId: string, helper: boolean): SessionLine[] {
  const parts = new Map<string, JsonObject[]>()
  for (const row of database
    .prepare('SELECT id, message_id, time_created, data FROM part WHERE session_id = ? ORDER BY id')
    .all(sessionId)) {
    const part = parseObject(asString(row['data']) ?? '')
    const message = String(row['message_id'])
    if (!part) continue
    const siblings = parts.get(message)
    const whole = { ...part, id: row['id'], time_created: row['time_created'] }
    if (siblings) siblings.push(whole)
    else parts.set(message, [whole])
  }
  return database
    .prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id')
    .all(sessionId)
    .map(({ id, data }) => {
      const info = { ...parseObject(asString(data) ?? ''), id, sessionID: sessionId }
      return messageLine(info, parts.get(String(id)), helper)
    })
}
