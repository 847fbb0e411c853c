import { basename, dirname, sep } from 'node:path'
import { filesBelow, filesOfProject } from '../session-folders.ts'
import type { SessionFile, SessionStore } from '../session-store.ts'

export type { SessionFile }

/** `~/.claude/projects`: a folder for each place in which sessions were started. */
export const claudeCodeSessions: SessionStore = {
  find: findSessionFiles,
  findOfProject: findProjectSessions,
  isWhole: isWholeSession,
}

/** All session files below a folder, newest first, or the one file that is named. */
export function findSessionFiles(path: string, signal?: AbortSignal): Promise<SessionFile[]> {
  return filesBelow(path, isSessionFile, signal)
}

/** The session files of a project among all of the user's, newest first: what was done in its folder or below it. */
export function findProjectSessions(
  sessionsDir: string,
  project: string,
  signal?: AbortSignal,
): Promise<SessionFile[]> {
  return filesOfProject(sessionsDir, project, isSessionFile, signal)
}

function isSessionFile(path: string): boolean {
  return path.endsWith('.jsonl')
}

/** Whether a file holds a session of a person's, not the part of a sub-agent in one. */
export function isWholeSession({ path }: SessionFile): boolean {
  return basename(dirname(path)) !== 'subagents' && !basename(path).startsWith('agent-')
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
