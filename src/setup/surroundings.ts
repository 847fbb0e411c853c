import { type FoundAgent, findAgents } from '../agent-config/found-agents.ts'
import { isPluginEnabled } from '../agent-config/installed.ts'
import type { Config } from '../config.ts'
import { checkoutRoot } from '../files/git-checkout.ts'
import { AGENT_NAMES, type AgentName } from '../transcripts/agents.ts'
import { keptSessions, type SessionFile } from '../transcripts/kept-sessions.ts'
import { type Reach, reachOf } from './installation.ts'

/** What there is where `ralph init` is called, before anything is asked or done. */
export interface Surroundings {
  /** The checkout that the project lies in. */
  git: string | undefined
  agents: FoundAgent[]
  /** Claude Code has our plugin: its hooks and its server. */
  plugin: boolean
  pastSessions: PastSessions
  reach: Reach
  /** Where programs are looked for. */
  searchPath: string | undefined
}

export interface PastSessions {
  sessions: number
  /** Whose they are. */
  agents: AgentName[]
  /** Those of sub-agents included. */
  files: SessionFile[]
  /** When the oldest and the newest were last written to. */
  oldest?: Date
  newest?: Date
}

export async function lookAround(config: Config, searchPath: string | undefined): Promise<Surroundings> {
  const { project } = config
  return {
    git: checkoutRoot(project),
    agents: findAgents({ ...config, searchPath }),
    plugin: await isPluginEnabled(config),
    pastSessions: await pastSessionsOf(config),
    reach: reachOf({ project, searchPath }),
    searchPath,
  }
}

async function pastSessionsOf({ sessionPlaces, project }: Config): Promise<PastSessions> {
  const { sessions: files } = await keptSessions(sessionPlaces, { project })
  const whole = files.filter(({ isWhole }) => isWhole)
  const [newest, oldest] = [whole.at(0), whole.at(-1)]
  return {
    sessions: whole.length,
    agents: AGENT_NAMES.filter((agent) => whole.some((session) => session.agent === agent)),
    files,
    ...(oldest && newest && { oldest: new Date(oldest.modifiedAt), newest: new Date(newest.modifiedAt) }),
  }
}
