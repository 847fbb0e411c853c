import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { errnoOf, fileError } from '../../errors.ts'
import { filesBelow, filesOfProject } from '../session-folders.ts'
import type { SessionStore } from '../session-store.ts'

/** `~/.qwen/projects`: a folder for each place in which sessions were started, as Claude Code has them. */
export const qwenSessions: SessionStore = {
  find: (place, signal) => filesBelow(place, isSessionFile, signal),
  findOfProject: (place, project, signal) => filesOfProject(place, project, isSessionFile, signal),
  isWhole: ({ path }) => basename(dirname(dirname(path))) !== 'subagents',
}

/** `chats/<session>.jsonl` or `subagents/<session>/agent-….jsonl`; other folders hold other things. */
function isSessionFile(path: string): boolean {
  if (extname(path) !== '.jsonl') return false
  const folder = dirname(path)
  const isSubAgents = basename(dirname(folder)) === 'subagents' && basename(path).startsWith('agent-')
  return basename(folder) === 'chats' || isSubAgents
}

/** The file of the session that started a sub-agent. */
export function qwenParentFile(path: string, parentId: string): string {
  return join(dirname(dirname(dirname(path))), 'chats', `${parentId}.jsonl`)
}

/** What the sub-agents of a session did. */
export async function qwenSubAgentFiles(path: string): Promise<string[]> {
  const chats = dirname(path)
  if (!path.endsWith('.jsonl') || basename(chats) !== 'chats') return []
  const folder = join(dirname(chats), 'subagents', basename(path, '.jsonl'))
  try {
    const files = (await readdir(folder)).sort().map((name) => join(folder, name))
    return files.filter(isSessionFile)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, folder, "cannot read the sub-agents' transcripts")
  }
}
