import { basename, dirname, sep } from 'node:path'
import { filesBelow, filesOfProject } from '../session-folders.ts'
import type { SessionStore } from '../session-store.ts'

/** `~/.claude/projects`: a folder for each place in which sessions were started. */
export const claudeCodeSessions: SessionStore = {
  find: (place, signal) => filesBelow(place, isSessionFile, signal),
  findOfProject: (place, project, signal) => filesOfProject(place, project, isSessionFile, signal),
  isWhole: ({ path }) => basename(dirname(path)) !== 'subagents' && !basename(path).startsWith('agent-'),
}

function isSessionFile(path: string): boolean {
  return path.endsWith('.jsonl')
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
