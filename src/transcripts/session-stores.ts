import { isRalphError, type RalphError } from '../errors.ts'
import { AGENT_NAMES, type AgentName } from './agents.ts'
import type { SessionFile, SessionStore } from './session-store.ts'

export type { SessionFile }

/** Loaded one by one: most people use one or two agents. */
export const SESSION_STORES: Partial<Record<AgentName, () => Promise<SessionStore>>> = {
  'claude-code': async () => (await import('./claude-code/session-files.ts')).claudeCodeSessions,
  codex: async () => (await import('./codex/rollout-files.ts')).codexSessions,
  pi: async () => (await import('./pi/session-files.ts')).piSessions,
  copilot: async () => (await import('./copilot/sessions.ts')).copilotSessions,
  opencode: async () => (await import('./opencode/sessions.ts')).opencodeSessions,
}

export type SessionPlaces = Readonly<Record<AgentName, string>>

export interface FoundSession extends SessionFile {
  /** In whose place it lies; undefined where only its content can tell. */
  agent: AgentName | undefined
  /** A session of a person's, not the part of a sub-agent in one. */
  isWhole: boolean
}

export interface SessionSearch {
  /** Of this agent alone. */
  agent?: AgentName | undefined
  /** Only what took place in this folder or below it. */
  project?: string | undefined
  signal?: AbortSignal | undefined
}

export interface FoundSessions {
  /** The newest first. */
  sessions: FoundSession[]
  /** Agents whose sessions could not be looked at. */
  failures: { agent: AgentName; error: RalphError }[]
}

/** The sessions that agents have kept where they keep them; one whose place cannot be read hides no other. */
export async function keptSessions(
  places: SessionPlaces,
  search: SessionSearch = {},
): Promise<FoundSessions> {
  const found = await Promise.all(
    searched(search).map(async (agent) => ({ agent, ...(await look(agent, places[agent], search)) })),
  )
  return {
    sessions: newestFirst(
      found.flatMap(({ agent, sessions }) => sessions.map((session) => ({ ...session, agent }))),
    ),
    failures: found.flatMap(({ agent, error }) =>
      // An agent that was never used here has no place.
      error && error.code !== 'not_found' ? [{ agent, error }] : [],
    ),
  }
}

/** The sessions in a folder that somebody has named, or in the one file. Throws a RalphError where it cannot be read. */
export async function namedSessions(place: string, search: SessionSearch = {}): Promise<FoundSession[]> {
  const found = await Promise.all(searched(search).map((agent) => look(agent, place, search)))
  // What every store fails at is not there, or not to be read.
  const [first] = found
  if (first?.error && found.every(({ error }) => error)) throw first.error
  // Every agent knows its own by their names, and some names are those of several: the content tells.
  const byPath = new Map<string, FoundSession>()
  for (const { sessions } of found)
    for (const session of sessions)
      byPath.set(session.path, {
        ...session,
        agent: search.agent,
        isWhole: session.isWhole && byPath.get(session.path)?.isWhole !== false,
      })
  return newestFirst([...byPath.values()])
}

/** How far a session has come: in bytes, or in whatever grows with it. Zero where it is gone. */
export async function sessionSize(path: string, agent: AgentName): Promise<number> {
  const store = await SESSION_STORES[agent]?.()
  try {
    return (await store?.find(path))?.[0]?.size ?? 0
  } catch (error) {
    if (isRalphError(error) && error.code === 'not_found') return 0
    throw error
  }
}

function searched({ agent }: SessionSearch): AgentName[] {
  return (agent === undefined ? AGENT_NAMES : [agent]).filter((name) => SESSION_STORES[name] !== undefined)
}

async function look(
  agent: AgentName,
  place: string,
  { project, signal }: SessionSearch,
): Promise<{ sessions: Omit<FoundSession, 'agent'>[]; error?: RalphError }> {
  try {
    const store = await SESSION_STORES[agent]!()
    const files =
      project === undefined
        ? await store.find(place, signal)
        : await store.findOfProject(place, project, signal)
    return { sessions: files.map((file) => ({ ...file, isWhole: store.isWhole(file) })) }
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled') throw error
    return { sessions: [], error }
  }
}

function newestFirst(sessions: FoundSession[]): FoundSession[] {
  return sessions.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.path < b.path ? -1 : 1))
}
