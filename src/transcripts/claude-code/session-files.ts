import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { errnoOf, fileError, throwIfAborted } from '../../errors.ts'
import { chunksOf, linesOf } from '../../files/lines.ts'
import { isFolderOfProject, realPath } from '../../files/project-path.ts'
import { parseObject } from '../../text/json.ts'
import type { SessionFile, SessionStore } from '../session-store.ts'

export type { SessionFile }

/** Claude Code shortens longer names of folders, each in its own way from there on. */
const LONGEST_NAME = 200
/** Where a session took place is said in one of its first lines. */
const LOOKED_AT_LINES = 50

/** `~/.claude/projects`: a folder for each place in which sessions were started. */
export const claudeCodeSessions: SessionStore = {
  find: findSessionFiles,
  findOfProject: findProjectSessions,
  isWhole: isWholeSession,
}

/** All session files below a folder, newest first, or the one file that is named. */
export async function findSessionFiles(path: string, signal?: AbortSignal): Promise<SessionFile[]> {
  const found: SessionFile[] = []
  await visit(path, found, signal, true)
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
}

async function visit(
  path: string,
  found: SessionFile[],
  signal: AbortSignal | undefined,
  named: boolean,
): Promise<void> {
  throwIfAborted(signal)
  try {
    const info = await stat(path, { bigint: true })
    if (info.isDirectory()) {
      const names = (await readdir(path)).sort()
      for (const name of names) await visit(join(path, name), found, signal, false)
    } else if (info.isFile() && (named || path.endsWith('.jsonl'))) {
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

/** The session files of a project among all of the user's, newest first: what was done in its folder or below it. */
export async function findProjectSessions(
  sessionsDir: string,
  project: string,
  signal?: AbortSignal,
): Promise<SessionFile[]> {
  const names = folderNames(project)
  const found: SessionFile[] = []
  for (const folder of await foldersIn(sessionsDir)) {
    const lower = folder.toLowerCase()
    if (!names.some((name) => lower.startsWith(name.slice(0, LONGEST_NAME)))) continue
    for (const file of await findSessionFiles(join(sessionsDir, folder), signal)) {
      // `shop-old` begins with `shop` too: only the session itself knows.
      const place = await placeOf(file.path)
      if (place === undefined ? names.includes(lower) : isFolderOfProject(place, project)) found.push(file)
    }
  }
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
}

/** Whether a file holds a session of a person's, not the part of a sub-agent in one. */
export function isWholeSession({ path }: SessionFile): boolean {
  return basename(dirname(path)) !== 'subagents' && !basename(path).startsWith('agent-')
}

/**
 * As Claude Code may name the folder for the sessions of a project, in small letters: it takes the path as the shell had it,
 * through a link, with `c:` or `C:`, with accents composed or not.
 */
function folderNames(project: string): string[] {
  const paths = [project, realPath(project) ?? project]
  const spelled = paths.flatMap((path) => [path, path.normalize('NFC'), path.normalize('NFD')])
  return [...new Set(spelled.map((path) => path.replace(/[^a-zA-Z0-9]/g, '-').toLowerCase()))]
}

async function foldersIn(folder: string): Promise<string[]> {
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

/** Whose conversation a file holds: the session's own, or that of a sub-agent it started. */
export function fileOwner(
  path: string,
  sessionId: string | undefined,
  agentId: string | undefined,
): {
  conversationId: string
  parentId: string | undefined
} {
  const name = basename(path, '.jsonl')
  const folder = dirname(path).split(sep)
  const inSubAgents = folder.at(-1) === 'subagents'
  if (!inSubAgents && !name.startsWith('agent-'))
    return { conversationId: sessionId ?? name, parentId: undefined }
  const parentId = sessionId ?? (inSubAgents ? folder.at(-2) : undefined)
  const agent = agentId ?? name.replace(/^agent-/, '')
  return { conversationId: parentId ? `${parentId}/${agent}` : agent, parentId }
}
