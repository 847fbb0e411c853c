import { isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSafeRelativePath } from '../../files/project-path.ts'
import type { Opened } from '../../lookup/open.ts'
import { shellWord } from '../../text/shell-word.ts'
import { oneLine } from '../../text/truncate.ts'
import { type AgentName, isAgentName } from '../../transcripts/agents.ts'
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

/** As agents name their sessions; whatever else is stored as one could be read as more by a shell. */
const SESSION = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_[0-9A-Za-z]{10,40})$/i

/** How each program goes on with a session of its own. */
const RESUME: Record<AgentName, (session: string) => string> = {
  'claude-code': (session) => `claude --resume ${session}`,
  codex: (session) => `codex resume ${session}`,
  gemini: (session) => `gemini --resume ${session}`,
  opencode: (session) => `opencode --session ${session}`,
  qwen: (session) => `qwen --resume ${session}`,
  copilot: (session) => `copilot --resume=${session}`,
  pi: (session) => `pi --session ${session}`,
}

/** The command that goes on where something came from: back into the session of its agent. */
export function resumeCommand(opened: Opened, project: string): string | undefined {
  const { agent, session, folder } = sessionOf(opened)
  if (session === undefined || !SESSION.test(session) || !isAgentName(agent)) return undefined
  const resume = RESUME[agent](session)
  // It finds the sessions of the folder that it is started in.
  const elsewhere =
    folder !== undefined && folder !== project && isAbsolute(folder) && !/\p{Cc}/u.test(folder)
  return elsewhere ? `cd ${shellWord(folder)} && ${resume}` : resume
}

interface AgentSession {
  agent: string
  session?: string | undefined
  folder?: string | undefined
}

function sessionOf(opened: Opened): AgentSession {
  switch (opened.kind) {
    case 'iteration': {
      // Records from before there were others say none.
      const { agent = 'claude-code', sessionId } = opened.record
      return { agent, session: sessionId }
    }
    case 'conversation':
    case 'exchange': {
      const { source, id, parentId = id, project: folder } = opened.conversation
      return { agent: source, session: parentId, folder }
    }
    case 'receipt':
      return { agent: 'claude-code', session: opened.receipt.run }
    default:
      return { agent: '' }
  }
}
