import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSafeRelativePath } from '../../files/project-path.ts'
import type { Opened } from '../../lookup/open.ts'
import { shellWord } from '../../text/shell-word.ts'
import { oneLine } from '../../text/truncate.ts'
import type { Output } from '../output.ts'

/** What a text of one thing is made with. */
export interface ShowPage {
  out: Output
  /** Where the project lies. */
  project: string
}

const LONGEST_PATH = 300

/** A file of the project, clickable where that is possible; `path` may be anybody's words. */
export function fileText({ out, project }: ShowPage, path: string, line?: number): string {
  const shown = `${oneLine(path, LONGEST_PATH)}${line ? `:${line}` : ''}`
  if (!isSafeRelativePath(path)) return shown
  return out.link(shown, `${pathToFileURL(join(project, path)).href}${line ? `:${line}` : ''}`)
}

/** Claude Code names its sessions so; whatever else is stored as one could be read as more by a shell. */
const SESSION = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The command that goes on where something came from: back into the session of Claude Code. */
export function resumeCommand(opened: Opened, project: string): string | undefined {
  const { session, folder } = sessionOf(opened)
  if (session === undefined || !SESSION.test(session)) return undefined
  const resume = `claude --resume ${session}`
  // It finds the sessions of the folder that it is started in.
  const elsewhere =
    folder !== undefined && folder !== project && isAbsolute(folder) && !/\p{Cc}/u.test(folder)
  return elsewhere ? `cd ${shellWord(folder)} && ${resume}` : resume
}

function sessionOf(opened: Opened): { session?: string | undefined; folder?: string | undefined } {
  switch (opened.kind) {
    case 'iteration': {
      const { agent = 'claude-code', sessionId } = opened.record
      return agent === 'claude-code' ? { session: sessionId } : {}
    }
    case 'conversation':
    case 'exchange': {
      const { source, id, parentId = id, project: folder } = opened.conversation
      return source === 'claude-code' ? { session: parentId, folder } : {}
    }
    case 'receipt':
      return { session: opened.receipt.run }
    default:
      return {}
  }
}
