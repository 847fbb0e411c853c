import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { throwIfAborted } from '../../errors.ts'
import { chunksOf, linesOf } from '../../files/lines.ts'
import { isFolderOfProject } from '../../files/project-path.ts'
import { asObject, asString, parseObject } from '../../text/json.ts'
import { filesBelow, foldersIn, newestFirst } from '../session-folders.ts'
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

function find(place: string, signal?: AbortSignal): Promise<SessionFile[]> {
  return filesBelow(place, (path) => path.endsWith(EVENTS), signal)
}

async function findOfProject(place: string, project: string, signal?: AbortSignal): Promise<SessionFile[]> {
  const found: SessionFile[] = []
  for (const session of await foldersIn(place)) {
    throwIfAborted(signal)
    const path = join(place, session, EVENTS)
    const cwd = workspaceBeside(path)?.cwd ?? (await placeOf(path))
    const file = cwd !== undefined && isFolderOfProject(cwd, project) ? await described(path) : undefined
    if (file) found.push(file)
  }
  return newestFirst(found)
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
