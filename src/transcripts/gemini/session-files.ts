import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { throwIfAborted } from '../../errors.ts'
import { chunksOf, linesOf } from '../../files/lines.ts'
import { isFolderOfProject } from '../../files/project-path.ts'
import { asObject, parseObject } from '../../text/json.ts'
import { filesBelow, foldersIn, newestFirst, spellings } from '../session-folders.ts'
import type { SessionFile, SessionStore } from '../session-store.ts'
import { parentOf } from './sub-agent-files.ts'

/** `~/.gemini/tmp`: a folder for each project, with its sessions in `chats`. */
export const geminiSessions: SessionStore = {
  find: findSessions,
  findOfProject: findProjectSessions,
  isWhole: ({ path }) => parentOf(path) === undefined,
}

async function findSessions(place: string, signal?: AbortSignal): Promise<SessionFile[]> {
  return withoutStubs(await filesBelow(place, isSessionFile, signal))
}

async function findProjectSessions(
  place: string,
  project: string,
  signal?: AbortSignal,
): Promise<SessionFile[]> {
  const found: SessionFile[] = []
  for (const folder of await projectFolders(place, project)) {
    throwIfAborted(signal)
    found.push(...(await findSessions(join(place, folder), signal)))
  }
  return newestFirst(found)
}

/** `chats/session-….jsonl`, older ones `.json`, and `chats/<session>/<agent>.jsonl`; the project's folder holds other files too. */
function isSessionFile(path: string): boolean {
  const isSession = basename(path).startsWith('session-') && basename(dirname(path)) === 'chats'
  const ending = extname(path)
  return ending === '.jsonl' ? isSession || parentOf(path) !== undefined : ending === '.json' && isSession
}

/** The folders of the project and of those below it: they are named freely, and say or are noted whose they are. */
async function projectFolders(place: string, project: string): Promise<string[]> {
  const noted = await notedFolders(place)
  // Older versions called the folder by the hash of the path.
  const hashes = new Set(spellings(project).map((path) => createHash('sha256').update(path).digest('hex')))
  const found: string[] = []
  for (const folder of await foldersIn(place)) {
    const root = (await textOf(join(place, folder, '.project_root')))?.trim() || noted.get(folder)
    if (root === undefined ? hashes.has(folder) : isFolderOfProject(root, project)) found.push(folder)
  }
  return found
}

/** `~/.gemini/projects.json` tells which path has which folder. */
async function notedFolders(place: string): Promise<Map<string, string>> {
  const value = parseObject((await textOf(join(dirname(place), 'projects.json'))) ?? '')
  const entries = Object.entries(asObject(value?.['projects']) ?? {})
  return new Map(entries.map(([path, folder]) => [String(folder), path]))
}

/** Nothing depends on these files: what cannot be read tells nothing. */
async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

/**
 * A resumed session goes on in its old file and leaves a second one with the same id in its name and nothing in it; one that
 * was a document goes on in a file of lines beside it.
 */
async function withoutStubs(files: readonly SessionFile[]): Promise<SessionFile[]> {
  const paths = new Set(files.map(({ path }) => path))
  const alike = Map.groupBy(files, ({ path }) => sessionKey(path))
  const kept: SessionFile[] = []
  for (const file of files) {
    const isAlone = alike.get(sessionKey(file.path))?.length === 1
    if (!paths.has(`${file.path}l`) && (isAlone || (await hasMessages(file.path)))) kept.push(file)
  }
  return kept
}

/** The folder and the part of the session's id that is in the name. */
function sessionKey(path: string): string {
  const id = /-([^-]+)\.jsonl?$/.exec(basename(path))?.[1]
  return basename(path).startsWith('session-') && id !== undefined ? join(dirname(path), id) : path
}

async function hasMessages(path: string): Promise<boolean> {
  if (path.endsWith('.json')) return true
  const file = await open(path, 'r').catch(() => undefined)
  // Tidied up meanwhile, or not readable: the import says so.
  if (!file) return true
  try {
    for await (const { text } of linesOf(chunksOf(file)))
      if (text !== undefined && 'id' in (parseObject(text) ?? {})) return true
    return false
  } finally {
    await file.close()
  }
}
