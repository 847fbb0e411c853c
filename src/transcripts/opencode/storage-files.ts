import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errnoOf, fileError } from '../../errors.ts'
import { asString, type JsonObject, parseObject } from '../../text/json.ts'
import { foldersIn } from '../session-folders.ts'
import type { SessionFile } from '../session-store.ts'
import { byTime, messageLine, type SessionLine } from './session.ts'

/** How versions before 1.2 stored: a file for each session, message and part. */
const SESSION_FILE = /^(.*)[\\/]session[\\/][^\\/]+[\\/](ses_\w+)\.json$/s

/** A session in files: what is known of it without its messages. */
export interface FiledSession extends SessionFile {
  sessionId: string
  parentId: string | undefined
  directory: string | undefined
}

/** The lines of a session in files, with those of its helpers; undefined when the path names none. */
export async function filedSession(path: string): Promise<JsonObject[] | undefined> {
  const [, storage, sessionId] = SESSION_FILE.exec(path) ?? []
  const info = storage === undefined ? undefined : await readJson(path)
  if (storage === undefined || sessionId === undefined || !info) return undefined
  const helpers = (await filedSessions(storage)).filter(({ parentId }) => parentId === sessionId)
  const lines = await messageLines(storage, sessionId, false)
  for (const helper of helpers) lines.push(...(await messageLines(storage, helper.sessionId, true)))
  return [{ opencode: 'session', info } satisfies SessionLine, ...byTime(lines)]
}

/** All sessions in the files below a `storage` folder. */
export async function filedSessions(storage: string): Promise<FiledSession[]> {
  const found: FiledSession[] = []
  for (const project of await foldersIn(join(storage, 'session')))
    for (const name of await foldersIn(join(storage, 'session', project))) {
      const session = await describe(join(storage, 'session', project, name), storage)
      if (session) found.push(session)
    }
  return found
}

async function describe(path: string, storage: string): Promise<FiledSession | undefined> {
  const info = SESSION_FILE.test(path) ? await readJson(path) : undefined
  if (!info) return undefined
  const sessionId = basename(path, '.json')
  const messages = join(storage, 'message', sessionId)
  const names = await foldersIn(messages)
  const times = await Promise.all(
    [path, ...names.map((name) => join(messages, name))].map(async (file) => {
      const stats = await stat(file).catch(() => undefined)
      return stats?.mtimeMs ?? 0
    }),
  )
  const parentId = asString(info['parentID'])
  return {
    path,
    identity: identityOf(sessionId, parentId),
    size: names.length,
    modifiedAt: Math.max(...times),
    sessionId,
    parentId,
    directory: asString(info['directory']),
  }
}

/** The part of a helper names whose it is. */
export function identityOf(sessionId: string, parentId: string | undefined): string {
  return parentId === undefined ? sessionId : `${sessionId} of ${parentId}`
}

async function messageLines(storage: string, sessionId: string, helper: boolean): Promise<SessionLine[]> {
  const lines: SessionLine[] = []
  const folder = join(storage, 'message', sessionId)
  for (const name of await foldersIn(folder)) {
    const info = await readJson(join(folder, name))
    if (!info) continue
    const parts = join(storage, 'part', basename(name, '.json'))
    const files = (await foldersIn(parts)).map((part) => readJson(join(parts, part)))
    lines.push(messageLine(info, await Promise.all(files), helper))
  }
  return lines
}

/** What is being written, or was deleted meanwhile, is not there. */
async function readJson(path: string): Promise<JsonObject | undefined> {
  try {
    return parseObject(await readFile(path, 'utf8'))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EISDIR') return undefined
    throw fileError(error, path, 'cannot read the sessions of opencode')
  }
}
