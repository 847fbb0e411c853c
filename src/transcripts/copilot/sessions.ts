import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, fileError, throwIfAborted } from '../../errors.ts'
import { chunksOf, linesOf } from '../../files/lines.ts'
import { isFolderOfProject } from '../../files/project-path.ts'
import { asObject, asString, parseObject } from '../../text/json.ts'
import type { SessionFile, SessionStore } from '../session-store.ts'
import { workspaceBeside } from './workspace.ts'

const EVENTS = 'events.jsonl'

/** `~/.copilot/session-state`: a folder for each session, whatever project it was in. */
export const copilotSessions: SessionStore = {
  find,
  findOfProject,
  // What sub-agents do stands in the events of their session.
  isWhole: () => true,
}

async function find(place: string, signal?: AbortSignal): Promise<SessionFile[]> {
  throwIfAborted(signal)
  const isFolder = await stat(place).then(
    (stats) => stats.isDirectory(),
    (error: unknown) => {
      throw fileError(error, place, 'cannot import')
    },
  )
  if (!isFolder) return [(await described(place))!]
  const own = await described(join(place, EVENTS))
  const found = own ? [own] : await below(place, signal)
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
}

async function findOfProject(place: string, project: string, signal?: AbortSignal): Promise<SessionFile[]> {
  const found: SessionFile[] = []
  for (const file of await below(place, signal)) {
    const cwd = workspaceBeside(file.path)?.cwd ?? (await placeOf(file.path))
    if (cwd !== undefined && isFolderOfProject(cwd, project)) found.push(file)
  }
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
}

async function below(place: string, signal: AbortSignal | undefined): Promise<SessionFile[]> {
  const found: SessionFile[] = []
  for (const name of await namesIn(place)) {
    throwIfAborted(signal)
    const file =
      (await described(join(place, name, EVENTS))) ??
      (name.endsWith('.jsonl') ? await described(join(place, name)) : undefined)
    if (file) found.push(file)
  }
  return found
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, folder, 'looking for past sessions')
  }
}

/** Sessions end and are tidied up while we look. */
async function described(path: string): Promise<SessionFile | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  if (!stats?.isFile()) return undefined
  return {
    path,
    identity: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    modifiedAt: Number(stats.mtimeMs),
  }
}

/** The folder in which a session took place, from its first event. */
async function placeOf(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    for await (const { text } of linesOf(chunksOf(file)))
      return asString(asObject(asObject(parseObject(text ?? '')?.['data'])?.['context'])?.['cwd'])
    return undefined
  } finally {
    await file.close()
  }
}
