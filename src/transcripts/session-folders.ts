import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, fileError, throwIfAborted } from '../errors.ts'
import { chunksOf, linesOf } from '../files/lines.ts'
import { isFolderOfProject, realPath } from '../files/project-path.ts'
import { parseObject } from '../text/json.ts'
import type { SessionFile } from './session-store.ts'

/** Longer names of folders are shortened, by each program in its own way from there on. */
const LONGEST_NAME = 200
/** Where a session took place is said in one of its first lines. */
const LOOKED_AT_LINES = 50

/** Whether the program writes its sessions under such a name. */
type IsSessionFile = (path: string) => boolean

/** All session files below a folder, newest first, or the one file that is named. */
export async function filesBelow(
  path: string,
  isSessionFile: IsSessionFile,
  signal?: AbortSignal,
): Promise<SessionFile[]> {
  const found: SessionFile[] = []
  await visit(path, isSessionFile, found, signal, true)
  return newestFirst(found)
}

export function newestFirst(files: readonly SessionFile[]): SessionFile[] {
  return files.toSorted((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
}

async function visit(
  path: string,
  isSessionFile: IsSessionFile,
  found: SessionFile[],
  signal: AbortSignal | undefined,
  named: boolean,
): Promise<void> {
  throwIfAborted(signal)
  try {
    const info = await stat(path, { bigint: true })
    if (info.isDirectory()) {
      const names = (await readdir(path)).sort()
      for (const name of names) await visit(join(path, name), isSessionFile, found, signal, false)
    } else if (info.isFile() && (named || isSessionFile(path))) {
      found.push({
        path,
        identity: `${info.dev}:${info.ino}`,
        size: Number(info.size),
        modifiedAt: Number(info.mtimeMs),
      })
    }
  } catch (error) {
    // Sessions end and are tidied up while we look; only what was asked for by name must be there.
    if (!named && (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EACCES' || errnoOf(error) === 'ELOOP'))
      return
    throw fileError(error, path, 'cannot import')
  }
}

/**
 * The session files of a project where each place in which sessions were started has a folder, named after its path with
 * everything but letters and digits as `-` unless told otherwise: what was done in the project's folder or below it, newest
 * first. Letters of either size are the same: `c:` and `C:`.
 */
export async function filesOfProject(
  place: string,
  project: string,
  isSessionFile: IsSessionFile,
  signal?: AbortSignal,
  folderName: (path: string) => string = withDashes,
): Promise<SessionFile[]> {
  const names = spellings(project).map((path) => folderName(path).toLowerCase())
  const found: SessionFile[] = []
  for (const folder of await foldersIn(place)) {
    const lower = folder.toLowerCase()
    // Some programs can be told to keep all sessions in one place.
    const mayBe = isSessionFile(folder) || names.some((name) => lower.startsWith(name.slice(0, LONGEST_NAME)))
    if (!mayBe) continue
    for (const file of await filesBelow(join(place, folder), isSessionFile, signal)) {
      // `shop-old` begins with `shop` too: only the session itself knows.
      const cwd = await placeOf(file.path)
      if (cwd === undefined ? names.includes(lower) : isFolderOfProject(cwd, project)) found.push(file)
    }
  }
  return newestFirst(found)
}

function withDashes(path: string): string {
  return path.replace(/[^a-zA-Z0-9]/g, '-')
}

/** The ways in which a program may have been told the path of a project: through a link, with accents composed or not. */
export function spellings(project: string): string[] {
  const paths = [project, realPath(project) ?? project]
  return [...new Set(paths.flatMap((path) => [path, path.normalize('NFC'), path.normalize('NFD')]))]
}

/** None where the place does not exist. */
export async function foldersIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, folder, 'looking for past sessions')
  }
}

/** The folder in which a session took place; undefined where its beginning does not say. */
async function placeOf(path: string): Promise<string | undefined> {
  // Tidied up meanwhile, or not readable: the import says so.
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    let lines = 0
    for await (const { text } of linesOf(chunksOf(file))) {
      const cwd = text?.includes('"cwd"') ? parseObject(text)?.['cwd'] : undefined
      if (typeof cwd === 'string') return cwd
      if (++lines >= LOOKED_AT_LINES) return undefined
    }
    return undefined
  } finally {
    await file.close()
  }
}
