import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { errnoOf, fileError, throwIfAborted } from '../../errors.ts'

/** A file that Claude Code writes about a session, or about a sub-agent of one. */
export interface SessionFile {
  path: string
  /** Device and inode. */
  identity: string
  size: number
  modifiedAt: number
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
